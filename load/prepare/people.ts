// Who plays: signed in by Node before anything is measured, in the way that conformance found.
import type { Client } from '../../fixtures/client/client.ts';
import type { Redactor } from '../../fixtures/client/redact.ts';
import type { Found } from '../../fixtures/players/discover.ts';
import { createPlayerTokens } from '../../fixtures/players/player-tokens.ts';
import type { Session } from '../../fixtures/players/session.ts';
import { signInWith } from '../../fixtures/players/sign-in.ts';
import { ConfigurationError } from '../../fixtures/target/configuration-error.ts';
import type { Target } from '../../fixtures/target/target.ts';
import type { Cast, Person } from '../k6/plan.ts';

export interface SignedIn {
  readonly person: Person;
  readonly session: Session;
}

export interface PeopleOptions {
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

/** Refused in a row, the next will fare no better. */
const mostInVain = 5;
const atOnce = 16;

/**
 * @returns different people, in order
 * @throws ConfigurationError where the target lets in too few
 */
export async function signInPeople(options: PeopleOptions): Promise<SignedIn[]> {
  const { client, target, redactor, discovery, wanted, fewest, signal } = options;
  const tokens = createPlayerTokens(target, redactor, discovery);
  const given = target.loginTokens.length > 0 && target.loginTokenCommand === undefined;
  const most = given ? Math.min(wanted, tokens.accounts) : wanted;
  const found: (SignedIn | undefined)[] = [];
  let next = 1;
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
  const worker = async (): Promise<void> => {
    while (next <= most && inVain < mostInVain && !signal.aborted) {
      next += 1;
      await one(next - 1);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, most) }, worker));
  const people = different(found);
  if (people.length < fewest)
    throw new ConfigurationError([
      `load: the journey needs ${fewest} different players and ${people.length} could sign in: ${why}`,
    ]);
  return people;
}

/** Two tokens of one player are one person. */
function different(found: readonly (SignedIn | undefined)[]): SignedIn[] {
  const ids = new Set<string>();
  return found.flatMap((signedIn) => {
    if (!signedIn) return [];
    const { playerId } = signedIn.session;
    if (playerId !== undefined && ids.has(playerId)) return [];
    if (playerId !== undefined) ids.add(playerId);
    return [signedIn];
  });
}

function personOf({ credentials, query = [], playerId }: Session, token: string, name: string): Person {
  return {
    headers: Object.fromEntries(credentials.map(([field, value]) => [field.toLowerCase(), value])),
    query: query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&'),
    values: { token, 'player.name': name, ...(playerId !== undefined && { 'player.id': playerId }) },
  };
}

/** People in groups of that size. */
export const castsOf = (people: readonly SignedIn[], size: number): Cast[] =>
  Array.from({ length: Math.floor(people.length / size) }, (_, nth) =>
    people.slice(nth * size, (nth + 1) * size).map(({ person }) => person),
  );
