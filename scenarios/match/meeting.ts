import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { open } from '../../catalog/clauses/open.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import type { Stage } from '../../engine/flow/step-context.ts';
import type { View } from '../../engine/flow/views.ts';
import { statusOf } from '../../engine/http/exchange.ts';
import { leave, matchIn, meet } from '../queue/meeting.ts';
import { naming } from './making.ts';

const { match, queue } = areas;
const clauses = effects.match;
const anyState = open['open.flows'];

/** A match that two players were told of by the queue, and that one of them quits. */
export function found(flow: Flow): void {
  const { prepare, step } = flow.scene('player', 'other', 'stranger');
  const met = prepare('a match from the queue', async (stage) => {
    const { isMet, told } = await stage.aloneInQueue(() =>
      meet(stage, ['player', 'other'], stage.unique('assayqueue')),
    );
    const [{ matchId }] = told;
    if (!isMet || matchId === undefined || matchId !== told[1].matchId)
      return stage.notTriggered('two players who queued were not told one match');
    return { operation: match.get, params: { matchId } };
  });

  const seen = step(
    'queued-view',
    [match.get, queue.enter],
    clauses.made,
    'a match from the queue is read by who is told of it',
    async (stage) => {
      const view = stage.of(met);
      await stage.sees('player', { ...view, what: 'the match from the queue' });
      return view;
    },
  );

  const names = prepare('a match that names who plays', async (stage) => {
    const view = stage.of(seen);
    if (!(await stage.comes('player', naming(view, stage.id('player'), 'the player'))))
      stage.cannotTell('unknown-resource', `${match.get.id} does not tell who plays`);
    return view;
  });

  step(
    'queued-names-other',
    [match.get, queue.enter],
    clauses.made,
    'a match from the queue names not one player only, but with whom they play as well',
    async (stage) => {
      await stage.sees('player', naming(stage.of(names), stage.id('other'), 'the other player'));
    },
  );

  step(
    'queued-other-view',
    [match.get, queue.enter],
    clauses.made,
    'a match from the queue names the same to the other of the two',
    async (stage) => {
      const view = stage.of(names);
      await stage.sees('other', naming(view, stage.id('player'), 'the first player'));
      await stage.sees('other', naming(view, stage.id('other'), 'the second player'));
    },
  );

  step(
    'queued-stranger-view',
    [match.get],
    anyState,
    'what a stranger is told of a match from the queue',
    async (stage) => {
      const told = await stage.observeAnswer('stranger', match.get, stage.of(seen));
      const isNamed = stage.shows('stranger', naming(stage.of(seen), stage.id('player'), 'the player'), told);
      const who = isNamed ? 'and who plays' : 'not who plays';
      stage.observe(`${statusOf(told)}, ${who}`, told);
    },
  );

  const quit = step(
    'queued-quit',
    [match.quit],
    clauses.called,
    'one of two quits the match',
    async (stage) => {
      const { operation, params } = stage.of(seen);
      await stage.done('player', match.quit, { params });
      return { operation, params };
    },
  );

  step(
    'queued-quit-other-view',
    [match.get, match.quit],
    anyState,
    'what the other is told of the match once one of two has quit it',
    async (stage) => {
      const told = await stage.observeAnswer('other', match.get, stage.of(quit));
      const isIn = stage.shows('other', naming(stage.of(quit), stage.id('other'), 'the other player'), told);
      const who = isIn ? 'still in it' : 'no longer in it';
      stage.observe(`${statusOf(told)}, ${who}`, told);
    },
  );

  step(
    'queued-quit-queue',
    [queue.enter, match.quit],
    anyState,
    'what entering the queue after having quit a match is answered',
    async (stage) => {
      stage.of(quit);
      const offer = { value: stage.unique('assayqueue') };
      const again = stage.said('player', queue.enter, { offer });
      await stage.aloneInQueue(async () => {
        const answer = await stage.observeAnswer('player', queue.enter, again);
        await leave(stage, 'player', await matchIn(stage, answer));
      });
    },
  );
}

const { players } = areas;
const meetingAnyState = open['open.flows'];

type Role = 'player' | 'met' | 'stranger';

/** With whom one played recently. */
export function meeting(flow: Flow): void {
  const { prepare, step } = flow.scene('player', 'met', 'stranger');
  const apart = prepare('a look at whom a stranger met', async (stage) => {
    await stage.lookBefore('stranger', amongMet(stage, 'stranger', 'met'));
  });

  const added = step(
    'recently-played-add',
    [players.addRecentlyPlayed],
    clauses.called,
    'a player says with whom they played',
    async (stage) => {
      const carry = { 'other.id': stage.id('met') };
      await stage.done('player', players.addRecentlyPlayed, {
        carry,
        until: amongMet(stage, 'player', 'met'),
      });
    },
  );

  const listed = step(
    'recently-played',
    [players.recentlyPlayed, players.addRecentlyPlayed],
    clauses.played,
    'with whom one played is among the players one met',
    async (stage) => {
      stage.of(added);
      await stage.sees('player', amongMet(stage, 'player', 'met'));
    },
  );

  step(
    'recently-played-other-side',
    [players.recentlyPlayed, players.addRecentlyPlayed],
    meetingAnyState,
    'whether who was added is told with whom they played as well',
    async (stage) => {
      stage.of(listed);
      const list = await stage.observeAnswer('met', players.recentlyPlayed);
      const view = { ...amongMet(stage, 'met', 'player'), beside: stage.id('met'), outsider: true as const };
      stage.observe(stage.shows('met', view, list) ? 'both are told' : 'one is told', list);
    },
  );

  step(
    'recently-played-stranger',
    [players.recentlyPlayed],
    clauses.own,
    'who was met by one player is not among those whom a stranger met',
    async (stage) => {
      stage.of(apart);
      stage.of(listed);
      await stage.seesNot('stranger', { ...amongMet(stage, 'stranger', 'met'), outsider: true });
    },
  );

  step(
    'recently-played-again',
    [players.addRecentlyPlayed],
    meetingAnyState,
    'what adding the same player again is answered',
    async (stage) => {
      stage.of(listed);
      const carry = { 'other.id': stage.id('met') };
      const again = stage.said('player', players.addRecentlyPlayed, { carry });
      await stage.observeAnswer('player', players.addRecentlyPlayed, again);
    },
  );

  step(
    'recently-played-oneself',
    [players.addRecentlyPlayed],
    meetingAnyState,
    'what adding oneself is answered',
    async (stage) => {
      stage.of(listed);
      const carry = { 'other.id': stage.id('player') };
      const oneself = stage.said('player', players.addRecentlyPlayed, { carry });
      await stage.observeAnswer('player', players.addRecentlyPlayed, oneself);
    },
  );
}

/** The players that one met. */
const amongMet = (stage: Stage<Role>, role: Role, other: Role): View => ({
  operation: players.recentlyPlayed,
  value: stage.id(other),
  among: true,
  what: `the ${other}`,
  by: role,
});
