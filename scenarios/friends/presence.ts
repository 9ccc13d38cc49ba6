import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { open } from '../../catalog/clauses/open.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import type { Kept, Stage } from '../../engine/flow/step-context.ts';
import type { View } from '../../engine/flow/views.ts';
import { statusOf } from '../../engine/http/exchange.ts';
import { befriend } from './made.ts';

const { general, me } = areas;
const clauses = effects.friends;

/** What a player says of their doings, and who is told. */
export function presence(flow: Flow): void {
  const { prepare, step } = flow.scene('player', 'friend', 'stranger');
  const friends = prepare('two friends', (stage) => befriend(stage, 'player', 'friend'));

  const first = step(
    'presence',
    [general.richPresence, me.setRichPresence],
    clauses.presence,
    'a friend is told what a player says of their doings',
    async (stage) => {
      stage.of(friends);
      return say(stage);
    },
  );

  const second = step(
    'presence-changed',
    [general.richPresence, me.setRichPresence],
    clauses.presence,
    'a friend is told what a player says next',
    async (stage) => {
      stage.of(first);
      return say(stage);
    },
  );

  step(
    'presence-replaced',
    [general.richPresence, me.setRichPresence],
    clauses.presence,
    'a friend is no longer told what a player said before',
    async (stage) => {
      ownWord(stage, stage.of(second));
      await stage.seesNot('friend', told(stage.id('player'), ownWord(stage, stage.of(first))));
    },
  );

  step(
    'presence-own',
    [general.richPresence, me.setRichPresence],
    clauses.own,
    'what one player says stands in the presence of no other',
    async (stage) => {
      const view = told(stage.id('friend'), ownWord(stage, stage.of(second)));
      await stage.seesNot('player', { ...view, outsider: true });
    },
  );

  step(
    'presence-stranger',
    [general.richPresence],
    open['open.flows'],
    'what a stranger is told of the doings of a player',
    async (stage) => {
      const { value } = stage.of(second);
      const read = await stage.observeAnswer('stranger', general.richPresence, {
        params: { playerId: stage.id('player') },
      });
      const isTold = stage.shows('stranger', told(stage.id('player'), value), read);
      stage.observe(`${statusOf(read)}, ${isTold ? 'what they said' : 'not what they said'}`, read);
    },
  );
}

const told = (playerId: string, value: string): View => ({
  operation: general.richPresence,
  params: { playerId },
  value,
  what: 'what was said',
});

type People = Stage<'player' | 'friend' | 'stranger'>;

const say = (stage: People): Promise<Kept> =>
  stage.sets('player', me.setRichPresence, {
    value: stage.unique('assaypresence'),
    shownIn: (value) => ({ ...told(stage.id('player'), value), by: 'friend' }),
  });

/** Of what the profile fixes nobody can tell when it was said, nor by whom. */
function ownWord(stage: People, { value, isOwn }: Kept): string {
  if (isOwn) return value;
  return stage.cannotTell('needs-body', `the profile fixes what ${me.setRichPresence.id} says`);
}
