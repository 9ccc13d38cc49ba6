// Signs in the players of a load run before anything is measured; checks afterwards whether their sessions still hold,
// and whether the target is still the same.
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { areas, operationById } from '../../catalog/catalog.ts';
import type { Host, Operation } from '../../catalog/operation.ts';
import { type Ask, requestOf } from '../../engine/http/ask.ts';
import { type Client, createClient } from '../../engine/http/client.ts';
import { type Exchange, header, mediaType } from '../../engine/http/exchange.ts';
import type { Redactor } from '../../engine/http/redact.ts';
import type { Session } from '../../engine/players/session.ts';
import { signInWith } from '../../engine/players/sign-in.ts';
import type { Found } from '../../engine/players/sign-in-discovery.ts';
import { createPlayerTokens } from '../../engine/players/tokens.ts';
import type { SessionEvidence } from '../../engine/target/session-transport.ts';
import type { Target } from '../../engine/target/target.ts';
import { sideBySide } from '../../engine/values/side-by-side.ts';
import { is5xx } from '../../engine/values/status.ts';
import { CannotLoad } from '../allowed-hosts.ts';
import type { Actors, Person } from '../k6/plan.ts';
import { around, signedAs } from './calls.ts';

export interface SignedIn {
  readonly person: Person;
  readonly session: Session;
}

interface PeopleOptions {
  readonly client: Client;
  readonly target: Target;
  readonly redactor: Redactor;
  readonly discovery: Found;
  /** People wanted; there may be fewer. */
  readonly wanted: number;
  /** People needed. */
  readonly fewest: number;
  readonly signal: AbortSignal;
}

/** Failed sign-ins in a row after which no more are tried. */
const mostInVain = 5;
const atOnce = 16;

/**
 * @returns different people, in order
 * @throws CannotLoad where the target lets in too few
 */
export async function signInPeople(options: PeopleOptions): Promise<SignedIn[]> {
  const { client, target, redactor, discovery, wanted, fewest, signal } = options;
  const tokens = createPlayerTokens(target, redactor, discovery);
  const given = target.loginTokens.length > 0 && target.loginTokenCommand === undefined;
  const most = given ? Math.min(wanted, tokens.accounts) : wanted;
  const found: (SignedIn | undefined)[] = [];
  let inVain = 0;
  let why = given ? `LOGIN_TOKEN holds ${tokens.accounts}` : 'the target refuses to sign in more';

  const one = async (nth: number): Promise<void> => {
    const token = await tokens.of(nth);
    if ('why' in token) {
      why = token.why;
      inVain += 1;
      return;
    }
    const signed = await signInWith(discovery.recipe, client, target, { token: token.token, nth });
    if (!('session' in signed)) {
      inVain += 1;
      return;
    }
    inVain = 0;
    for (const secret of signed.session.secrets) redactor.learn(secret);
    found[nth] = {
      session: signed.session,
      person: personOf(signed.session, token.token, `assay-${target.runId}-${nth}`),
    };
  };
  const numbers = Array.from({ length: most }, (_, before) => before + 1);
  await sideBySide(numbers, atOnce, async (nth) => {
    if (inVain < mostInVain && !signal.aborted) await one(nth);
  });
  const people = different(found);
  if (people.length < fewest)
    throw new CannotLoad([
      `the journey needs ${fewest} different players and ${people.length} could sign in: ${why}`,
    ]);
  return people;
}

/** Keeps one entry for each player, as two tokens may belong to one. */
function different(found: readonly (SignedIn | undefined)[]): SignedIn[] {
  const people = found.filter((each) => each !== undefined);
  const isFirst = ({ session: { playerId } }: SignedIn, at: number) =>
    playerId === undefined || people.findIndex(({ session }) => session.playerId === playerId) === at;
  return people.filter(isFirst);
}

function personOf({ credentials, query = [], playerId }: Session, token: string, name: string): Person {
  return {
    headers: Object.fromEntries(credentials.map(([field, value]) => [field.toLowerCase(), value])),
    query: query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&'),
    values: { token, 'player.name': name, ...(playerId !== undefined && { 'player.id': playerId }) },
  };
}

