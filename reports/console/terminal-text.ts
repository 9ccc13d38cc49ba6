// What a target says must not steer the terminal it is shown on.

/**
 * Control characters (ESC, line ends, C1), characters that reorder or hide text (bidi marks and overrides,
 * zero-width and tag characters, line separators), and lone surrogates.
 */
const steering =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|[\u{E0000}-\u{E007F}]/gu;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\x1b': '\\e' };

/** One line of text that a terminal only prints: every steering character is shown as `\n`, `\e` or `\u{202e}`. */
export function terminalText(text: string): string {
  return text.replace(
    steering,
    (character) => short[character] ?? `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
