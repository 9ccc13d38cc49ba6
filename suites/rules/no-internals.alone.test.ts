import { expect, test } from 'vitest';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { internalsShown } from './no-internals.ts';

const refusal = (body: string) =>
  exchangeOf({ status: 500, headers: { 'content-type': 'application/json' }, body });

/** CPU time of this thread for one look, in µs: the least of some rounds, since other work on the machine adds to it. */
const workOn = (body: string): number => Math.min(...Array.from({ length: 4 }, () => meanWorkOn(body)));

/** The mean of so many looks that the ticks of 4 ms, in which it is counted, do not matter. */
function meanWorkOn(body: string): number {
  const begun = process.threadCpuUsage();
  for (let samples = 1; ; samples += 1) {
    internalsShown(refusal(body));
    const { user, system } = process.threadCpuUsage(begun);
    if (user + system >= 40_000) return (user + system) / samples;
  }
}

test.each(['at ', 'at a.', 'at a() in ', '/@', '/a', '/usr/', '/usr/@', 'C:\\', 'href="'])(
  'a hostile body of %j, four times as long, takes about four times the work, not sixteen',
  (part) => {
    const [short, long] = [12_000, 48_000].map((length) => part.repeat(length / part.length));
    workOn(short as string);
    expect(workOn(long as string) / workOn(short as string)).toBeLessThan(9);
  },
);
