// Makes each value once, however often it is asked for.

/**
 * A function that makes the value of an argument once and returns the same from then on; a caller who asks while a promise is
 * pending shares it. What throws is not kept.
 * @param keyOf arguments of equal keys share one value; by default the argument is the key
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
