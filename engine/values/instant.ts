// Reads the instant that a JSON value names.

const zoned = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;
const [firstSecond, lastSecond] = [1e9, 1e10];

/** The instant, in ms since 1970, of a text with a time zone or a count of s or ms since 1970; undefined otherwise. */
export function instantOf(value: unknown): number | undefined {
  if (typeof value === 'string') return zoned.test(value) ? Date.parse(value) : undefined;
  if (typeof value !== 'number') return undefined;
  if (value >= firstSecond && value < lastSecond) return value * 1_000;
  return value >= firstSecond * 1_000 && value < lastSecond * 1_000 ? value : undefined;
}
