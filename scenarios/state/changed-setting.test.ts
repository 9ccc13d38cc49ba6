import { expect, test } from 'vitest';
import { type Put, rehearseFlow, withoutWaits } from '../../fixtures/kit/flow-rehearsal.ts';
import state from '../state.ts';

type Settings = Readonly<Record<string, unknown>>;

/** What becomes of a changed setting on a server that keeps this of what is sent, and answers so. */
async function judged(
  keep: (before: Settings, sent: Settings) => Settings | undefined,
  answered: (now: Settings, sent: Settings) => unknown = (now) => now,
  first: Settings = { player_id: 'p-1', enabled: true, volume: 80 },
) {
  const kept = new Map<number, Settings>();
  const script = ({ operation, player, ask }: Put) => {
    const now = kept.get(player) ?? first;
    if (operation === 'game.voiceOver') return { body: now };
    if (operation !== 'game.saveVoiceOver') return {};
    const sent = JSON.parse(String(ask.body)) as Settings;
    const next = keep(now, sent);
    if (next === undefined) return { status: 422, body: {} };
    kept.set(player, next);
    return { body: answered(next, sent) };
  };
  const { play } = rehearseFlow(script);
  return (await withoutWaits(() => play(state, 'voice-over-setting')))[0];
}

const all = (now: Settings, { enabled, volume }: Settings) => ({ ...now, enabled, volume });
const withoutVolume = (now: Settings, { enabled }: Settings) => ({ ...now, enabled });

test('settings that are kept pass', async () => {
  expect(await judged(all)).toMatchObject({ kind: 'pass' });
});

test('one that the answer shows changed and the read does not is lost', async () => {
  expect(await judged(withoutVolume, (now, { volume }) => ({ ...now, volume }))).toMatchObject({
    kind: 'violation',
    level: 'inferred',
    actual: 'volume 80',
  });
});

test.each<[string, Promise<unknown>, object]>([
  ['that the answer shows as it was', judged(withoutVolume), { kind: 'pass' }],
  [
    'on a server that repeats whatever is sent',
    judged(
      (now) => now,
      (_, sent) => sent,
    ),
    { reason: 'needs-body' },
  ],
  ['on a server that takes no such body', judged(() => undefined), { reason: 'needs-body' }],
  [
    'where there is none but ids, times and texts',
    judged(all, undefined, { player_id: 1, updatedAt: 1_700_000_000, language: 'en' }),
    { reason: 'not-triggered' },
  ],
])('nobody is blamed for a setting %s', async (_, judgement, expected) => {
  expect(await judgement).toMatchObject(expected);
});

/** What the step on the other player's settings says, where all players have one, and others put it back before the second read. */
async function judgedOfOthers(isShared: boolean) {
  const first: Settings = { enabled: true, volume: 80 };
  const kept = new Map<number, Settings>();
  const script = ({ operation, player, ask }: Put) => {
    const owner = isShared ? 0 : player;
    if (player === reader) kept.clear();
    if (operation === 'game.saveVoiceOver') kept.set(owner, JSON.parse(String(ask.body)) as Settings);
    const body = kept.get(owner) ?? first;
    reader = operation === 'game.voiceOver' && isShared ? player : undefined;
    return operation === 'game.voiceOver' || operation === 'game.saveVoiceOver' ? { body } : {};
  };
  let reader: number | undefined;
  const { play } = rehearseFlow(script);
  return (await withoutWaits(() => play(state, 'voice-over-setting-own')))[0];
}

test('a setting that all players have is found, though others put it back meanwhile', async () => {
  expect(await judgedOfOthers(true)).toMatchObject({
    kind: 'violation',
    actual: 'enabled true, then false, as the first one saved them',
  });
});

test('settings of their own stay', async () => {
  expect(await judgedOfOthers(false)).toMatchObject({ kind: 'pass' });
});
