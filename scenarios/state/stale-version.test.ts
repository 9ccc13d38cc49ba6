import { expect, test } from 'vitest';
import { parsedJson } from '../../engine/values/json-walk.ts';
import { guess, rehearseFlow, withoutWaits } from '../../fixtures/kit/flow-rehearsal.ts';
import state from '../state.ts';

interface Sent {
  readonly version?: unknown;
  readonly data?: unknown;
}

/** What becomes of a write at that version, where a state stands at the other: the version that it has then, or a refusal. */
type Rule = (sent: number | undefined, stands: number) => number | 'refused';

/** The judgement of a server that keeps one state, and takes writes by that rule. */
async function judged(rule: Rule, takesText = false) {
  let stored: { readonly data: unknown; readonly version: number } = { data: null, version: 4 };
  const { play } = rehearseFlow(
    ({ operation, ask }) => {
      if (operation !== 'players.setState') return { body: stored };
      const { version, data } = parsedJson(String(ask.body ?? '{}')) as Sent;
      if (typeof version === 'string' && !takesText) return { status: 400 };
      const next = rule(typeof version === 'number' ? version : undefined, stored.version);
      if (next === 'refused') return { status: 409, body: { version: stored.version } };
      stored = { data, version: next };
      return { body: { version: next } };
    },
    {
      flows: {
        forms: () => [guess({ stateName: '{{stateName}}', data: '{{value}}' }, 'stateName', 'value')],
      },
    },
  );
  const all = await withoutWaits(() =>
    play(state, 'challenge-ui-data-written', 'written-again', 'stale-version'),
  );
  return all.at(-1);
}

test.each<[string, Rule]>([
  [
    'what a write replaces',
    (sent, stands) => (sent === undefined || sent === stands ? stands + 1 : 'refused'),
  ],
  [
    'what a write makes',
    (sent, stands) => (sent === undefined || sent > stands ? (sent ?? stands + 1) : 'refused'),
  ],
])('a server that asks for the version of %s, and keeps to it', async (_, rule) => {
  expect(await judged(rule)).toMatchObject({ kind: 'pass' });
});

test.each<[string, Rule]>([
  ['counts by itself', (_, stands) => stands + 1],
  ['keeps what it is told', (sent, stands) => sent ?? stands + 1],
])('a server that checks the type of a version, and not the number, and %s', async (_, rule) => {
  expect(await judged(rule)).toMatchObject({ kind: 'violation' });
});

test('a server that looks at no version is not judged by it', async () => {
  expect(await judged((_, stands) => stands + 1, true)).toMatchObject({ kind: 'not-applicable' });
});
