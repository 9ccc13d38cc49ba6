// Explains reason codes: what each means, and what a user can do about it.
import { operationById } from '../../catalog/catalog.ts';
import { contentParameters, type Host, type Operation, parametersOf } from '../../catalog/operation.ts';
import { hasPlaceholder, segmentsOf } from '../../catalog/path-templates.ts';
import type { InconclusiveReason, NotApplicableReason } from '../judgement.ts';
import { remedyOfOneId } from '../players/accounts.ts';
import { remedyOfNoSession } from '../players/sign-in-discovery.ts';
import { unroutedBelow } from '../probe/served/routed-table.ts';
import { remedyOfWall } from '../target/session-transport.ts';
import { variableOf } from '../target/settings.ts';
import { byFrequency } from '../values/by-frequency.ts';
import { typed } from '../values/typed-command.ts';
import { flowOf, isStep, operationsOf, type Result, type RunResult } from './result.ts';

type Reason = InconclusiveReason | NotApplicableReason;

export const reasons: Readonly<Record<Reason, { readonly means: string; readonly remedy: string }>> = {
  'no-session': {
    means:
      'it needs a signed-in player and there is none: the token is refused, the login is not served or not answered, no credential in its answer works, or BASE_URL is not set',
    remedy: `set LOGIN_TOKEN to a token the target accepts; ${typed('doctor')} names other causes`,
  },
  'auth-wall': {
    means: 'it is refused with 401 or 403',
    remedy:
      'set LOGIN_TOKEN to a token that is let in; for the logging API and client data, its detail says what became of the session there (session.hosts in the profile)',
  },
  'catch-all': {
    means: 'the target answers unrouted paths just like this one',
    remedy: 'make unrouted paths answer 404',
  },
  'any-name': {
    means: 'a client-data file is answered as a file name that cannot exist, so it may be there or not',
    remedy: 'answer 404 to client-data files that do not exist',
  },
  'unknown-resource': {
    means: 'it names a resource, and no existing one is known',
    remedy: `name in the profile (parameters) what ${typed('doctor')} asks for; of all else the run makes its own: leave out there what is not meant to be served (omit)`,
  },
  'needs-body': {
    means: 'the call was refused and its body is not documented',
    remedy: 'give its body in the profile',
  },
  'needs-state': {
    means: 'it depends on what the player did before',
    remedy:
      'leave it as it is; if your server means this answer, list its status in the profile (operations: accepts)',
  },
  'needs-players': {
    means: 'it needs more players than can sign in',
    remedy: 'give more tokens in LOGIN_TOKEN, or set LOGIN_TOKEN_COMMAND',
  },
  'needs-signer': {
    means: 'it needs a token with claims that Assay chooses, and none can be signed here',
    remedy: 'let LOGIN_TOKEN_COMMAND sign the claims that it gets in ASSAY_CLAIMS',
  },
  'needs-value': {
    means: "an attack needs a value that none of the target's answers gives: a code, something to buy",
    remedy: 'give it in the profile, under the key that its detail names',
  },
  'prerequisite-failed': {
    means: 'a step before it did not come about',
    remedy: 'mend the step before it first; its detail names that step, and how it ended',
  },
  'unstable-controls': {
    means: 'unrouted paths are answered differently each time',
    remedy: 'make unrouted paths answer alike',
  },
  'unstable-answers': {
    means: 'equal calls were answered differently',
    remedy:
      'run again; where that does not help, find out what changes between equal calls: often one of several instances behind the URL',
  },
  redirected: {
    means: 'the target redirects to a login page or another origin',
    remedy: 'point the URL at the API itself, and sign in',
  },
  shadowed: {
    means: 'another documented call answers on the same path',
    remedy: 'let this call answer differently from the one that shadows it',
  },
  'word-unknown': {
    means: 'no call with this neutral word is served while others are',
    remedy: "give the target's word in the profile (words), or leave the operation out there (omit)",
  },
  'segments-unknown': {
    means: 'no client-data file is served under a folder and version that were not both given',
    remedy: `set what is missing of CDN_ROOT_FOLDER_PATH, GAME_VERSION and VERSION_PATTERN; ${typed('doctor')} says which fit`,
  },
  'not-served': {
    means: 'the operation itself is not served, so nothing more can be asked of it',
    remedy: 'serve it (see its #routed check), or omit it in the profile',
  },
  'rate-limited': {
    means: 'the target asked to slow down for longer than the run could wait',
    remedy: 'use a lower --rate, or a longer --budget',
  },
  'too-large': {
    means: 'the answer is larger than a run can look at: more than 16 MiB, or too many values',
    remedy: 'answer with less, or in parts',
  },
  timeout: {
    means: 'no answer within the deadline',
    remedy: "look at the target's log; raise --timeout if it is honestly slow",
  },
  reset: { means: 'the connection broke before an answer', remedy: "look at the target's log for a crash" },
  unreachable: { means: 'no connection to this host', remedy: 'check its URL and that it is up' },
  'target-lost': {
    means: 'the host stopped answering during the run',
    remedy: "find in the target's log why it stopped, and run again",
  },
  budget: { means: "the run's time was over before it was asked", remedy: 'raise --budget' },
  interrupted: {
    means: 'the run was stopped before it ended',
    remedy: 'run again, and let the run end',
  },
  'host-not-given': {
    means: 'its host was not given',
    remedy: 'set BASE_URL, CDN_URL or GAMELOGS_URL',
  },
  'not-triggered': { means: 'there was nothing for the rule to judge', remedy: 'nothing to do' },
  'left-out': { means: 'the profile leaves the operation out', remedy: 'nothing to do' },
  'read-only': {
    means: 'the call changes the target, and --read-only was asked for',
    remedy: 'run without --read-only',
  },
  'attack-off': { means: 'it attacks, and this run does not', remedy: 'run with --attack on' },
  'not-exercised': {
    means: 'an attack lacked what it needs: a value, a signer, players or time',
    remedy: 'give what its detail names; with --attack on it counts as inconclusive until then',
  },
};

