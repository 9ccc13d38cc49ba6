// Checks that a player can sign in, and that two tokens are two players.
import { areas } from '../../catalog/catalog.ts';
import { clauseById } from '../../catalog/clauses/clauses.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { leaveMark } from './session-marks.ts';

const { auth } = areas;

/** A player signs in. */
export function entering(flow: Flow): void {
  const { step } = flow.scenario();

  step(
    'sign-in',
    [auth.login],
    clauseById('auth.sign-in'),
    'a token signs a player in: the login answer gives a session that changes other answers',
    async (context) => context.signedIn(),
  );
}

const clauses = effects.login;

/** Two tokens are two players. */
export function telling(flow: Flow): void {
  const { prepare, step } = flow.scenario('player', 'other');
  const kept = prepare('data that the player keeps', (context) => leaveMark(context, 'player'));

  step(
    'two-players',
    [auth.login],
    clauses.two,
    'another player does not read the data of a player',
    async (context) => {
      await context.seesNot('other', context.of(kept));
    },
  );

  const both = step(
    'two-players-write',
    [auth.login],
    clauses.two,
    'the data of another player does not replace the data of a player',
    async (context) => {
      const own = context.of(kept);
      const others = await leaveMark(context, 'other');
      await context.sees('player', own);
      return others;
    },
  );

  step(
    'two-players-other-side',
    [auth.login],
    clauses.two,
    'a player does not read the data of another player',
    async (context) => {
      await context.seesNot('player', context.of(both));
    },
  );
}
