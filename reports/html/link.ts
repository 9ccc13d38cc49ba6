// The page's own addresses: what is filtered and which check is open stands in the fragment.

/** `#area=party&outcome=fail`, for a link. */
export function fragment(parameters: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(parameters).map(
    ([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`,
  );
  return `#${pairs.join('&')}`;
}
