// Works through a list, some items at a time.

/** Begins the items in order, and returns the results in that order; rejects as soon as one of them does. */
export async function sideBySide<T, R>(
  items: readonly T[],
  atOnce: number,
  perform: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = [...items.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [nth, item] = next;
      results[nth] = await perform(item);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
