import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { open } from '../../catalog/clauses/open.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import type { Stage } from '../../engine/flow/step-context.ts';
import type { View } from '../../engine/flow/views.ts';
import { type Exchange, statusOf } from '../../engine/http/exchange.ts';

const { match, general } = areas;

/** The details of a match. */
const inMatch = (matchId: string) => ({
  operation: match.get,
  params: { matchId },
});

/** Somebody who plays in it. */
export const naming = (match: Pick<View, 'operation' | 'params'>, value: string, what: string): View => ({
  ...match,
  value,
  what,
});

/** Makes a match that is quit again when the run is over; its id. */
async function makeMatch<Role extends string>(stage: Stage<Role>, host: NoInfer<Role>): Promise<string> {
  const matchId = await matchIn(stage, host, await stage.done(host, match.create));
  stage.later(host, match.quit, { params: { matchId } });
  return matchId;
}

/** The id of a match that was made: read with it, there is one, and with another id there is none. */
async function matchIn<Role extends string>(
  stage: Stage<Role>,
  host: NoInfer<Role>,
  made: Exchange,
): Promise<string> {
  const status = async (matchId: string) =>
    statusOf(await stage.put(host, match.get, { params: { matchId } }));
  return stage.identifier(made, match.create, 'matchId', async (candidate) => {
    const isThere = (await status(candidate)) < 300;
    return isThere && (await status(stage.unique('assay'))) >= 300;
  });
}

const clauses = effects.match;
const anyState = open['open.flows'];

/** A match from its making until its maker has quit it, and what somebody else sees of it. */
export function making(flow: Flow): void {
  const { step } = flow.scene('host', 'other');

  const made = step('create', [match.create], clauses.called, 'a player makes a match', (stage) =>
    makeMatch(stage, 'host'),
  );

  const read = step(
    'details',
    [match.get, match.create],
    clauses.made,
    'who made a match reads it',
    async (stage) => {
      const view = inMatch(stage.of(made));
      await stage.sees('host', { ...view, what: 'the match that was made' });
      return view;
    },
  );

  const named = step(
    'host-in-view',
    [match.get, match.create],
    anyState,
    'whether a match names who made it, to them',
    async (stage) => {
      const view = stage.of(read);
      const isNamed = await stage.comes('host', naming(view, stage.id('host'), 'who made it'));
      stage.observe(isNamed ? 'it does' : 'it does not');
      return isNamed;
    },
  );

  step('other-view', [match.get], anyState, 'what another player is told of a match', async (stage) => {
    const told = await stage.observeAnswer('other', match.get, stage.of(read));
    const isNamed = stage.shows('other', naming(stage.of(read), stage.id('host'), 'who made it'), told);
    const who = isNamed ? 'and who plays' : 'not who plays';
    stage.observe(`${statusOf(told)}, ${who}`, told);
  });

  const meddled = step(
    'other-quits',
    [match.quit],
    anyState,
    'what quitting a match that one is not in is answered',
    async (stage) => {
      await stage.observeAnswer('other', match.quit, stage.of(read));
    },
  );

  step(
    'other-quits-view',
    [match.get, match.quit],
    clauses.kept,
    'who made a match is still in it after somebody else has quit it',
    async (stage) => {
      stage.of(meddled);
      if (!stage.of(named)) stage.cannotTell('unknown-resource', `${match.get.id} does not tell who plays`);
      await stage.stillSees('host', naming(stage.of(read), stage.id('host'), 'who made it'));
    },
  );

  step(
    'incentives',
    [general.matchIncentives, match.create],
    anyState,
    'whether who is in a match is told what is offered to who plays',
    async (stage) => {
      stage.of(made);
      const outside = await stage.observeAnswer('other', general.matchIncentives);
      const inside = await stage.observeAnswer('host', general.matchIncentives);
      stage.observe(`${statusOf(outside)} outside of a match, ${statusOf(inside)} in one`, inside);
    },
  );

  const quit = step('quit', [match.quit], clauses.called, 'who made a match quits it', async (stage) => {
    const view = stage.of(read);
    await stage.done('host', match.quit, { params: view.params });
    return view;
  });

  step(
    'quit-view',
    [match.get, match.quit],
    anyState,
    'what who has quit a match is told of it',
    async (stage) => {
      await stage.observeAnswer('host', match.get, stage.of(quit));
    },
  );

  step('quit-again', [match.quit], anyState, 'what quitting a match again is answered', async (stage) => {
    await stage.observeAnswer('host', match.quit, stage.of(quit));
  });

  step(
    'quit-create',
    [match.create, match.quit],
    anyState,
    'what making a match after having quit one is answered',
    async (stage) => {
      stage.of(quit);
      const answer = await stage.observeAnswer('host', match.create, stage.said('host', match.create));
      const matchId = await matchIn(stage, 'host', answer).catch(() => undefined);
      if (matchId !== undefined) stage.later('host', match.quit, { params: { matchId } });
    },
  );

  // A match of its own: a target may take whoever makes a second one out of the first.
  const twice = flow.scene('host');
  const first = twice.prepare('a match', (stage) => makeMatch(stage, 'host'));
  twice.step(
    'create-again',
    [match.create],
    anyState,
    'what making a match while in one is answered',
    async (stage) => {
      const matchId = stage.of(first);
      const answer = await stage.observeAnswer('host', match.create, stage.said('host', match.create));
      const again = await matchIn(stage, 'host', answer).catch(() => undefined);
      if (again !== undefined && again !== matchId)
        stage.later('host', match.quit, { params: { matchId: again } });
      const which = again === undefined ? '' : again === matchId ? ', the same match' : ', another match';
      stage.observe(`${statusOf(answer)}${which}`, answer);
    },
  );
}
