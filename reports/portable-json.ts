// JSON for readers that are not ours: half a surrogate pair is legal in JSON's escapes, and breaks most who meet it.

/** Escapes in JSON text: only a lone surrogate is ever written as `\ud…`. */
const escapes = /\\(?:u[dD][89a-fA-F][0-9a-fA-F]{2}|.)/g;

/** The value as JSON text on lines of its own, each lone surrogate replaced by U+FFFD. */
export function portableJson(value: unknown): string {
  const text = JSON.stringify(value, null, 1);
  // Hardly any run holds one; to look for it is all that most cost.
  if (!/\\u[dD]/.test(text)) return `${text}\n`;
  return `${text.replace(escapes, (found) => (found.length > 2 ? '\uFFFD' : found))}\n`;
}
