// Decides from all sightings what a run would say of each operation: whether it is served, and whether the neutral words fit.
import { areas, isPublic, operationById } from '../../catalog/catalog.ts';
import type { Host, Operation } from '../../catalog/operation.ts';
import { type Word, wordGiven, words } from '../../catalog/words.ts';
import type { InconclusiveReason } from '../../engine/judgement.ts';
import type { Discovery } from '../../engine/players/session-discovery.ts';
import { type Observation, type Routed, verdict } from '../../engine/probe/served/verdict.ts';
import type { Profile } from '../../engine/target/profile.ts';
import { is2xx } from '../../engine/values/status.ts';
import type { Look, Sighted } from './sighting.ts';

/**
 * An operation that names a resource or a state and is missing is known to be missing where nothing of its area is served,
 * operations that could not be absent among it; else the resource may be unknown, and a run leaves it open.
 */
export function inDeadAreas(sighted: readonly Sighted[]): Sighted[] {
  const rows = sighted.map((observation) => ({ observation, ...aboutOf(observation) }));
  const byArea = Map.groupBy(rows, ({ area }) => area);
  return rows.map(({ observation, area, mayBeAbsent }) => {
    const { reason, ...rest } = observation;
    const isMissing = observation.seen === 'unrouted' && reason === undefined;
    if (!mayBeAbsent || !(isMissing || reason === 'unknown-resource')) return observation;
    const neighbours = byArea.get(area) ?? [];
    const isDead =
      neighbours.every((other) => other.observation.seen !== 'served') &&
      neighbours.some((other) => !other.mayBeAbsent && other.observation.seen === 'unrouted');
    return isDead ? { ...rest, seen: 'unrouted' } : { ...rest, reason: 'unknown-resource' };
  });
}

function aboutOf({ id, host }: Sighted) {
  const row = operationById(id);
  return { area: `${host} ${row?.area}`, mayBeAbsent: row !== undefined && row.absence !== 'never' };
}

interface Around {
  /** How the login was answered; none where it could not be called. */
  readonly signedInBy: readonly Sighted[];
  readonly isSignedIn: boolean;
  /** Client data was found, or its folder and version were given. */
  readonly hasSegments: boolean;
}

/** With this many operations that stand out, the answer to the others is proven to mean that there is no route. */
const enoughToProve = 3;

export function verdicts(looks: readonly Look[], { signedInBy, isSignedIn, hasSegments }: Around): Sighted[] {
  const standing = Map.groupBy(looks.filter(standsOut), hostOf);
  // As in a run, a file that is there proves the folder and the version.
  const isLost =
    !hasSegments && !standing.get('cdn')?.some((look) => 'row' in look && look.row.absence === 'never');
  const hasLogin = signedInBy.some(({ seen }) => seen !== 'unrouted');
  return looks.map((look) => {
    if (!('row' in look)) return look;
    const { row, status, alone } = look;
    const proven = (standing.get(row.host)?.length ?? 0) >= enoughToProve;
    const found = 'served' in alone ? alone : verdict({ ...alone, proven, areaIsDead: false });
    // A host that refuses everybody says nothing of a folder or a version.
    if (row.host === 'cdn' && isLost && status > 0 && status !== 401 && !standsOut(look))
      return sighted(look, 'open', 'segments-unknown');
    if (found.served === true) return sighted(look, 'served');
    if (row.host === 'base' && !isSignedIn && hasLogin && !isPublic(row) && mayBeUnrouted(found))
      return sighted(look, 'open', 'no-session');
    return found.served === false ? sighted(look, 'unrouted') : undecided(look, found.reason);
  });
}

type ReadLook = Extract<Look, { row: Operation }>;

const sighted = (
  { row: { id, host }, status }: ReadLook,
  seen: Sighted['seen'],
  reason?: InconclusiveReason,
): Sighted => ({ id, host, status, seen, ...(reason && { reason }) });

