// Decides whether most operations of a host do alike, so that one that does otherwise is a mistake.

/** So few operations show no habit. */
const fewest = 8;

/**
 * Whether what some operations do is a habit of their host.
 * @param perException so many must do it for each that does otherwise
 */
export const isHabit = (alike: number, otherwise: number, perException: number): boolean =>
  alike >= fewest && alike >= perException * otherwise;
