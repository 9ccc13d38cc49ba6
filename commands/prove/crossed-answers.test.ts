// A buffer that crosses answers between concurrent callers, and one wallet for all: seed after seed, by all checks of the
// operations that people look at most.
import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { is2xx } from '../../engine/values/status.ts';
import {
  type Call,
  caller,
  contentOf,
  jsonReply,
  type Mutation,
  type Reply,
} from '../../fixtures/mutants/mutant.ts';
import { openProver } from './prover.ts';

const { extensions, game, general, party, playerName, players } = areas;
const operations: readonly Operation[] = [extensions, game, general, party, playerName, players].flatMap(
  (area) => Object.values<Operation>(area),
);
/** Twenty are measured by hand (CROSSED_SEEDS=20): a seed takes four seconds of a processor. */
const count = Number(process.env.CROSSED_SEEDS ?? 2);
const seeds = Array.from({ length: count }, (_, nth) => String(nth + 1));
const limitMs = 600_000;

interface Held {
  readonly call: Call;
  readonly reply: Reply;
  readonly give: (reply: Reply) => void;
}
const waitMs = 40;

/** Every 30th answer waits for the next one of its operation to another caller, and the two are exchanged. */
const crossing: Mutation = () => {
  let held: Held | undefined;
  let count = 0;
  const isFor = (call: Call) =>
    held?.call.operation?.id === call.operation?.id &&
    caller(held?.call ?? call).authorization !== caller(call).authorization;
  return async (call, forward) => {
    const reply = await forward();
    if (call.host !== 'base' || !is2xx(reply.status) || caller(call).authorization === '') return reply;
    if (held && isFor(call)) {
      const { reply: other, give } = held;
      held = undefined;
      give(reply);
      return other;
    }
    count += 1;
    if (count < 30 || held) return reply;
    count = 0;
    return new Promise((give) => {
      const own: Held = { call, reply, give };
      held = own;
      setTimeout(() => {
        if (held === own) held = undefined;
        give(reply);
      }, waitMs);
    });
  };
};

/** The wallet says whose it is, and is kept for whoever asks next. */
const oneWallet: Mutation = () => {
  let first: Reply | undefined;
  return (call, forward) =>
    call.operation?.id === general.currencies.id && call.method === 'GET'
      ? walletOf(call, forward)
      : undefined;

  async function walletOf(call: Call, forward: (changed?: Partial<Call>) => Promise<Reply>): Promise<Reply> {
    const { 'accept-encoding': _, 'if-none-match': __, ...headers } = call.headers;
    const wallet = await forward({ headers });
    if (wallet.status !== 200) return wallet;
    const own = await forward({ headers, url: general.inventories.path });
    const { playerId } = contentOf(own) as { playerId: string };
    first ??= jsonReply({ playerId, ...(contentOf(wallet) as object) }, wallet);
    return first;
  }
};

/** The checks of who is named that turned, for each seed. */
async function found(mutation: Mutation, touched: readonly Operation[]): Promise<string[][]> {
  const rows: string[][] = [];
  for (const seed of seeds) {
    const { prove, close } = await openProver(seed);
    try {
      const about = { name: 'crossed', wrong: '', clause: 'sense.own-answer', turns: [] };
      const { turned } = await prove({ ...about, operations: touched, mutation });
      rows.push(turned.filter((id) => /#(own-answer|echoed-id)$/.test(id)));
    } finally {
      close();
    }
  }
  return rows;
}

test(
  'a buffer that crosses every 30th answer is found with 19 of 20 seeds, and with few by half of them at least',
  async () => {
    const rows = await found(crossing, operations);
    expect(rows.filter((ids) => ids.length > 0).length).toBeGreaterThanOrEqual(
      count < 20 ? count / 2 : (19 * count) / 20,
    );
  },
  limitMs,
);

test(
  'one wallet for all is found with every seed',
  async () => {
    const rows = await found(oneWallet, [general.currencies]);
    expect(rows).toEqual(seeds.map(() => ['general.currencies#own-answer']));
  },
  limitMs,
);
