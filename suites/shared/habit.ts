// Decides whether most operations of a host behave alike, so that one that differs is a mistake.

/** Fewest operations that show a habit. */
const fewest = 8;

/**
 * Whether what some operations do is a habit of their host.
 * @param perException operations that must do it for each that does not
 */
export const isHabit = (alike: number, otherwise: number, perException: number): boolean =>
  alike >= fewest && alike >= perException * otherwise;