const silences: ReadonlySet<InconclusiveReason> = new Set([
  'rate-limited',
  'timeout',
  'reset',
  'unreachable',
]);
/** Reasons that mean the operation was not asked. */
const unasked: ReadonlySet<InconclusiveReason> = new Set(['budget', 'interrupted', 'prerequisite-failed']);

function undecided(look: ReadLook, reason: InconclusiveReason): Sighted {
  if (unasked.has(reason)) return sighted(look, 'untold');
  if (silences.has(reason)) return sighted(look, 'silent');
  return sighted(look, reason === 'redirected' ? 'redirected' : 'open', reason);
}

const uncertain: ReadonlySet<InconclusiveReason> = new Set([
  ...(['unknown-resource', 'auth-wall', 'catch-all', 'shadowed'] as const),
]);
const mayBeUnrouted = (found: Routed) =>
  found.served === undefined ? uncertain.has(found.reason) : found.served === false;

const hostOf = (look: Look): Host => ('row' in look ? look.row.host : look.host);

/** Returns whether the operation succeeded, unlike the unrouted paths. */
const standsOut = (look: Look) =>
  'row' in look && !('served' in look.alone) && is2xx(look.status) && isUnlike(look.alone);
const isUnlike = ({ differs }: Omit<Observation, 'areaIsDead'>) =>
  differs.sibling && differs.tail && differs.root && differs.name !== false;

// Whether the neutral words fit: operations that hold one are compared with operations of the same host that hold none.

/** `unknown`: what holds it is unrouted while its neighbours are served. `untold`: neither is known. */
type Fit = 'fits' | 'unknown' | 'untold';

interface WordFit {
  readonly word: Word;
  readonly fit: Fit;
  /** The word that the profile gives in its place. */
  readonly given?: string;
}

/** Plain data: every neutral word, and operations that may hold it in another spelling than the document's. */
export interface Words {
  readonly fits: readonly WordFit[];
  /** Operations that are unrouted while their neighbours are served, where the document leaves open what is meant. */
  readonly open: readonly string[];
}

const nothingGiven = { words: {}, wordsAt: {} };

export function wordsOf(
  sighted: readonly Sighted[],
  profile: Profile = { ...nothingGiven } as Profile,
): Words {
  const rows = sighted.map((each) => ({
    ...each,
    operation: operationById(each.id) as Operation,
  }));
  type Row = (typeof rows)[number];
  const anyServed = (some: readonly Row[]) => some.some(({ seen }) => seen === 'served');
  const neighbours = ({ host }: Row) =>
    rows.filter((row) => row.host === host && row.operation.words.length === 0);

  const fitOf = (word: Word): Fit => {
    const holders = rows.filter(({ operation }) =>
      operation.words.some((mark) => mark.word === word && !mark.open),
    );
    if (anyServed(holders)) return 'fits';
    const missing = holders.some((row) => row.seen === 'unrouted' && anyServed(neighbours(row)));
    return missing ? 'unknown' : 'untold';
  };

  return {
    fits: words.map((word) => {
      const given = Object.hasOwn(profile.words, word) ? profile.words[word] : undefined;
      return { word, fit: fitOf(word), ...(given !== undefined && { given }) };
    }),
    open: rows
      .filter((row) => row.seen === 'unrouted' && anyServed(neighbours(row)))
      .filter(({ operation }) =>
        operation.words.some((mark) => mark.open && wordGiven(operation.id, mark, profile) === undefined),
      )
      .map(({ id }) => id),
  };
}

/** The sighting of the login, from the sign-in that called it. */
export function loginSighted(discovery: Discovery | undefined): Sighted[] {
  if (discovery === undefined || discovery.kind === 'no-token' || discovery.kind === 'unreachable') return [];
  const { id, host } = areas.auth.login;
  const likeUnrouted =
    discovery.kind === 'unrouted' || (discovery.kind === 'refused' && discovery.likeUnrouted);
  const status = 'status' in discovery ? discovery.status : 200;
  if (status === 429) return [];
  return [{ id, host, seen: likeUnrouted ? 'unrouted' : 'served', status }];
}
