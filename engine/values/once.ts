// Makes each value once, however often it is asked for.

/**
 * Returns a function that makes the value of an argument once, and then always returns that value. A promise is shared
 * while it is pending. Where `make` throws, nothing is kept.
 * @param keyOf arguments with equal keys share one value; by default the argument is the key
 */
export function once<Asked, Value>(
  make: (asked: Asked) => Value,
  keyOf: (asked: Asked) => unknown = (asked) => asked,
): (asked: Asked) => Value {
  const known = new Map<unknown, Value>();
  return (asked) => {
    const key = keyOf(asked);
    if (!known.has(key)) known.set(key, make(asked));
    return known.get(key) as Value;
  };
}
