import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Context } from '../../engine/probe/context.ts';
import { type Answer, rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { answers } from './answers.ts';

const { config } = areas.general;
const never = (durationMs: number): Answer => ({ error: 'timeout', durationMs });
const notFound: Answer = { status: 404 };

/** What the plain call is answered, what it is answered when repeated, and what an unrouted path is. */
const to =
  (first: Answer, again: Answer, beside: Answer = notFound): Script =>
  ({ path, nth }) =>
    path !== undefined ? beside : nth === undefined ? first : again;

test('a call that is never answered, while its host answers, warns', async () => {
  const { judgement, asked } = await rehearse(answers, config, to(never(10_000), never(1_000)));
  expect(judgement).toMatchObject({
    kind: 'violation',
    onlyWarns: true,
    actual: 'no answer in 10 s, nor in 1 s when asked again (--timeout waits longer)',
  });
  expect(asked).toHaveLength(3);
});

const half = {
  error: { kind: 'timeout', reusedConnection: false, partial: { status: 200, headers: [], bytes: 9 } },
} as const;

test.each<[string, Script]>([
  ['answered when asked again', to(never(10_000), {})],
  ['refused when asked again', to(never(10_000), { status: 500 })],
  ['on a host that answers nothing else either', to(never(10_000), never(10_000), never(10_000))],
  [
    'on a host that answers others as slowly',
    to(never(10_000), never(10_000), { ...notFound, durationMs: 2_600 }),
  ],
  [
    'on a host that asks for patience',
    to(never(10_000), never(10_000), { status: 503, headers: { 'retry-after': '9' } }),
  ],
  ['waited for no longer than some take', to(never(3_000), never(3_000))],
  ['begun, and not ended', to({ ...half, durationMs: 10_000 }, { ...half, durationMs: 10_000 })],
  ['begun when asked again', to(never(10_000), { ...half, durationMs: 10_000 })],
])('nobody is accused of a call that is %s', async (_, script) => {
  expect((await rehearse(answers, config, script)).told).toBe('timeout');
});

test('a host that does not answer is not asked again', async () => {
  const { asked } = await rehearse(answers, config, to(never(10_000), {}, never(10_000)));
  expect(asked.map(({ nth }) => nth)).not.toContain(2);
});

test('where calls are given less time by now, what was waited for others of the operation counts', async () => {
  const short = to(never(1_000), never(1_000));
  const waited = (ms: number) => rehearse(answers, config, short, { inVain: () => ms });
  expect((await waited(10_000)).judgement).toMatchObject({
    actual: expect.stringMatching(/^no answer in 10 s/),
  });
  expect((await waited(1_000)).told).toBe('timeout');
});

test('an answer that came after all is told', async () => {
  const { judgement } = await rehearse(answers, config, to(never(10_000), {}));
  expect(judgement).toMatchObject({ detail: expect.stringMatching(/; answered 200 when asked again$/) });
});

test.each<[string, readonly number[], string]>([
  ['most of its calls are slow', [2_600, 2_600, 2_600, 10], 'timeout'],
  ['one of its calls was slow', [2_600, 10, 10, 10], 'warning'],
  ['its calls take some time', [300, 300, 300, 300], 'warning'],
])('what else the host took tells whether the deadline was long enough: %s', async (_, longest, told) => {
  const rows = [areas.me.location, areas.general.version, areas.general.currencies, areas.party.details];
  const latency = () =>
    Object.fromEntries(rows.map((row, nth) => [row.id, [1, 1, 1, 1, longest[nth], 9]])) as ReturnType<
      Context['latency']
    >;
  expect((await rehearse(answers, config, to(never(10_000), never(10_000)), { latency })).told).toBe(told);
});

test('a host that was lost meanwhile says so', async () => {
  let asked = 0;
  const lost = () => (asked > 2 ? 'it stopped answering' : undefined);
  const dying: Script = (...put) => {
    asked += 1;
    return to(never(10_000), never(10_000))(...put);
  };
  expect((await rehearse(answers, config, dying, { lost })).told).toBe('target-lost');
});
