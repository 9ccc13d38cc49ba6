// Checks that a player whose only session ends is no longer shown as online.
import { areas } from '../../catalog/catalog.ts';
import { pollAnswered } from '../../engine/flow/polling.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { ignoreStop } from '../../engine/flow/why-refused.ts';
import { answerLeaves, type Exchange, isSuccess } from '../../engine/http/exchange.ts';
import { befriend } from '../friends/make-friends.ts';

const { general, me } = areas;

const isOnlineFlag = (name: string): boolean => /^(is_?)?online$/i.test(name);
const onlineWord = /^(online|available|active|in[-_ ]?(lobby|menu|game|match|party))$/i;

/** The places where an answer says that a player is online: a field that is true, or a word. */
const saysOnline = (answer: Exchange): readonly string[] =>
  isSuccess(answer)
    ? answerLeaves(answer).flatMap(({ name, pointer, value }) =>
        (isOnlineFlag(name) && value === true) ||
        (/^((online|presence)_?)?(status|state)$/i.test(name) && onlineWord.test(String(value)))
          ? [pointer]
          : [],
      )
    : [];

/** A new player is seen online by a friend, and signs out. */
export async function expectOffline(context: StepContext, friend: string): Promise<void> {
  const leaver = 'leaver';
  const why = await context.bringIn(leaver);
  if (why !== undefined) context.cannotTell('needs-players', why);
  if (!(await befriend(context, friend, leaver)))
    context.cannotTell('needs-state', 'nobody could be made a friend');
  const read = () => context.send(friend, general.richPresence, { params: { playerId: context.id(leaver) } });
  // A target may show a player as online only after a call of theirs.
  await context.send(leaver, me.location);
  const seen = await pollAnswered(read, (answer) => saysOnline(answer).length > 0);
  const places = saysOnline(seen.last);
  if (places.length === 0) context.notTriggered(`${general.richPresence.id} calls nobody online`);
  // A server may answer for a presence that was set in another way. A word for it may stay as the player set it.
  if (places.some((place) => isOnlineFlag(place.slice(place.lastIndexOf('/') + 1))))
    await context.mustSucceed(leaver, me.setRichPresence, { mayRefuse: 'a presence' }).catch(ignoreStop);
  await context.mustSucceed(leaver, me.logout);
  const { holds, last } = await pollAnswered(read, (answer) =>
    places.some((place) => !saysOnline(answer).includes(place)),
  );
  context.expect(
    holds,
    'that the player is not online',
    `that they are, at ${places.join(' and ')}, as before`,
    last,
  );
}
