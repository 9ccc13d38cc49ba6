const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** `500ms`, `30s`, `5m`, `1h` or `1m30s` in ms; undefined for anything else. */
export function durationMs(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined;
  let sum = 0;
  for (const [, value = '', unit = 's'] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g))
    sum += Number(value) * units[unit as keyof typeof units];
  return sum;
}
