import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { open } from '../../catalog/clauses/open.ts';
import type { Flow } from '../../engine/flow/flow.ts';

const { general, mysteryBox } = areas;
const clauses = effects.progression;

/** The weekly free gift: claimed once, and twice. */
export function gifts(flow: Flow): void {
  const { prepare, step } = flow.scene('player', 'other');

  const before = prepare('status and wallet as they were', async (stage) => ({
    status: await stage.snapshot('player', mysteryBox.status),
    wallet: await stage.snapshot('player', general.currencies),
    othersStatus: await stage.snapshot('other', mysteryBox.status),
  }));

  const claimed = step(
    'gift',
    [mysteryBox.claim],
    clauses.called,
    'a player claims the weekly gift',
    async (stage) => {
      const { wallet } = stage.of(before);
      await stage.done('player', mysteryBox.claim);
      const after = await stage.settled('player', general.currencies);
      // Looked at now: a second claim may change it again.
      return { wallet: after, isGiven: stage.differs(wallet, after) };
    },
  );

  const shown = step(
    'gift-shown',
    [mysteryBox.status, mysteryBox.claim],
    clauses.shown,
    'the status tells that the gift was claimed',
    async (stage) => {
      const { status } = stage.of(before);
      stage.of(claimed);
      const changed = await stage.hasChanged('player', status, mysteryBox.status);
      stage.expect(changed, 'another status after the claim', 'the same as before it', status.exchange);
    },
  );

  step(
    'gift-own',
    [mysteryBox.status, mysteryBox.claim],
    clauses.own,
    "another player's status stays as it was",
    async (stage) => {
      stage.of(shown);
      const after = await stage.snapshot('other', mysteryBox.status);
      const { othersStatus } = stage.of(before);
      stage.expect(
        await stage.isStill(othersStatus, after),
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
    'what claiming the gift twice is answered',
    async (stage) => {
      stage.of(claimed);
      await stage.observeAnswer('player', mysteryBox.claim);
    },
  );

  step(
    'gift-once',
    [mysteryBox.claim, general.currencies],
    clauses.once,
    'a gift that was claimed twice is given once',
    async (stage) => {
      stage.of(again);
      const { wallet, isGiven } = stage.of(claimed);
      if (!isGiven) stage.cannotTell('needs-state', 'the gift changed nothing in the wallet');
      const after = await stage.snapshot('player', general.currencies);
      stage.expect(
        await stage.isStill(wallet, after),
        'the wallet as it was after the first claim',
        'another one',
        after.exchange,
      );
    },
  );
}
