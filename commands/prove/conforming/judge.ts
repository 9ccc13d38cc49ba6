// Judges conforming servers by the whole suite: a check that accuses one of them is wrong.
import type { Check } from '../../../engine/probe/check.ts';
import { defaultLimits } from '../../../engine/values/default-limits.ts';
import { randomFrom } from '../../../engine/values/random.ts';
import { variants } from '../../../fixtures/conforming-variants/all.ts';
import { shuffled } from '../draw.ts';
import { type AskOptions, askVariants, type VariantJudgement } from './ask.ts';

export const excluded: readonly Excluded[] = [
  {
    pair: ['a connection for each answer', 'rotating tokens'],
    reason: 'a connection that ends unannounced may take a call with it, and the one token that there was',
  },
  {
    pair: ['rotating tokens', 'short-lived tokens'],
    reason: 'a token that is good for one call does not live to be old',
  },
  {
    pair: ['404 for whoever is not signed in', 'unknown ids like unrouted paths'],
    reason: 'nothing would tell a call without a session from one to a path that leads nowhere',
  },
  {
    pair: ['authentication before routing', '404 for whoever is not signed in'],
    reason: 'both say how every call without a session is refused, and they say two things',
  },
  ...[
    '403 for whoever is not signed in',
    '404 for whoever is not signed in',
    'redirect to a login page for whoever is not signed in',
  ].map((refused) => ({
    pair: [refused, 'session under a scheme of its own'] as const,
    reason: 'a challenge names the scheme, and goes with 401 alone',
  })),
  {
    pair: ['lists of bare ids', 'who went stays listed, with a status'],
    reason: 'an id alone has no status, and a player who went would still be in the list',
  },
  {
    pair: ['a gift waits in the inbox', 'messages as an object by their ids'],
    reason: 'the gift is put into a list, and there is none: it would be lost',
  },
  {
    pair: ['what was bought lies in the inbox', 'messages as an object by their ids'],
    reason: 'what was bought is put into a list, and there is none: it would be lost',
  },
];

export interface ConformingServer {
  /** Names of the variants whose choices it makes at once. */
  readonly variants: readonly string[];
  /** The run uses the embedded server's profile, so that what a profile states is judged as well. */
  readonly profiled?: true;
  /** Asks the rules of an eighth of the operations, and two in five flows (one in four where it has few variants). */
  readonly drawn?: true;
}

export interface ConformingRow extends ConformingServer, Omit<VariantJudgement, 'results'> {
  readonly wronged: boolean;
  /** The first row of this server, which was wronged beside others on a busy machine; this row is of it alone. */
  readonly besideOthers?: ConformingRow;
}

/** Servers that a thread judges at once: each waits now and then for a second to pass. */
export const atOnce = 4;

/** @throws Error where a layer of the server fails, or its variants cannot be a target together */
export async function judgeServer(
  server: ConformingServer,
  { suites, attacks = [], seed }: Pick<AskOptions, 'suites' | 'attacks' | 'seed'>,
): Promise<ConformingRow> {
  const chosen = variants.filter(({ name }) => server.variants.includes(name));
  const { results: _, ...asked } = await askVariants(chosen, {
    suites,
    seed,
    // Attacks are tried on servers that make one choice alone, and are asked everything.
    attacks: server.variants.length === 1 && !server.drawn ? attacks : [],
    profiled: server.profiled ?? false,
    ...(server.drawn && { only: isDrawn(server, seed) }),
  });
  return { ...server, ...asked, wronged: asked.accusations.length > 0 || tooLittle(asked) };
}

/** Most variants of a server that counts as making few choices. */
export const few = 8;

/** Each server has a share of its own, so that all of them together are asked about everything many times. */
function isDrawn({ variants }: ConformingServer, seed: string): (check: Check) => boolean {
  const isIn = (share: number, name: string) => randomFrom(seed, ...variants, name)() < share;
  return ({ id, operations }) => {
    const [flow, step] = id.split('/');
    // On average two variants meet on two servers or more, so that six pairs in ten are asked a flow.
    if (step !== undefined) return isIn(variants.length > few ? 2 / 5 : 1 / 4, `flow ${flow}`);
    return operations.every((each) => isIn(1 / 8, each.id));
  };
}

const tooLittle = ({ judgedShare }: Pick<VariantJudgement, 'judgedShare'>) =>
  Object.values(judgedShare).some((share) => share < defaultLimits.minJudged / 100);

