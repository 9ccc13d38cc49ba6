// Judges conforming servers by the whole suite: a check that accuses one of them is wrong.
import type { Suite } from '../../../engine/probe/check.ts';
import { defaultLimits } from '../../../engine/target/settings.ts';
import { variants } from '../../../fixtures/conforming-variants/all.ts';
import { askVariants, type VariantJudgement } from './ask.ts';
import type { Excluded } from './pairs.ts';

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
  {
    pair: ['lists of bare ids', 'who went stays listed, with a status'],
    reason: 'an id alone has no status, and whoever went would still be in the list',
  },
];

/** One server. */
export interface ConformingServer {
  /** Names of the variants whose choices it makes at once. */
  readonly variants: readonly string[];
  /** The run uses the embedded server's profile, so that what a profile states is judged as well. */
  readonly profiled?: true;
}

export interface ConformingRow extends ConformingServer, Omit<VariantJudgement, 'results'> {
  readonly wronged: boolean;
}

/** Servers that are judged at once: each waits now and then for a second to pass. */
export const atOnce = 2;

/** @throws Error where a layer of the server fails, or what it stands for cannot be a target */
export async function judgeServer(
  server: ConformingServer,
  { suites, seed }: { readonly suites: readonly Suite[]; readonly seed: string },
): Promise<ConformingRow> {
  const chosen = variants.filter(({ name }) => server.variants.includes(name));
  const { results: _, ...asked } = await askVariants(chosen, {
    suites,
    seed,
    ...(server.profiled && { profiled: true }),
  });
  return { ...server, ...asked, wronged: asked.accusations.length > 0 || tooLittle(asked) };
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
