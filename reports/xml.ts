// XML 1.0 text from anything a target can say.

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** XML 1.0, section 2.2: these may not stand in a document, not even as a reference. */
const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const named = (character: string) => entities[character] ?? character;
const visible = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** Most text by far: nothing in it needs an escape, and finding that out costs little. */
const plain = /^[ !#-%'-;=?-~]*$/;

/** Element content; characters XML has no place for are shown as `\u{1b}`. */
export function xmlText(text: string): string {
  return plain.test(text) ? text : text.replace(forbidden, visible).replace(/[&<>\r]/g, named);
}

/** ` name="value"`; line ends and tabs survive the parser's attribute normalisation. */
export function attribute(name: string, value: string | number): string {
  const text = String(value);
  return ` ${name}="${plain.test(text) ? text : text.replace(forbidden, visible).replace(/[&<>"\t\n\r]/g, named)}"`;
}
