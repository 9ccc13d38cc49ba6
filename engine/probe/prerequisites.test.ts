import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { brokenExchange, exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { fakeContext } from '../../fixtures/kit/fake-context.ts';
import { judgeExcusedRefusal } from '../flow/why-refused.ts';
import type { Exchange } from '../http/exchange.ts';
import { Stop } from '../judgement.ts';
import { samplesInTurn, whyRefusedPlain } from './prerequisites.ts';
import type { Routed } from './served/routed-table.ts';

const { clientData, party, utils } = areas;

const nothingGiven = { ambientGiven: new Set<string>() };
const served: Routed = { served: true, why: 'rehearsed' };

test.each([
  [clientData.versionedNews, 403, 'unknown-resource'],
  [clientData.versionedNews, 404, 'unknown-resource'],
  [utils.contentVersionOf, 404, 'unknown-resource'],
  [party.join, 403, 'needs-state'],
  [party.details, 404, 'needs-state'],
] as const)(
  'a version that nobody gave is why, and no state of a player: %o',
  async (operation, status, reason) => {
    expect(await whyRefusedPlain(operation, status, fakeContext(nothingGiven))).toBe(reason);
  },
);

test('a version that was given is no excuse', async () => {
  expect(await whyRefusedPlain(clientData.versionedNews, 403, fakeContext())).not.toBe('unknown-resource');
});

const refused = async (
  status: number,
  routed: Routed,
  operation: typeof party.join | typeof clientData.news,
) => {
  const context = fakeContext({ ...nothingGiven, routed: async () => routed });
  const judgement = await judgeExcusedRefusal(operation, exchangeOf({ status }), 'it', context);
  return 'reason' in judgement ? judgement.reason : judgement.kind;
};

test('reads a 403 for a file like a 404: the file is absent', async () => {
  for (const status of [403, 404]) {
    expect(await refused(status, served, clientData.news)).toBe('unknown-resource');
    const unknown = { served: undefined, reason: 'word-unknown', why: 'rehearsed' } as const;
    expect(await refused(status, unknown, clientData.news)).toBe('word-unknown');
  }
  expect(await refused(403, served, party.join)).toBe('needs-state');
});

/** Samples of a target that answers so many of them, and then so; how many were seen before the end, or the reason. */
async function sampled(answered: number, then: Exchange): Promise<number | undefined | string> {
  let taken = 0;
  let seen = 0;
  const sample = async () => (++taken > answered ? then : exchangeOf());
  const samples = samplesInTurn('rule', party.details, fakeContext(), () => [sample, sample]);
  const stop = await stopOf(async () => {
    for await (const each of samples) seen += each.length;
  });
  return stop ?? seen;
}

const stopOf = (work: () => Promise<void>): Promise<string | undefined> =>
  work().then(
    () => undefined,
    (stop) =>
      stop instanceof Stop && stop.judgement.kind === 'inconclusive' ? stop.judgement.reason : String(stop),
  );

test('a limiter or a timeout undoes no judgement that rests on six samples, and ends one that rests on fewer', async () => {
  for (const [then, reason] of [
    [exchangeOf({ status: 429 }), 'rate-limited'],
    [brokenExchange('timeout'), 'timeout'],
  ] as const) {
    expect(await sampled(99, then)).toBe(20);
    expect(await sampled(13, then)).toBe(12);
    expect(await sampled(11, then)).toBe(reason);
    expect(await sampled(0, then)).toBe(reason);
  }
});
