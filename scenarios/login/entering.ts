import { areas } from '../../fixtures/catalog/catalog.ts';
import { clauseById } from '../../fixtures/catalog/clauses/register.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';

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