// Remedies for one particular run. A result holds only a reason and a text, so a module that writes a text with a
// remedy of its own also recognises that text.
type Run = Pick<RunResult, 'options' | 'ended' | 'target'>;
type RemediesReason = keyof typeof reasons;

const unknown = { means: 'this version of Assay does not know the reason', remedy: 'see result.json' };

/**
 * What a reason means, and what to do about the checks that share it.
 * @param found those checks
 */
export function reasonIn(
  run: Run,
  reason: string,
  found: readonly Result[],
): { readonly means: string; readonly remedy: string } {
  if (!Object.hasOwn(reasons, reason)) return unknown;
  const { means, remedy } = reasons[reason as RemediesReason];
  return { means, remedy: remedyIn(run, reason as RemediesReason, found, remedy) };
}

function remedyIn(run: Run, reason: RemediesReason, found: readonly Result[], usual: string): string {
  const { options, ended } = run;
  switch (reason) {
    case 'needs-state':
      return options.readOnly ? 'run without --read-only, which leaves out what brings players there' : usual;
    case 'interrupted':
      if (ended === 'bail') return 'run without --bail, or mend what failed first';
      return ended === 'worker-died' ? 'report it: Assay itself broke off' : usual;
    case 'needs-players':
      return ended === 'budget'
        ? 'raise --budget: there was no time to sign more players in'
        : (found.map(({ detail = '' }) => remedyOfOneId(detail)).find(Boolean) ?? usual);
    case 'no-session':
      return remedyOfNoSession(found[0]?.detail ?? '') ?? usual;
    case 'auth-wall':
      return wallOf(found);
    case 'host-not-given':
      return `set ${[...new Set(found.map((check) => variableOf[absentHost(run, check)]))].join(' and ')}`;
    case 'catch-all':
      return belowPrefix(found) ?? usual;
    case 'prerequisite-failed':
      return rootsOf(found, usual);
    case 'unknown-resource':
      return unnamedIn(found) ?? usual;
    default:
      return usual;
  }
}

/** The remedy for unknown resources: what a user can name of those that these operations take, or that nothing is. */
function unnamedIn(found: readonly Result[]): string | undefined {
  const operations = [...new Set(found.flatMap(operationsOf))].flatMap((id) => operationById(id) ?? []);
  if (operations.length === 0) return undefined;
  const takes = operations.map((operation) => parametersOf(operation));
  const nameable = [...contentParameters, 'versionPattern'].filter((name) =>
    takes.some((names) => names.includes(name)),
  );
  if (nameable.length === 0)
    return 'leave the operation out in the profile (omit) where it is not meant to be served; the run makes its own, so there is nothing to name';
  const naming = `name in the profile (parameters) what exists: ${nameable.join(', ')}`;
  return takes.every((names) => names.some((name) => nameable.includes(name)))
    ? `${naming}; or leave the operation out there (omit)`
    : `${naming}; of all else the run makes its own: leave out there what is not meant to be served (omit)`;
}

/** The host that was not given; for a check of several hosts, it may be another than the check's own. */
export function absentHost({ target }: Pick<RunResult, 'target'>, { host, operation }: Result): Host {
  const hosts = [operation].flat().flatMap((id) => operationById(id)?.host ?? []);
  return hosts.find((each) => target[each] === undefined) ?? host;
}

