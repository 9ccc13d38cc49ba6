import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import { statusOf } from '../../fixtures/client/exchange.ts';

const { auth, general, me } = areas;
const clauses = effects.login;

/** What the service tells anybody, before, during and after a session. */
const reports = [
  ['health', general.healthcheck],
  ['version', general.version],
  ['public-key', auth.publicKey],
] as const;

/** What anybody is told stays told, whoever comes and goes. */
export function around(flow: Flow): void {
  const { step } = flow.scene('player');

  const before = reports.map(([name, operation]) =>
    step(
      `${name}-before`,
      [operation],
      open['open.flows'],
      'what who has not signed in is answered',
      async (stage) => statusOf(await stage.observeAnswer(undefined, operation)) < 300,
    ),
  );
  const toldBefore = (nth: number) => before[nth] ?? before[0];

  for (const [nth, [name, operation]] of reports.entries())
    step(
      `${name}-signed-in`,
      [operation],
      clauses.around,
      'who has signed in is told what anybody was told before',
      async (stage) => {
        const first = toldBefore(nth);
        if (!first || !stage.of(first)) stage.cannotTell('needs-state', 'nobody is told without a session');
        await stage.sees('player', { operation, what: 'what anybody was told' });
      },
    );

  const out = step('around-logout', [me.logout], clauses.called, 'a player signs out', async (stage) => {
    if (!(await stage.signInAgain('player'))) stage.cannotTell('needs-state', 'the token signs in once');
    await stage.done('player again', me.logout);
  });

  for (const [nth, [name, operation]] of reports.entries())
    step(
      `${name}-after`,
      [operation],
      clauses.around,
      'when a player has signed out, anybody is told what was told before',
      async (stage) => {
        const first = toldBefore(nth);
        stage.of(out);
        if (!first || !stage.of(first)) stage.cannotTell('needs-state', 'nobody is told without a session');
        await stage.sees(undefined, { operation, what: 'what anybody was told' });
      },
    );
}
