/** A DNS label of the journey and the time: no two runs are taken for one. */
export function nameOf(journey: string, now: number): string {
  const plain = journey
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 30)
    .replace(/^-+|-+$/g, '');
  return `assay-${plain}-${now.toString(36)}`;
}
