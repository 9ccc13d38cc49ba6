import { expect, test } from 'vitest';
import type { Json } from '../../engine/target/profile-validation.ts';
import { guess, type Put, rehearseFlow, withoutWaits } from '../../fixtures/kit/flow-rehearsal.ts';
import state from '../state.ts';

type Loadout = Readonly<Record<string, unknown>>;

const form = (stated: Json | undefined) =>
  stated === undefined
    ? guess({ loadout: { text: '{{value}}' } }, 'value')
    : { ...guess(stated, 'value'), from: 'profile' as const };

/** What becomes of a second loadout, by a guessed body or a stated one, where a server shows and keeps its presets so. */
async function secondPreset(keep: (presets: Map<unknown, Loadout>, sent: Loadout) => void, stated?: Json) {
  const presets = new Map<unknown, Loadout>();
  const script = ({ operation, ask }: Put) => {
    if (operation === 'game.loadout') keep(presets, JSON.parse(String(ask.body)));
    return operation === 'game.loadoutPresets' ? { body: { presets: [...presets.values()] } } : { body: {} };
  };
  const forms = ({ id }: { readonly id: string }) => (id !== 'game.loadout' ? [] : [form(stated)]);
  const { play, puts } = rehearseFlow(script, { flows: { forms } });
  const [, judgement] = await withoutWaits(() => play(state, 'loadout', 'loadout-slots'));
  const sent = puts.filter(({ operation }) => operation === 'game.loadout');
  return { judgement, last: JSON.parse(String(sent.at(-1)?.ask.body)) as Loadout };
}

test('without a body in the profile, the next preset goes by the number that the presets show', async () => {
  const { judgement, last } = await secondPreset((presets, { loadout, slot = 1 }) =>
    presets.set(slot, { slot, loadout }),
  );
  expect(last).toMatchObject({ slot: 2 });
  expect(judgement).toMatchObject({ kind: 'pass' });
});

test('a body of the profile without a number is numbered in the same way: learn keeps what it took before', async () => {
  const { judgement, last } = await secondPreset(
    (presets, { loadout, slot = 1 }) => presets.set(slot, { slot, loadout }),
    { loadout: { text: '{{value}}' } },
  );
  expect(last).toMatchObject({ slot: 2 });
  expect(judgement).toMatchObject({ kind: 'pass' });
});

test('a second preset that takes the place of the first is a finding where the profile numbers it', async () => {
  const { judgement } = await secondPreset((presets, { loadout }) => presets.set(1, { slot: 1, loadout }), {
    slot: 1,
    loadout: { text: '{{value}}' },
  });
  expect(judgement).toMatchObject({ kind: 'violation' });
});

test.each([
  [
    'takes no number',
    (presets: Map<unknown, Loadout>, { loadout }: Loadout) => presets.set(1, { slot: 1, loadout }),
  ],
  ['shows no number', (presets: Map<unknown, Loadout>, { loadout }: Loadout) => presets.set(1, { loadout })],
])('a server that %s is accused of nothing', async (_, keep) => {
  const { judgement } = await secondPreset(keep);
  expect(judgement).toMatchObject({ kind: 'inconclusive', reason: 'needs-body' });
});

/** What becomes of a loadout on a server that keeps two places of it alone, and shows them with the character. */
async function knownPlaces(
  keep: (now: Loadout, sent: Loadout) => Loadout,
  tell: (sent: Loadout) => Loadout = () => ({}),
  { isStrict = false, isFlat = false } = {},
) {
  let loadout: Loadout = { perks: [], item: null, offering: null };
  const script = ({ operation, ask }: Put) => {
    if (operation === 'game.loadout') {
      const body = JSON.parse(String(ask.body)) as Loadout;
      const sent = (isFlat ? body : (body.loadout as Loadout | undefined)) ?? {};
      if (isStrict && Object.keys(sent).some((name) => !(name in loadout))) return { status: 400 };
      loadout = keep(loadout, sent);
      return { body: tell(JSON.parse(String(ask.body))) };
    }
    const characters = [{ characterName: 'Falconer', loadout }];
    return { body: operation === 'game.allCharacters' ? { characters } : {} };
  };
  const forms = ({ id }: { readonly id: string }) => (id === 'game.loadout' ? [form(undefined)] : []);
  const { play, puts } = rehearseFlow(script, { flows: { forms } });
  const [judgement] = await withoutWaits(() => play(state, 'loadout'));
  const sent = puts.filter(({ operation }) => operation === 'game.loadout');
  return { judgement, last: JSON.parse(String(sent.at(-1)?.ask.body)) as Loadout };
}

test('where a guessed loadout is not kept, that which a read shows is sent with a value of ours', async () => {
  const { judgement, last } = await knownPlaces((now, { item }) =>
    item === undefined ? now : { ...now, item },
  );
  expect(judgement).toMatchObject({ kind: 'pass' });
  expect(last).toMatchObject({ characterName: 'Falconer', loadout: { perks: [], offering: null } });
});

test('the members of a loadout may stand beside the name of the character', async () => {
  const keepItem = (now: Loadout, { item = now.item }: Loadout) => ({ ...now, item });
  const { judgement } = await knownPlaces(keepItem, undefined, { isFlat: true });
  expect(judgement).toMatchObject({ kind: 'pass' });
});

test('where that is not kept either, the body is what is missing', async () => {
  const { judgement } = await knownPlaces((now) => now);
  expect(judgement).toMatchObject({ kind: 'inconclusive', reason: 'needs-body' });
});

test('a loadout that the write answers with in the form of the reads is to be kept', async () => {
  const { judgement } = await knownPlaces(
    (now) => now,
    ({ loadout = {} }) => ({ loadout: { perks: [], item: (loadout as Loadout).item } }),
  );
  expect(judgement).toMatchObject({ kind: 'violation', actual: 'none does' });
});

test('a write that repeats what it was sent states nothing', async () => {
  const { judgement } = await knownPlaces(
    (now) => now,
    (sent) => sent,
  );
  expect(judgement).toMatchObject({ kind: 'inconclusive', reason: 'needs-body' });
});

test('where every guessed loadout is refused, that which a read shows is sent', async () => {
  const keepItem = (now: Loadout, { item }: Loadout) => ({ ...now, item });
  const { judgement } = await knownPlaces(keepItem, undefined, { isStrict: true });
  expect(judgement).toMatchObject({ kind: 'pass' });
});