/** Divides people into groups of `size`; a remainder is left out. */
export const groupsOf = (people: readonly SignedIn[], size: number): Actors[] =>
  Array.from({ length: Math.floor(people.length / size) }, (_, nth) =>
    people.slice(nth * size, (nth + 1) * size).map(({ person }) => person),
  );

// The check after the load: whether the players are still signed in.

/** Players whose session is tried: a journey may have signed one of them out. */
const asked = 3;

/**
 * Asks the operation that proved the session in the preflight, as the first players.
 * @returns true where each of them gets 401
 */
export async function sessionsAreOver(
  target: Target,
  { operation: id }: Pick<SessionEvidence, 'operation'>,
  groups: readonly Actors[],
): Promise<boolean> {
  const operation = operationById(id);
  const people = groups.slice(0, asked).flatMap((actors) => actors.slice(0, 1));
  if (operation === undefined || people.length === 0) return false;
  return asking(target, async (ask) => {
    const answers = await Promise.all(people.map((person) => ask(operation, {}, person)));
    return answers.every(({ response }) => response?.status === 401);
  });
}

type AskOnce = (operation: Operation, ask: Ask, person?: Person) => Promise<Exchange>;

/** Lets `use` ask the target a few things, as a player or as nobody. */
async function asking<Found>(target: Target, use: (ask: AskOnce) => Promise<Found>): Promise<Found> {
  const client = createClient({ ...target.transport, timeoutMs: 5_000 });
  try {
    return await use((operation, ask, person) => {
      const request = requestOf(operation, ask, { ...around(operation, target), params: {} });
      return client.send(person ? signedAs(person, operation, target, request) : request);
    });
  } finally {
    client.close();
  }
}

// The identity of the target: what changes only with a deployment, so that a target replaced during the load is found.

/** Traits of a target by name. */
export type Identity = Readonly<Record<string, string>>;

const identityReads: Readonly<Record<Host, Operation>> = {
  base: areas.utils.contentVersion,
  cdn: areas.clientData.contentMetadata,
  gamelogs: areas.logs.logsBatch,
};

/** Reads traits of each host, by GET and without credentials: nothing changes, and every caller gets the same. */
export async function identityOf(target: Target, hosts: Target['hosts']): Promise<Identity> {
  const traits: Record<string, string> = {};
  await asking(target, async (ask) => {
    for (const host of Object.keys(hosts) as Host[]) {
      const operation = identityReads[host];
      const answer = await ask(operation, { method: 'GET', body: null });
      const { status = 0 } = answer.response ?? {};
      // A target that was just under load may fail for a moment.
      if (status === 0 || status === 429 || is5xx(status)) continue;
      for (const name of ['server', 'x-powered-by'])
        traits[`${host}: ${name}`] = header(answer, name) ?? 'absent';
      traits[`${host}: ${operation.id}`] = contentOf(answer);
    }
  });
  return traits;
}

/** Pause in ms before a trait is read again: a clock in an answer changes once a second. */
const tickMs = 1_100;

/**
 * @param look reads the traits again
 * @returns a sentence about a trait that changed and then stayed the same; undefined where there is none
 */
export async function changedSince(
  before: Identity,
  look: () => Promise<Identity>,
): Promise<string | undefined> {
  const now = await look();
  const differing = differences(before, now);
  if (differing.length === 0) return undefined;
  await pause(tickMs);
  const later = await look();
  const name = differing.find((each) => later[each] === now[each]);
  return name === undefined ? undefined : `${name} was ${before[name]}, now it is ${now[name]}`;
}

const differences = (before: Identity, now: Identity): string[] =>
  Object.keys(before).filter((name) => now[name] !== undefined && now[name] !== before[name]);

function contentOf(exchange: Exchange): string {
  const { status = 0, body = '' } = exchange.response ?? {};
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 12);
  return `${status} ${mediaType(exchange) ?? 'no type'} ${digest}`;
}
