// Checks named states: written and read by their player, and by no other, as JSON and as bytes.
import { areas } from '../../catalog/catalog.ts';
import { clauseById } from '../../catalog/clauses/clauses.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { open } from '../../catalog/clauses/open.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import type { Kept, StepContext } from '../../engine/flow/step-context.ts';
import type { View } from '../../engine/flow/views.ts';
import { statusOf } from '../../engine/http/exchange.ts';
import { asked, findBytes, keepProfile, reads, write } from './profile.ts';

const { players } = areas;
const clauses = effects.state;
const anyState = open['open.flows'];

interface Named {
  readonly key: string;
  readonly stateName: string;
  readonly read: Operation;
}

const challenges: Named = {
  key: 'challenge-ui-data',
  stateName: 'ChallengeUIData',
  read: players.challengeUIData,
};
const states: readonly [Named, ...Named[]] = [
  challenges,
  { key: 'new-lores-ui-data', stateName: 'NewLoresUIData', read: players.newLoresUIData },
  { key: 'seen-news-articles', stateName: 'SeenNewsArticles', read: players.seenNewsArticles },
  { key: 'seen-store-items', stateName: 'SeenStoreItems', read: players.seenStoreItems },
];

/** Returns the value to look for; one that the profile fixes does not show who wrote it, nor when. */
function ownWord(context: StepContext<'player' | 'other'>, { value, isOwn }: Kept): string {
  if (isOwn) return value;
  return context.cannotTell('needs-body', `the profile fixes what ${players.setState.id} writes`);
}

const inState = ({ read, stateName }: Named, value: string): View => ({
  operation: read,
  value,
  what: `what was written as ${stateName}`,
});

/** The states that hold JSON, each written and read by its player, and not by another. */
export function named(flow: Flow): void {
  const { step } = flow.scenario('player', 'other');

  const written = states.map((state) => {
    const { key, stateName, read } = state;
    const kept = step(
      `${key}-written`,
      [players.setState, read],
      clauses.kept,
      `a value that is written as ${stateName} is read back there`,
      async (context) => {
        const value = context.unique('assaystate');
        const shownIn = (shown: string) => inState(state, shown);
        return context.sets('player', players.setState, { carry: { stateName }, value, shownIn });
      },
    );

    step(
      key,
      [read],
      clauseById('resources.named-states'),
      `${stateName} is a state that its player can read`,
      async (context) => {
        await context.done('player', read, { mayRefuse: `${stateName}, which may not have been written,` });
      },
    );

    step(
      `${key}-other-player`,
      [read, players.setState],
      clauses.apart,
      `another player does not read the ${stateName} of the first one`,
      async (context) => {
        await context.seesNot('other', {
          ...inState(state, ownWord(context, context.of(kept))),
          anywhere: true,
        });
      },
    );
    return kept;
  });

  step(
    'names-apart',
    [players.setState, ...states.map(({ read }) => read)],
    clauses.apart,
    'each state is read under its own name only',
    async (context) => {
      const values = written.map((kept) => ownWord(context, context.of(kept)));
      for (const [at, { read, stateName }] of states.entries()) {
        const view = await context.put('player', read);
        const strange = states.find(
          (_, other) => other !== at && context.mentioned(view, values[other] ?? ''),
        );
        context.expect(
          strange === undefined,
          `${read.id} shows what was written as ${stateName} alone`,
          `it also shows what was written as ${strange?.stateName}`,
          view,
        );
      }
    },
  );

  const again = step(
    'written-again',
    [players.setState, players.challengeUIData],
    clauses.latest,
    'a second write is read back',
    async (context) => {
      const [first = ''] = written.map((kept) => ownWord(context, context.of(kept)));
      const { stateName } = challenges;
      const value = context.unique('assaystate');
      const ask = context.likeliestAsk('player', players.setState, { carry: { stateName, value } });
      await context.done('player', players.setState, { ...ask, mayRefuse: 'a second write' });
      await context.sees('player', inState(challenges, value));
      return first;
    },
  );

  step(
    'first-value',
    [players.setState, players.challengeUIData],
    anyState,
    'what happens to a value when another is written',
    async (context) => {
      const first = inState(challenges, context.of(again));
      const gone = await context.comes('player', first, 'gone');
      context.observe(gone ? 'the later value takes its place' : 'it stands beside the later one');
    },
  );

  step(
    'own-name',
    [players.setState],
    anyState,
    'how the server answers when a player writes a state under an undocumented name',
    async (context) => {
      const carry = { stateName: 'AssayNotes', value: context.unique('assaystate') };
      const ask = context.likeliestAsk('player', players.setState, { carry });
      await context.observeAnswer('player', players.setState, ask);
    },
  );
}

const { fullProfile, setBinaryState } = areas.players;
const namesAnyState = open['open.flows'];
const ownName = 'AssayNotes';

/** Bytes under other names than FullProfile. */
export function names(flow: Flow): void {
  const { prepare, step } = flow.scenario('player');
  const made = prepare('a profile', async (context) => {
    await keepProfile(context, 'player');
    const profile = Buffer.from(`assay profile ${context.unique('assayprofile')}`);
    await write(context, 'player', { bytes: profile, version: 1, what: 'a profile of plain text' });
    await reads(context, 'player', profile);
    return profile;
  });

  const named = step(
    'own-name-bytes',
    [setBinaryState, fullProfile],
    clauseById('resources.state-by-name'),
    'bytes written under another name do not change FullProfile',
    async (context) => {
      const profile = context.of(made);
      const notes = Buffer.from(`assay notes ${context.unique('assaynotes')}`);
      const what = `a state of the name ${ownName}`;
      await write(context, 'player', { stateName: ownName, bytes: notes, version: 2, what });
      await reads(context, 'player', profile);
      return notes;
    },
  );

  step(
    'own-name-read',
    [setBinaryState],
    namesAnyState,
    'how the server answers when a player reads another name by the path of FullProfile',
    async (context) => {
      const notes = context.of(named);
      const read = { ...fullProfile, path: fullProfile.path.replace('FullProfile', ownName) };
      const answer = await context.put('player', read);
      const holds = findBytes(answer, notes) === undefined ? '' : ' with what was written';
      context.observe(`${statusOf(answer)}${holds}`, answer);
    },
  );

  step(
    'json-name-bytes',
    [setBinaryState],
    namesAnyState,
    'how the server answers when a player writes bytes under the name of a JSON state',
    async (context) => {
      context.of(made);
      const bytes = Buffer.from(JSON.stringify({ assay: context.unique('assaynotes') }));
      const call = asked(context, { stateName: 'ChallengeUIData', version: 3 });
      await context.observeAnswer('player', setBinaryState, { ...call, body: bytes });
    },
  );
}
