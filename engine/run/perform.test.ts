import { describe, expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { type Level, ofOthers } from '../../catalog/clauses/clause.ts';
import type { Operation } from '../../catalog/operation.ts';
import { broken, checkOf, clauseOf, performed } from '../../fixtures/kit/assembled.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { createRedactor } from '../http/redact.ts';
import {
  inconclusive,
  type Judgement,
  observed,
  type Prerequisite,
  violation,
  warning,
} from '../judgement.ts';

const { general, party } = areas;

describe('a violation', () => {
  test.each<readonly [Level, boolean, string, string]>([
    ['documented', false, 'fail', 'fail'],
    ['profile', false, 'fail', 'fail'],
    ['standard', true, 'fail', 'fail'],
    ['standard', false, 'warn', 'warn'],
    ['inferred', false, 'warn', 'fail'],
    ['open', false, 'observed', 'observed'],
  ])(
    'of level %s (noticed by a client: %s) is %s, and strictly %s',
    async (level, noticed, plain, strict) => {
      const made = checkOf(broken, { clause: clauseOf(level, noticed) });
      expect((await performed(made)).outcome).toBe(plain);
      expect((await performed(made, { strict: true })).outcome).toBe(strict);
    },
  );

  test('that only warns stays a warning under --strict, and is observed for an open clause', async () => {
    const only = warning('an answer', 'none', exchangeOf());
    expect((await performed(checkOf(only), { strict: true })).outcome).toBe('warn');
    expect((await performed(checkOf(only, { clause: clauseOf('open') }))).outcome).toBe('observed');
  });

  test('carries expected, actual, the exchange and its curl', async () => {
    expect(await performed(checkOf(broken))).toMatchObject({
      expected: 'an answer',
      actual: 'none',
      exchange: { request: { url: 'http://a.test/api/v1/config' } },
      curl: 'curl http://a.test/api/v1/config',
    });
  });

  test('says in front of its curl what the command alone does not show', async () => {
    const made = checkOf({ ...broken, byHand: 'first sign out' });
    expect(await performed(made)).toMatchObject({
      curl: ": 'first sign out'; curl http://a.test/api/v1/config",
    });
  });

  test('repeats the write whose effect it should show first', async () => {
    const made = checkOf({ ...broken, write: exchangeOf({ url: 'http://a.test/api/v1/party' }) });
    expect(await performed(made)).toMatchObject({
      curl: 'curl http://a.test/api/v1/party; curl http://a.test/api/v1/config',
    });
  });

  test('shows how the answers of its scenario began, on one line and without secrets', async () => {
    const body = `{\n  "accessToken": "aGVsbG8gd29ybGQ",\n  "long": "${'x'.repeat(500)}"}`;
    const call = { step: 'create', by: 'leader', operation: 'party.create', answer: '200', times: 1 };
    const made = checkOf({ ...broken, sequence: [{ ...call, exchange: exchangeOf({ body }) }] });
    const { sequence } = await performed(made, { record: createRedactor().record });
    const began = expect.stringMatching(/^\{ "accessToken": "\[redacted\]", "long": "x{100,130}…$/);
    expect(sequence).toEqual([{ ...call, body: began }]);
  });

  test('of an open clause is the behaviour that was chosen', async () => {
    expect(await performed(checkOf(broken, { clause: clauseOf('open') }))).toMatchObject({
      behaviour: 'none',
    });
  });
});

describe('a step whose prerequisite did not pass', () => {
  const blocked = (prerequisite: Prerequisite) =>
    checkOf({ ...inconclusive('prerequisite-failed', 'first: …', exchangeOf()), prerequisite });
  const failed = { step: 'party/first', clause: clauseOf('inferred'), judgement: broken };

  test('says how that step ended, with its exchange, where no check of the run does', async () => {
    expect(await performed(blocked(failed))).toMatchObject({
      outcome: 'inconclusive',
      curl: 'curl http://a.test/api/v1/config',
      prerequisite: { step: 'party/first', outcome: 'warn', expected: 'an answer', actual: 'none' },
    });
    expect(await performed(blocked(failed), { isPlanned: () => true })).not.toHaveProperty('prerequisite');
  });

  test('gives the reason of one that could not be judged, and no outcome of one that only prepares', async () => {
    const open = { ...failed, judgement: inconclusive('needs-body', 'answered 400 to s3cret') };
    expect((await performed(blocked(open))).prerequisite).toEqual({
      step: 'party/first',
      outcome: 'inconclusive',
      reason: 'needs-body',
      detail: 'answered 400 to [redacted]',
    });
    const prepared = { step: 'two friends', judgement: broken };
    expect((await performed(blocked(prepared))).prerequisite).toMatchObject({ outcome: 'inconclusive' });
  });

  test('has nothing to add to a step that passed in another way', async () => {
    const passed = { ...failed, judgement: observed('refused') };
    expect(await performed(blocked(passed))).not.toHaveProperty('prerequisite');
  });
});

describe('a call that these players can make only once', () => {
  const refused = inconclusive('needs-state', 'answered 409', exchangeOf({ status: 409 }));
  const purchase = checkOf(refused, { operation: general.purchase });

  test('is recorded as already used where they are those of an earlier run, and left open where not', async () => {
    expect(await performed(purchase, { outlives: true })).toMatchObject({
      outcome: 'observed',
      behaviour: 'already used',
    });
    expect((await performed(purchase)).reason).toBe('needs-state');
    expect((await performed(checkOf(refused), { outlives: true })).reason).toBe('needs-state');
  });
});

describe("another player's data", () => {
  const shown = observed("another player's data", exchangeOf());
  const ofOther = (kind: 'on request' | 'mixed up', judgement: Judgement = broken) =>
    checkOf(judgement, { clause: ofOthers(clauseOf('inferred'), kind) });

  test('is recorded at an open point, and fails it where the profile calls it private', async () => {
    const open = checkOf(shown, { clause: clauseOf('open') });
    expect(await performed(open)).toMatchObject({ outcome: 'observed' });
    expect(await performed(open, { sharing: { private: ['party.*'] } })).toMatchObject({
      outcome: 'observed',
    });
    expect(await performed(open, { sharing: { shared: ['*'] } })).toMatchObject({ outcome: 'observed' });
    expect(await performed(open, { sharing: { private: ['general.*'] } })).toMatchObject({
      outcome: 'fail',
      level: 'profile',
      actual: "another player's data",
    });
  });

  test('leaves an open point alone that shows nothing of it', async () => {
    const hidden = checkOf(observed('200, not who they are', exchangeOf()), {
      clause: clauseOf('open'),
    });
    expect((await performed(hidden, { sharing: { private: ['*'] } })).outcome).toBe('observed');
  });

  test('fails an inferred check at level profile where it is private', async () => {
    for (const kind of ['on request', 'mixed up'] as const) {
      expect(await performed(ofOther(kind))).toMatchObject({ outcome: 'warn', othersData: true });
      expect(await performed(ofOther(kind), { sharing: { private: ['*'] } })).toMatchObject({
        outcome: 'fail',
        level: 'profile',
      });
    }
  });

  test('is no finding where it is shared and came on request; mixed up data still is one', async () => {
    const sharing = { shared: ['general.*'] };
    expect((await performed(ofOther('on request'), { sharing })).outcome).toBe('pass');
    expect((await performed(ofOther('mixed up'), { sharing })).outcome).toBe('warn');
  });

  test('is what a call that lets anybody in may give, and no data that was shown', async () => {
    const letIn = ofOther('on request', { ...broken, clause: 'sense.wants-session' });
    const result = await performed(letIn);
    expect([result.outcome, result.othersData]).toEqual(['warn', undefined]);
    expect((await performed(letIn, { sharing: { shared: ['*'] } })).outcome).toBe('pass');
    expect((await performed(letIn, { sharing: { private: ['*'] } })).level).toBe('profile');
  });

  test('says nothing of another fault that the same check found', async () => {
    const fault = { ...broken, clause: 'sense.no-server-error' };
    for (const sharing of [{ shared: ['*'] }, { private: ['*'] }]) {
      const result = await performed(ofOther('on request', fault), { sharing });
      expect([result.outcome, result.othersData]).toEqual(['warn', undefined]);
    }
  });
});

describe('equal failures of different operations have one cause', () => {
  const causeOf = async (operation: Operation, actual: string, expected = 'a 2xx') =>
    (await performed(checkOf(violation(expected, actual), { operation }))).cause;

  test.each<readonly [string, string, string]>([
    ['naming their operation', 'general.config is answered 500', 'party.details is answered 500'],
    ['naming their path', 'GET /api/v1/config broke', 'GET /api/v1/party/details broke'],
    ['naming their URL', 'at http://a.test/api/v1/config', 'at http://a.test/api/v1/party/details'],
    ['with other large numbers', 'ends at byte 10240', 'ends at byte 99999'],
  ])('failures of two operations %s have one cause', async (_, one, other) => {
    expect(await causeOf(general.config, one)).toBe(await causeOf(party.details, other));
  });

  test.each([
    ['"x13yzncvazg", "is5owys2gn9" for the same bytes', '"7zchoalioip" for the same bytes'],
    ['W/"a1b2c3d4" for both', '"e5f6a7b8" for both'],
  ])('values that a server makes up are no difference: %s', async (one, other) => {
    expect(await causeOf(general.config, one)).toBe(await causeOf(party.details, other));
    expect(await causeOf(general.config, '"playerId" is missing')).not.toBe(
      await causeOf(general.config, '"matchId" is missing'),
    );
  });

  test('another status is another cause, and so is another expectation', async () => {
    expect(await causeOf(general.config, '500')).not.toBe(await causeOf(general.config, '404'));
    expect(await causeOf(general.config, '500', 'a 2xx')).not.toBe(
      await causeOf(general.config, '500', 'JSON'),
    );
  });

  test('a server error of a step is another cause than an effect that is missing', async () => {
    const of = async (actual: string) => {
      const made = { ...checkOf(violation('the name that was set', actual)), id: 'names/kept' };
      return (await performed(made)).cause;
    };
    expect(await of('200 without it anywhere')).toBe(await of('200 with "x" at /name'));
    expect(await of('503')).not.toBe(await of('200 without it anywhere'));
  });

  test('a check may name the cause itself', async () => {
    expect(await performed(checkOf({ ...broken, cause: 'one finding' } as Judgement))).toMatchObject({
      cause: 'one finding',
    });
  });
});
