// Checks that what belongs to one player is not shown to others who ask for it.
import { ownReads } from '../../catalog/about-caller.ts';
import { areas } from '../../catalog/catalog.ts';
import { ofOthers } from '../../catalog/clauses/clause.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Operation } from '../../catalog/operation.ts';
import { type NamedRead, readByItsId, readInTheNameOf } from '../../engine/attack/disclosure.ts';
import { prepared } from '../../engine/attack/trespass.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { ignoreStop } from '../../engine/flow/why-refused.ts';
import { noSuchId } from '../../engine/values/nonexistent.ts';
import { befriend } from '../friends/make-friends.ts';
import { makeMatchWith, othersToMeet } from '../match/making.ts';
import { makeOneOfMany } from '../party/make-party.ts';
import { ownGains, ownWords } from '../races/reads-apart.ts';

const { general, match, me, party, players } = areas;
const { shown } = effects.isolation;

const people = { owner: 'owner', attacker: 'attacker' } as const;

/** Adds steps in which a player reads what is their own, and names another player beside it. */
export function readsInTheNameOf(flow: Flow): void {
  const { prepare } = flow.scenario();
  const ready = prepare('a player with something of their own', async (context) => {
    await context.recruit(people.owner, people.attacker, 'blocked');
    await ownWords(context, people.owner);
    await ownGains(context, people.owner);
    const block = { carry: { 'other.id': context.id('blocked') } };
    await context
      .mustSucceed(people.owner, players.block, block)
      .then(() => context.addTeardown(people.owner, players.unblock, block), ignoreStop);
  });
  for (const read of ownReads)
    ready.readOnlyStep(
      `reads-${read.id.replace('.', '-').toLowerCase()}`,
      [read],
      ofOthers(shown, 'on request'),
      `${read.id} shows nothing of a player whom the caller names`,
      (context) => readInTheNameOf(context, read, people),
    );
}

type About = (context: StepContext) => Promise<Pick<NamedRead, 'ask' | 'unknown' | 'secrets'>>;

/** The call that names a thing by its id, the same with an id that nobody has, and values that the owner sees there. */
const byId = (parameter: string, id: string, secrets: readonly string[]) => ({
  ask: { params: { [parameter]: id } },
  unknown: { params: { [parameter]: noSuchId(id) } },
  secrets,
});

/** Reads that name what they are about, by the names of their steps. */
const namedReads: Readonly<Record<string, readonly [Operation, About]>> = {
  'read-friends': [
    players.friends,
    async (context) => {
      await context.recruit('friend');
      await befriend(context, people.owner, 'friend');
      return byId('playerId', context.id(people.owner), [context.id('friend')]);
    },
  ],
  'read-presence': [
    general.richPresence,
    async (context) => {
      const value = context.unique('assaypresence');
      await context.mustSucceed(people.owner, me.setRichPresence, { carry: { value } });
      return byId('playerId', context.id(people.owner), [value]);
    },
  ],
  'read-party': [
    party.get,
    async (context) => {
      const partyId = await makeOneOfMany(context, people.owner);
      return byId('partyId', partyId, [context.id(people.owner)]);
    },
  ],
  'read-match': [
    match.get,
    async (context) => {
      const others = othersToMeet(context) === 0 ? [] : ['somebody in the match'];
      if (others.length > 0) await context.recruit(...others);
      const matchId = await makeMatchWith(context, people.owner, others);
      return byId('matchId', matchId, [context.id(people.owner)]);
    },
  ],
};

/** Writes a value where no read names whose it is. */
async function keepApart(context: StepContext): Promise<readonly string[]> {
  const value = context.unique('assayown');
  try {
    await context.mustSucceed(people.owner, players.setState, {
      carry: { stateName: 'ChallengeUIData', value },
    });
    return [value];
  } catch (error) {
    ignoreStop(error);
    return [];
  }
}

/** Adds steps in which a player reads something of another player by its id. */
export function readsByTheirIds(flow: Flow): void {
  const step = flow.stepAlone;
  for (const [name, [read, about]] of Object.entries(namedReads))
    step(
      name,
      [read],
      ofOthers(shown, 'on request'),
      `${read.id} shows nothing of a player to others who know the id`,
      async (context) => {
        await context.recruit(people.owner, people.attacker);
        const keptApart = await keepApart(context);
        const own = await prepared(() => about(context));
        await readByItsId(context, { read, ...people, keptApart, ...own });
      },
    );
}
