import { areas } from '../catalog/catalog.ts';
import { effects } from '../catalog/clauses/flows.ts';
import { open } from '../catalog/clauses/open.ts';
import { type Flow, flow } from '../engine/flow/flow.ts';
import { fixedIn } from '../engine/flow/setting.ts';
import type { Stage } from '../engine/flow/step-context.ts';
import type { View } from '../engine/flow/views.ts';
import { statusOf } from '../engine/http/exchange.ts';
import { is4xx } from '../engine/values/status.ts';

const { playerName } = areas;

/** The name that a player has. */
const nameIs = (value: string, what: string): View => ({ operation: playerName.get, value, what });

/** Takes a name; the one that was taken: that of the path, or another that the profile's body fixes. */
async function takeName<Role extends string>(
  stage: Stage<Role>,
  role: NoInfer<Role>,
  name: string,
): Promise<string> {
  const texts = fixedIn(stage.forms(playerName.set), 'providerPlayerName').flatMap(({ value }) =>
    typeof value === 'string' ? [value] : [],
  );
  const fixedName = (text: string) => nameIs(text, 'a name that the profile fixes');
  const stood = new Set<string>();
  for (const text of texts) if (await stage.lookBefore(role, fixedName(text))) stood.add(text);
  const params = { providerPlayerName: name };
  await stage.done(role, playerName.set, { params, madeUp: 'a name of ours' });
  if (texts.length === 0 || (await stage.comes(role, nameIs(name, 'the name')))) return name;
  for (const text of texts) if (!stood.has(text) && (await stage.comes(role, fixedName(text)))) return text;
  if (stood.size === 0) return name;
  return stage.cannotTell('needs-body', `what the profile's body of ${playerName.set.id} fixes stood before`);
}

/** What a name may hold, by step; each is a word that people use, in one piece of its own. */
const names: readonly (readonly [step: string, what: string, sample: string])[] = [
  ['spaces', 'spaces', 'Long  John'],
  ['umlauts', 'letters with marks', 'Jürgen Ærøskøbing'],
  ['scripts', 'letters of other scripts', 'Ольга 小林'],
  ['emoji', 'emoji', '🦊 Fox 👩‍🚀'],
  ['percent', 'percent signs', '100% sure %41'],
  ['reserved', 'signs that paths reserve', 'a+b&c=d?e'],
];

/** Each in a scene of its own: one that is refused stops no other. */
function scripts(flow: Flow): void {
  for (const [name, what, sample] of names) {
    const { step } = flow.scene('player', 'other');
    const kept = step(
      name,
      [playerName.set, playerName.get],
      effects.names.kept,
      `a name with ${what} is read back as it was written, where it may be taken`,
      async (stage) => {
        const value = `${sample} ${stage.unique('x')}`;
        const answer = await stage.put('player', playerName.set, { params: { providerPlayerName: value } });
        if (is4xx(statusOf(answer))) {
          await stage.observeAnswer('player', playerName.set, { params: { providerPlayerName: value } });
          return undefined;
        }
        if ((await takeName(stage, 'player', value)) !== value)
          stage.cannotTell('needs-body', `the profile fixes the name that ${playerName.set.id} takes`);
        await stage.sees('player', nameIs(value, 'the name as it was written'));
        return value;
      },
    );
    step(
      `${name}-search`,
      [playerName.search, playerName.set],
      effects.names.found,
      `a player is found by a name with ${what}`,
      async (stage) => {
        const value = stage.of(kept);
        if (value === undefined)
          return stage.cannotTell('prerequisite-failed', `no name with ${what} may be taken`);
        await stage.sees('other', {
          operation: playerName.search,
          params: { playerName: value },
          value: stage.id('player'),
          what: 'the player',
        });
      },
    );
  }
}

const clauses = effects.names;
const anyState = open['open.flows'];

/** A plain name: taken, read, searched for, and nobody else's. */
function taking(flow: Flow): void {
  const { step } = flow.scene('player', 'other');

  const taken = step('set', [playerName.set], clauses.kept, 'a player takes a name', (stage) =>
    takeName(stage, 'player', stage.unique('Assay')),
  );

  const read = step(
    'read',
    [playerName.get, playerName.set],
    clauses.kept,
    'the player reads the name that was taken',
    async (stage) => {
      const value = stage.of(taken);
      await stage.sees('player', nameIs(value, 'the name that was taken'));
      return value;
    },
  );

  const found = step(
    'search',
    [playerName.search, playerName.set],
    clauses.found,
    'another player finds the player by that name',
    async (stage) => {
      const name = stage.of(taken);
      await stage.sees('other', {
        operation: playerName.search,
        params: { playerName: name },
        value: stage.player('player').id ?? name,
        what: 'the player',
      });
      return name;
    },
  );

  step(
    'search-other-case',
    [playerName.search],
    anyState,
    'whether a search minds the case of letters',
    async (stage) => {
      const name = stage.of(found);
      const params = { playerName: name.toUpperCase() };
      const answer = await stage.put('other', playerName.search, { params });
      stage.observe(
        stage.mentioned(answer, stage.player('player').id ?? name) ? 'it does not' : 'it does',
        answer,
      );
    },
  );

  step(
    'search-nobody',
    [playerName.search],
    clauses.found,
    'a search for a name that nobody took does not find the player',
    async (stage) => {
      stage.of(found);
      await stage.seesNot('other', {
        operation: playerName.search,
        params: { playerName: stage.unique('Nobody') },
        value: stage.id('player'),
        outsider: true,
        what: 'the player, under a name that nobody took',
      });
    },
  );

  step(
    'other-untouched',
    [playerName.get, playerName.set],
    clauses.own,
    "another player's name is not the one that was taken",
    async (stage) => {
      await stage.seesNot('other', {
        operation: playerName.get,
        value: stage.of(read),
        outsider: true,
        what: "the first player's name",
      });
    },
  );

  const renamed = step(
    'set-again',
    [playerName.set, playerName.get],
    clauses.kept,
    'a player takes another name',
    async (stage) => {
      stage.of(read);
      const name = stage.unique('Renamed');
      if ((await takeName(stage, 'player', name)) !== name)
        stage.cannotTell('needs-body', `the profile fixes the name that ${playerName.set.id} takes`);
      await stage.sees('player', nameIs(name, 'the new name'));
      return name;
    },
  );

  step(
    'set-taken',
    [playerName.set],
    anyState,
    'what taking a name that another player has is answered',
    async (stage) => {
      const params = { providerPlayerName: stage.of(renamed) };
      await stage.observeAnswer('other', playerName.set, { params });
    },
  );

  step(
    'set-long',
    [playerName.set],
    anyState,
    'what taking a name of 300 letters is answered',
    async (stage) => {
      stage.of(taken);
      const params = { providerPlayerName: 'a'.repeat(300) };
      await stage.observeAnswer('other', playerName.set, { params });
    },
  );
}

const namesNames = flow('names');
for (const scene of [taking, scripts]) scene(namesNames);

export default namesNames.suite();
