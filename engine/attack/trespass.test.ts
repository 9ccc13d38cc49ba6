import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { saidBy } from '../../fixtures/kit/attack-step.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { Stop, violation } from '../judgement.ts';
import { type Trespass, trespass } from './trespass.ts';

const { delete: disband } = areas.party;
const ok = exchangeOf({ status: 200 });

const isOwner = (role: string | undefined) => role?.startsWith('owner') === true;

interface Target {
  /** Whether a call by that role ends the party; undefined is a call without a session. */
  readonly hasEffectFor: (role: string | undefined) => boolean;
  /** What the owner reads, by the number of reads since the last call. */
  readonly shown?: (isThere: boolean, readsSince: number) => string | undefined;
  readonly cannotMake?: true;
}

/** Attacks a party; what it noted or ended with. */
function attacked({ hasEffectFor, shown = String, cannotMake }: Target): Promise<string> {
  /** The owners whose party is there. */
  const there = new Set<string>();
  let readsSince = 0;
  const call = (role: string | undefined) => {
    readsSince = 0;
    if (!hasEffectFor(role)) return ok;
    // A call by anyone else ends every party here.
    if (role !== undefined && isOwner(role)) there.delete(role);
    else there.clear();
    return ok;
  };
  const party: Trespass<null> = {
    operation: disband,
    async make({ owner }) {
      if (cannotMake) throw new Stop(violation('', 'refused'));
      there.add(owner);
      return [null];
    },
    ask: () => ({}),
    async shown(_, { owner }) {
      readsSince += 1;
      return shown(there.has(owner), readsSince);
    },
  };
  return saidBy((context) => trespass(context, party), {
    recruit: async () => {},
    mustSucceed: async (role) => call(role),
    send: async (role) => call(role),
    unique: (word) => word,
  });
}

test('a call that has its effect for the owner alone holds', async () => {
  expect(await attacked({ hasEffectFor: isOwner })).toMatch(/^tried without a session and as another player/);
});

test.each([
  ['another player', (role: string | undefined) => role !== undefined],
  ['somebody without a session', (role: string | undefined) => role === undefined || isOwner(role)],
])('an effect of the call of %s is broken', async (who, hasEffectFor) => {
  expect(await attacked({ hasEffectFor })).toBe(
    `broken: party.delete of ${who} leaves what belongs to the owner as it was: true; the owner's side shows: false`,
  );
});

test('an effect that is taken back is not accused', async () => {
  const takenBack = (isThere: boolean, readsSince: number) => String(isThere || readsSince > 2);
  expect(await attacked({ hasEffectFor: () => true, shown: takenBack })).toMatch(
    /^what somebody without a session or another player did was taken back afterwards/,
  );
});

test('a call whose effect the owner cannot see is not exercised', async () => {
  expect(await attacked({ hasEffectFor: isOwner, shown: () => 'always the same' })).toMatch(
    /^needs-state: not exercised: nothing that the owner reads shows party\.delete/,
  );
});

test('what changes while nobody calls is not exercised', async () => {
  const clock = (_: boolean, readsSince: number) => String(Math.floor(readsSince / 2));
  expect(await attacked({ hasEffectFor: () => true, shown: clock })).toMatch(
    /^unstable-answers: not exercised/,
  );
});

test.each([
  ['the id of the request', (readsSince: number) => ({ requestId: `r-${readsSince}` })],
  ['the time of the answer', () => ({ serverTime: new Date().toISOString() })],
])('%s beside what the owner reads is no change', async (_, beside) => {
  const shown = (isThere: boolean, readsSince: number) => JSON.stringify({ isThere, ...beside(readsSince) });
  expect(await attacked({ hasEffectFor: isOwner, shown })).toMatch(/what the owner reads stayed as it was$/);
  expect(await attacked({ hasEffectFor: () => true, shown })).toMatch(/^broken: /);
});

test('a time of now that stands still is no effect of the call', async () => {
  const createdAt = new Date().toISOString();
  expect(
    await attacked({ hasEffectFor: isOwner, shown: () => JSON.stringify({ createdAt, name: 'same' }) }),
  ).toMatch(/^needs-state: not exercised: nothing that the owner reads shows/);
});

test('what changes by itself once, while others call, is not accused', async () => {
  let calls = 0;
  const hasEffectFor = (role: string | undefined) => {
    if (!isOwner(role)) calls += 1;
    return isOwner(role);
  };
  const shown = (isThere: boolean) => `${isThere}, ${calls === 0 ? 'at first' : 'later'}`;
  expect(await attacked({ hasEffectFor, shown })).toMatch(/what the owner reads stayed as it was$/);
});

test('is not exercised when the owner is refused', async () => {
  expect(await attacked({ hasEffectFor: () => true, cannotMake: true })).toMatch(
    /^prerequisite-failed: not exercised: the owner cannot do it: refused/,
  );
});
