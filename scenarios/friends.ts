// The flow `friends`: adding, removing, blocking, presence.
// Here: presence. `friends/`: `adding.ts`, `removing.ts` and `blocking.ts` by name; `both-sides.ts` checks what the other
// player sees; `make-friends.ts` makes friends for other scenarios.
import { areas } from '../catalog/catalog.ts';
import { ofOthers } from '../catalog/clauses/clause.ts';
import { effects } from '../catalog/clauses/flows.ts';
import { type Flow, flowSuite } from '../engine/flow/flow.ts';
import { pollAnswered, type View } from '../engine/flow/polling.ts';
import type { Kept, StepContext } from '../engine/flow/step-context.ts';
import { answerLeaves, type Exchange, isSuccess, statusOf } from '../engine/http/exchange.ts';
import { adding, syncing } from './friends/adding.ts';
import { blocking, unblocking } from './friends/blocking.ts';
import { bothSides } from './friends/both-sides.ts';
import { areFriends, befriend } from './friends/make-friends.ts';
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
    (context) => setPresence(context, context.of(viewer)),
  );

  step(
    'presence-replaced',
    [general.richPresence, me.setRichPresence],
    clauses.presence,
    'a friend no longer sees the rich presence from before',
    async (context) => {
      ownWord(context, context.of(second));
      const viewing = context.of(viewer);
      const before = presenceView(context.id('player'), ownWord(context, context.of(first)));
      await context.seesNot(viewing, before);
    },
  );

  step(
    'presence-own',
    [general.richPresence, me.setRichPresence],
    ofOthers(clauses.own, 'mixed up'),
    "the friend's own presence does not show what the player set",
    async (context) => {
      const view = presenceView(context.id('friend'), ownWord(context, context.of(second)));
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
      context.noteStranger(general.richPresence, isShown, read);
      context.observe(`${statusOf(read)}, ${isShown ? 'what they said' : 'not what they said'}`, read);
    },
  );
}

const onlineWord = /^(online|available|active|in[-_ ]?(lobby|menu|game|match|party))$/i;

/** The places where an answer says that somebody is online: a member that is true, or a word. */
const saysOnline = (answer: Exchange): readonly string[] =>
  isSuccess(answer)
    ? answerLeaves(answer).flatMap(({ name, pointer, value }) =>
        (/^(is_?)?online$/i.test(name) && value === true) ||
        (/^((online|presence)_?)?(status|state)$/i.test(name) && onlineWord.test(String(value)))
          ? [pointer]
          : [],
      )
    : [];

/** A player whose only session ends is no longer shown as online. */
function goingOffline(flow: Flow): void {
  const { prepare } = flow.scenario('player', 'friend');
  const seen = prepare('a player who is shown as online', async (context) => {
    if (!(await befriend(context, 'player', 'friend')))
      context.cannotTell('needs-state', 'nobody could be made a friend');
    const read = () =>
      context.put('friend', general.richPresence, { params: { playerId: context.id('player') } });
    // What a player does may be what brings them online.
    await context.put('player', me.location);
    const { last } = await pollAnswered(read, (answer) => saysOnline(answer).length > 0);
    const places = saysOnline(last);
    if (places.length === 0) context.notTriggered(`${general.richPresence.id} calls nobody online`);
    return { read, places };
  });

  seen.step(
    'presence-signed-out',
    [general.richPresence, me.logout],
    clauses.offline,
    'a player who signs out of their only session is no longer shown as online',
    async (context, { read, places }) => {
      await context.done('player', me.logout);
      const { holds, last } = await pollAnswered(read, (answer) =>
        places.some((place) => !saysOnline(answer).includes(place)),
      );
      context.expect(
        holds,
        'that the player is not online',
        `that they are, at ${places.join(' and ')}, as before`,
        last,
      );
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

/** Returns the value to look for; one that the profile fixes does not show when it was set, nor by whom. */
function ownWord(context: People, { value, isOwn }: Kept): string {
  if (isOwn) return value;
  return context.cannotTell(
    'needs-body',
    `${me.setRichPresence.id} is sent a fixed value, which does not show by whom it was set`,
  );
}

// A server may show for good that a player removed a friend, so `removing` gets players while there are new ones.
export default flowSuite('friends', [
  removing,
  adding,
  syncing,
  presence,
  goingOffline,
  blocking,
  unblocking,
  bothSides,
]);
