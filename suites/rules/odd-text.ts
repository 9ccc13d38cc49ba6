// Text that finds what a server forgot to expect of a value.

/** Longer than any name, shorter than what a server must take in a request line (RFC 9112, section 3: 8,000 bytes). */
export const longValue = 'x'.repeat(2_000);

/** Two bytes, three, and four outside the first plane; a letter that is two code points. */
export const unicode = 'Zoë-名前-🎲-e\u0301';

/** Every character with a meaning of its own in a URL, a slash among them. */
export const punctuation = 'a/b 100% +&=?#;"\'<>';

/** Percent signs that no UTF-8 text is made of, as they go on the wire. */
export const undecodable = '%E0%A4%A';