// Servers that are judged with the embedded server's profile: its statuses, schemas and effects hold for them.

/** Names of variants, one list for each server; none changes the successful answer of a documented call. */
export const profiled: readonly (readonly string[])[] = [
  [],
  ['reads up to 500 ms behind', 'delays up to 300 ms', 'no validators', 'keys in any order'],
  ['HTTP/1.0', 'chunks of odd sizes with extensions and a trailer', 'interim answers before the answer'],
  ['authentication before routing', 'unrouted: 403', 'absent file: 403', 'files as octet-stream'],
  ['other statuses for refusals and conflicts', 'refusals that say when and which', 'short-lived tokens'],
  ['trailing slash tolerated', 'case-blind paths', 'logout after a second', '429 under haste'],
  ['bad tokens answered 400', 'volatile fields', 'TLS', 'nothing compressed'],
];

// Rows of variants, one for each server, so that every two that can stand together do so in at least one.

export interface Item {
  readonly name: string;
  readonly kind?: string;
}

/** Two variants that no server can have at once, and why. */
interface Excluded {
  readonly pair: readonly [string, string];
  readonly reason: string;
}

interface Covering<T extends Item> {
  /** The items of each row are in the order in which they were given. */
  readonly rows: readonly (readonly T[])[];
  /** How many pairs they cover: all that are compatible. */
  readonly pairs: number;
}

/**
 * Fills rows greedily: each begins with a pair that no row covers yet, and takes in the item that covers most more.
 * @param most size of a row at most: the more items there are, the more one hides what another does
 */
export function coveringRows<T extends Item>(
  items: readonly T[],
  excluded: readonly Excluded[],
  seed: string,
  most: number,
): Covering<T> {
  const compatible = together(excluded);
  const partners = new Map(items.map((a) => [a, new Set(items.filter((b) => a !== b && compatible(a, b)))]));
  const open = new Map([...partners].map(([item, others]) => [item, new Set(others)]));
  // Each pair counts twice, once for each of the two.
  let left = [...open.values()].reduce((sum, { size }) => sum + size, 0);
  const pairs = left / 2;
  const rows: T[][] = [];
  while (left > 0) {
    const order = shuffled(items, ({ name }) => `${seed} ${rows.length} ${name}`);
    const row: T[] = [];
    const gains = new Map<T, number>();
    const gain = (item: T) => gains.get(item) ?? 0;
    let free = order;
    const take = (item: T) => {
      row.push(item);
      free = free.filter((other) => partners.get(item)?.has(other));
      for (const other of open.get(item) ?? []) gains.set(other, gain(other) + 1);
    };
    firstOf(open, items, order).forEach(take);
    while (row.length < most) {
      const best = free.reduce<T | undefined>(
        (found, item) => (gain(item) > (found ? gain(found) : 0) ? item : found),
        undefined,
      );
      if (best === undefined) break;
      take(best);
    }
    for (const a of row) for (const b of row) if (open.get(a)?.delete(b)) left -= 1;
    rows.push(items.filter((item) => row.includes(item)));
  }
  return { rows, pairs };
}

/** Draws small rows by seed that hold each item once. @param most size of a row at most */
export function fewTogether<T extends Item>(
  items: readonly T[],
  excluded: readonly Excluded[],
  seed: string,
  most: number,
): readonly (readonly T[])[] {
  const compatible = together(excluded);
  const rows: T[][] = [];
  for (const item of shuffled(items, ({ name }) => `${seed} few ${name}`)) {
    const row = rows.find(
      (others) => others.length < most && others.every((other) => compatible(item, other)),
    );
    if (row) row.push(item);
    else rows.push([item]);
  }
  return rows;
}

function together(excluded: readonly Excluded[]): (a: Item, b: Item) => boolean {
  const apart = new Set(excluded.map(({ pair }) => pair.toSorted().join('\n')));
  return (a, b) =>
    (a.kind === undefined || a.kind !== b.kind) && !apart.has([a.name, b.name].toSorted().join('\n'));
}

/** Finds the first pair in `order` that is not covered yet; its place is that of the item that `items` lists first. */
function firstOf<T>(open: ReadonlyMap<T, ReadonlySet<T>>, items: readonly T[], order: readonly T[]): T[] {
  for (const a of order) {
    const later = new Set(items.slice(items.indexOf(a)));
    const b = order.find((each) => later.has(each) && open.get(a)?.has(each));
    if (b !== undefined) return [a, b];
  }
  return [];
}
