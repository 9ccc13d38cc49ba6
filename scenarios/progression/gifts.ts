// Checks the weekly free gift: claimed once, and again.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { open } from '../../catalog/clauses/open.ts';
import type { Flow } from '../../engine/flow/flow.ts';

const { general, mysteryBox } = areas;
const clauses = effects.progression;

/** The weekly free gift: claimed once, and twice. */
export function gifts(flow: Flow): void {
  const { prepare, step } = flow.scenario('player', 'other');

  const before = prepare('status and wallet as they were', async (context) => ({
    status: await context.snapshot('player', mysteryBox.status),
    wallet: await context.snapshot('player', general.currencies),
    othersStatus: await context.snapshot('other', mysteryBox.status),
  }));

  const claimed = step(
    'gift',
    [mysteryBox.claim],
    clauses.called,
    'a player claims the weekly gift',
    async (context) => {
      const { wallet } = context.of(before);
      await context.done('player', mysteryBox.claim);
      const after = await context.settled('player', general.currencies);
      // Read now, since a second claim may change it again.
      return { wallet: after, isGiven: context.differs(wallet, after) };
    },
  );

  const shown = step(
    'gift-shown',
    [mysteryBox.status, mysteryBox.claim],
    clauses.shown,
    'the gift status changes after the claim',
    async (context) => {
      const { status } = context.of(before);
      context.of(claimed);
      const changed = await context.hasChanged('player', status, mysteryBox.status);
      context.expect(changed, 'another status after the claim', 'the same as before it', status.exchange);
    },
  );

  step(
    'gift-own',
    [mysteryBox.status, mysteryBox.claim],
    clauses.own,
    "another player's gift status stays as it was",
    async (context) => {
      context.of(shown);
      const after = await context.snapshot('other', mysteryBox.status);
      const { othersStatus } = context.of(before);
      context.expect(
        await context.isStill(othersStatus, after),
        "the other player's status as it was",
        'another one',
        after.exchange,
      );
    },
  );

  const again = step(
    'gift-again',
    [mysteryBox.claim],
    open['open.flows'],
    'how the server answers when a player claims the gift again',
    async (context) => {
      context.of(claimed);
      await context.observeAnswer('player', mysteryBox.claim);
    },
  );

  step(
    'gift-once',
    [mysteryBox.claim, general.currencies],
    clauses.once,
    'a second claim of the gift does not change the wallet',
    async (context) => {
      context.of(again);
      const { wallet, isGiven } = context.of(claimed);
      if (!isGiven) context.cannotTell('needs-state', 'the gift changed nothing in the wallet');
      const after = await context.snapshot('player', general.currencies);
      context.expect(
        await context.isStill(wallet, after),
        'the wallet as it was after the first claim',
        'another one',
        after.exchange,
      );
    },
  );
}
