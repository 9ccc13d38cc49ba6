import { areas } from '../../catalog/catalog.ts';
import { clauseById } from '../../catalog/clauses/clauses.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { leaveMark } from './session-marks.ts';

const { auth } = areas;

/** Somebody signs in at all. */
export function entering(flow: Flow): void {
  const { step } = flow.scene();

  step(
    'sign-in',
    [auth.login],
    clauseById('auth.sign-in'),
    'a token signs somebody in: with what the login answers, other calls are answered otherwise',
    async (stage) => stage.signedIn(),
  );
}

const clauses = effects.login;

/** Two tokens are two players. */
export function telling(flow: Flow): void {
  const { prepare, step } = flow.scene('player', 'other');
  const kept = prepare('something that the player keeps', (stage) => leaveMark(stage, 'player'));

  step(
    'two-players',
    [auth.login],
    clauses.two,
    'another player does not read what a player keeps',
    async (stage) => {
      await stage.seesNot('other', stage.of(kept));
    },
  );

  const both = step(
    'two-players-write',
    [auth.login],
    clauses.two,
    'what another player keeps does not replace what a player keeps',
    async (stage) => {
      const own = stage.of(kept);
      const others = await leaveMark(stage, 'other');
      await stage.sees('player', own);
      return others;
    },
  );

  step(
    'two-players-other-side',
    [auth.login],
    clauses.two,
    'a player does not read what another player keeps',
    async (stage) => {
      await stage.seesNot('player', stage.of(both));
    },
  );
}
