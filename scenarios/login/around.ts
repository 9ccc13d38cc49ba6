import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import type { SceneBuilder, Step } from '../../fixtures/check/flow/flow.ts';
import { statusOf } from '../../fixtures/client/exchange.ts';

const { auth, general } = areas;
const { around } = effects.login;

/** What the service tells anybody. */
const reports = [
  ['health', general.healthcheck],
  ['version', general.version],
  ['public-key', auth.publicKey],
] as const;

export interface Around {
  /** Steps for while somebody is signed in. */
  readonly during: () => void;
  /** Steps for once somebody has signed out. */
  readonly after: (out: Step<unknown>) => void;
}

/** Asks what anybody is told, before anybody has signed in; and what is told later. */
export function tellingAnybody({ step }: SceneBuilder<'player' | 'other'>): Around {
  const told = reports.map(([name, operation]) => ({
    name,
    operation,
    before: step(
      `${name}-before`,
      [operation],
      open['open.flows'],
      'what who has not signed in is answered',
      async (stage) => statusOf(await stage.observeAnswer(undefined, operation)) < 300,
    ),
  }));
  const notTold = 'nobody is told without a session';
  const what = 'what anybody was told';

  return {
    during() {
      for (const { name, operation, before } of told)
        step(
          `${name}-signed-in`,
          [operation],
          around,
          'who has signed in is told what anybody was told before',
          async (stage) => {
            if (!stage.of(before)) stage.notTriggered(notTold);
            await stage.sees('player', { operation, what });
          },
        );
    },
    after(out) {
      for (const { name, operation, before } of told)
        step(
          `${name}-after`,
          [operation],
          around,
          'when a player has signed out, anybody is told what was told before',
          async (stage) => {
            stage.of(out);
            if (!stage.of(before)) stage.notTriggered(notTold);
            await stage.sees(undefined, { operation, what });
          },
        );
    },
  };
}