/** The remedy for refusals: a token on the main API; on another host it depends on how that host treats the session. */
function wallOf(found: readonly Result[]): string {
  const remedies = found.map(({ host, detail = '' }) => ({
    host,
    remedy: host === 'base' ? remedyOfRefusal(detail) : remedyOfWall(host, detail),
  }));
  const different = [...new Map(remedies.map((each) => [each.remedy, each])).values()];
  const [only] = different;
  if (different.length === 1 && only) return only.remedy;
  return different.map(({ host, remedy }) => `${host}: ${remedy}`).join('; ');
}

/** The remedy for a refusal on the main API: a 403 to one plain call, while others succeed, has its own reason. */
const remedyOfRefusal = (detail: string): string =>
  / is answered 403$/.test(detail)
    ? 'its answer in result.json says why: set LOGIN_TOKEN to a player who is let in, or list 403 in the profile (operations: accepts)'
    : 'set LOGIN_TOKEN to a token that is let in';

const mostPrefixes = 3;

/** The remedy where the host answers unrouted paths alike only below some prefixes: it names them. */
function belowPrefix(found: readonly Result[]): string | undefined {
  if (!found.every(({ detail = '' }) => detail.startsWith(unroutedBelow))) return undefined;
  const prefixes = prefixesOf(found.flatMap(operationsOf).flatMap((id) => operationById(id) ?? []));
  if (prefixes.length === 0) return undefined;
  const more = prefixes.length > mostPrefixes ? ' and others' : '';
  return `make unrouted paths below ${prefixes.slice(0, mostPrefixes).join(', ')}${more} answer 404, as elsewhere on this host`;
}

/** The fixed path above the operations of each area: `/api/v1/party`. */
function prefixesOf(operations: readonly Operation[]): string[] {
  const areas = Map.groupBy(operations, ({ area }) => area);
  return Array.from(areas.values(), (ofArea) => {
    const [first = [], ...others] = ofArea.map((operation) => fixedAbove(segmentsOf(operation)));
    return first.filter((_, at) => others.every((other) => isSameUpTo(first, other, at))).join('/');
  });
}

/** The segments of a path before its first placeholder; without one, all but the last. */
function fixedAbove(segments: readonly string[]): readonly string[] {
  const at = segments.findIndex(hasPlaceholder);
  return at < 0 ? segments.slice(0, Math.max(leastPrefix, segments.length - 1)) : segments.slice(0, at);
}

/** Segments of `/api/v1/party`, the empty one included: an operation may have the prefix itself as its path. */
const leastPrefix = 4;

const isSameUpTo = (one: readonly string[], other: readonly string[], end: number) =>
  one.slice(0, end + 1).every((segment, at) => segment === other[at]);

const codes = new RegExp(`\\b(${Object.keys(reasons).join('|')}), `, 'g');
const mostRoots = 3;

/** The remedy where an earlier step is inconclusive: its reason, from details such as `two friends: not-served, …`. */
function rootsOf(found: readonly Result[], usual: string): string {
  if (!found.some(({ id }) => isStep(id))) return 'mend its plain call first (see its #answers check)';
  const roots = found.map(
    ({ detail = '' }) =>
      Array.from(detail.matchAll(codes), ([, code]) => code).findLast(
        (code) => code !== 'prerequisite-failed',
      ) ?? '',
  );
  const rootReasons = byFrequency(roots.filter((root) => root !== '')).map(([root]) => root);
  if (rootReasons.length === 0)
    return found.some(({ detail = '' }) => detail.includes(': expected '))
      ? 'mend the step before it first'
      : usual;
  const named = rootReasons.slice(0, mostRoots);
  if (rootReasons.length > mostRoots) named.push('others');
  const all = named.join(', ').replace(/, ([^,]+)$/, ' and $1');
  return `do first what is advised for ${all}, where an earlier step stopped`;
}

/** One sentence on the flows of which at least half the steps could not be judged, with reasons; empty without any. */
export function unjudgedFlowSentences(checks: readonly Result[]): string[] {
  const steps = checks.filter(({ id, outcome }) => isStep(id) && outcome !== 'not-applicable');
  const flows = [...Map.groupBy(steps, ({ id }) => flowOf(id))].flatMap(([name, all]) => {
    const open = all.filter(({ outcome }) => outcome === 'inconclusive');
    return open.length * 2 >= all.length ? [{ name, open }] : [];
  });
  const open = flows.flatMap((flow) => flow.open);
  if (open.length === 0) return [];
  const reasons = byFrequency(open.map(({ reason }) => reason ?? 'no reason given')).map(
    ([reason, count]) => `${count} ${reason}`,
  );
  const names = flows.map(({ name }) => name).sort();
  return [
    `Half or more of ${names.join(', ')} could not be judged: ${open.length} ${open.length === 1 ? 'step' : 'steps'} (${reasons.join(', ')}).`,
  ];
}
