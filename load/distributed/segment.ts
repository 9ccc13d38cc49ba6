// One of so many equal shares of a load, which a k6 process takes (k6 calls it an execution segment).

/** Of k6, for one of so many equal execution segments; nothing where there is one alone. */
export function segmentArgs(nth: number, segments: number): string[] {
  if (segments === 1) return [];
  const at = (index: number) => (index === 0 ? '0' : index === segments ? '1' : `${index}/${segments}`);
  const sequence = Array.from({ length: segments + 1 }, (_, index) => at(index)).join(',');
  return [`--execution-segment=${at(nth)}:${at(nth + 1)}`, `--execution-segment-sequence=${sequence}`];
}

/** Of what is bounded for all of them together. */
export const shareOf = (whole: number, segments: number): number => Math.ceil(whole / segments);

/** VUs have ids up to this: in each segment the canary has one, and rounding leaves one out. */
export const idsOf = ({ vus, segments }: { readonly vus: number; readonly segments: number }): number =>
  vus + 2 * segments;
