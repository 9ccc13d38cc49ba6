// The flow `friends`: adding, removing, blocking, presence. Here: presence. `friends/`: `adding.ts`, `removing.ts` and
// `blocking.ts` by name; `both-sides.ts` checks what the other player sees; `make-friends.ts` makes friends for other
// scenarios.
import { areas } from '../catalog/catalog.ts';
import { ofOthers } from '../catalog/clauses/clause.ts';
import { effects } from '../catalog/clauses/flows.ts';
import { type Flow, flowSuite } from '../engine/flow/flow.ts';
import { ownValue } from '../engine/flow/setting-values.ts';
import type { Kept, StepContext } from '../engine/flow/step-context.ts';
import type { View } from '../engine/flow/views.ts';
import { statusOf } from '../engine/http/exchange.ts';
import { adding, syncing } from './friends/adding.ts';
import { blocking, unblocking } from './friends/blocking.ts';
import { bothSides } from './friends/both-sides.ts';
import { areFriends } from './friends/make-friends.ts';
import { removing } from './friends/removing.ts';

const { general, me } = areas;
const clauses = effects.friends;

/** A player sets rich presence; friends see it. Where nobody can be made a friend, the player reads it. */
function presence(flow: Flow): void {
  const { prepare, step } = flow.scenario('player', 'friend', 'outsider');
  const viewer = prepare('two friends', async (context) =>
    (await areFriends(context)) ? 'friend' : 'player',
  );

  const first = viewer.step(
    'presence',
    [general.richPresence, me.setRichPresence],
    clauses.presence,
    'a friend sees the rich presence that a player sets',
    async (context, by) => {
      if (by === 'player') context.note('read by the player: nobody could be made a friend');
      return setPresence(context, by);
    },
  );

  const second = first.step(
    'presence-changed',
    [general.richPresence, me.setRichPresence],
    clauses.presence,
    'a friend sees the rich presence that a player sets next',
    (context) => setPresence(context, context.resultOf(viewer)),
  );

  step(
    'presence-replaced',
    [general.richPresence, me.setRichPresence],
    clauses.presence,
    'a friend no longer sees the rich presence from before',
    async (context) => {
      ownValue(me.setRichPresence, context.resultOf(second));
      const viewing = context.resultOf(viewer);
      const before = presenceView(
        context.id('player'),
        ownValue(me.setRichPresence, context.resultOf(first)),
      );
      await context.seesNot(viewing, before);
    },
  );

  step(
    'presence-own',
    [general.richPresence, me.setRichPresence],
    ofOthers(clauses.own, 'mixed up'),
    "the friend's own presence does not show what the player set",
    async (context) => {
      const view = presenceView(context.id('friend'), ownValue(me.setRichPresence, context.resultOf(second)));
      await context.seesNot('player', { ...view, outsider: true });
    },
  );

  second.observe(
    'presence-stranger',
    [general.richPresence],
    "what an outsider sees of a player's rich presence",
    async (context, { value }) => {
      const read = await context.observeAnswer('outsider', general.richPresence, {
        params: { playerId: context.id('player') },
      });
      const isShown = context.shows('outsider', presenceView(context.id('player'), value), read);
      context.noteOutsider(general.richPresence, isShown, read);
      context.observe(`${statusOf(read)}, ${isShown ? 'what they said' : 'not what they said'}`, read);
    },
  );
}

const presenceView = (playerId: string, value: string): View => ({
  operation: general.richPresence,
  params: { playerId },
  value,
  what: 'the presence that was set',
});

type People = StepContext<'player' | 'friend' | 'outsider'>;

const setPresence = (context: People, by: 'friend' | 'player'): Promise<Kept> =>
  context.sets('player', me.setRichPresence, {
    value: context.unique('assaypresence'),
    shownIn: (value) => ({ ...presenceView(context.id('player'), value), by }),
  });

// A server may show for good that a player removed a friend, so `removing` comes first, while there are new players.
export default flowSuite('friends', [removing, adding, syncing, presence, blocking, unblocking, bothSides]);
