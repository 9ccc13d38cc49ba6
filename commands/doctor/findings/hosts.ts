// Finds problems of each host: whether it is reachable, speaks the interface, and how long it takes to answer.
import { troubleOf } from '../../../engine/preflight/lines.ts';
import { placements, resemblancePlacement } from '../../../engine/preflight/wrong-address.ts';
import { reasons } from '../../../engine/run/reason-codes.ts';
import { isWall, remedyFor, type Wall, wallIn } from '../../../engine/target/session-transport.ts';
import type { Target } from '../../../engine/target/target.ts';
import { defaultLimits } from '../../../engine/values/default-limits.ts';
import { inSeconds } from '../../../engine/values/text.ts';
import { typed, typedWith } from '../../../engine/values/typed-command.ts';
import { type Examination, type HostSample, usualLimits } from '../examine.ts';
import type { Sampled } from '../observe-operation.ts';
import { givenVersionFindings, isLost } from './client-data.ts';
import { type Finding, hides, more, stops } from './finding.ts';

export function unreachableFindings({ hosts }: Examination): Finding[] {
  return hosts.flatMap(({ host, url, reach, certificate }) => {
    if (reach.reachable) return [];
    const { distrusted, names } = certificate ?? {};
    const why = [distrusted, names && `issued for ${names}`].filter(Boolean).join(', ');
    const what = `${host}: not reached at ${url} (${reach.error}${why && reach.instead === undefined ? `: ${why}` : ''})`;
    const longer =
      reach.error === 'timeout'
        ? `; doctor waits ${inSeconds(usualLimits.callMs)}, ${typed('run')} longer (--timeout)`
        : '';
    return stops('unreachable', what, `${troubleOf(reach)}${longer}`, host);
  });
}

/** Reports URLs that were swapped, that have a superfluous path prefix, or where another host answers. */
export function misplacedFindings({ misplaced, resemblances, hosts, target }: Examination): Finding[] {
  const lost = new Set(hosts.filter(servesNothing).map(({ host }) => host));
  const likeOthers = resemblances.filter(({ host, as }) => as !== undefined && lost.has(host));
  const found = [
    ...placements(misplaced, lost, target),
    ...likeOthers.flatMap((each) => resemblancePlacement(each, target) ?? []),
  ];
  return found.map(({ what, remedy, host }) => stops('misplaced', what, remedy, host));
}

/** Reports hosts besides the main API that refuse calls with every session that could be sent. */
export function wallFindings({ hosts, target }: Examination): Finding[] {
  return hosts.flatMap((hostSample) => {
    const { host } = hostSample;
    const wall = wallOf(hostSample, target);
    if (wall === undefined || host === 'base') return [];
    const isTooLittle = (hostSample.share?.judged ?? 1) < defaultLimits.minJudged / 100;
    const weighed = isTooLittle || servesNothing(hostSample) ? stops : hides;
    return weighed('wall', `${host}: ${wallIn(wall)}`, remedyFor(host, wall), host);
  });
}

function wallOf(
  { host }: Pick<HostSample, 'host'>,
  { sessions }: Pick<Target, 'sessions'>,
): Wall | undefined {
  const found = host === 'base' ? undefined : sessions?.[host];
  return isWall(found) ? found : undefined;
}

/** Reports hosts that answer every read like a path that cannot exist. */
export function nothingServedFindings(examination: Examination): Finding[] {
  const isVersionWrong = givenVersionFindings(examination).length > 0;
  const elsewhere = new Set(misplacedFindings(examination).map(({ host }) => host));
  return examination.hosts.filter(servesNothing).flatMap((hostSample) => {
    if (elsewhere.has(hostSample.host) || wallOf(hostSample, examination.target)) return [];
    const found =
      hostSample.host === 'cdn' && isVersionWrong ? undefined : whyNothing(hostSample, examination);
    if (!found) return [];
    const statuses = statusesOf(hostSample).join(', ') || 'no answer';
    const count = decidedOperations(hostSample).length;
    const operations = count === 1 ? 'the one operation is' : `all ${count} operations are`;
    const what = `${hostSample.host}: ${operations} answered like a path that cannot exist (${statuses})`;
    return stops(found.code, what, found.remedy, hostSample.host);
  });
}

/** Undefined where another finding reports the same. */
function whyNothing(
  hostSample: HostSample,
  { discovery, target }: Examination,
): Pick<Finding, 'code' | 'remedy'> | undefined {
  const { host } = hostSample;
  const sample = decidedOperations(hostSample);
  const statuses = statusesOf(hostSample);
  if (sample.some(({ seen }) => seen === 'redirected'))
    return {
      code: 'redirected',
      remedy: 'it redirects to a login page or another origin: give the URL of the API itself',
    };
  // Its paths hold an unknown word: the findings about words report it.
  if (sample.every(({ reason }) => reason === 'word-unknown')) return undefined;
  if (sample.every(({ seen }) => seen === 'silent')) return { code: 'silent', remedy: whySilent(hostSample) };
  // Its folder is assumed, and the findings about segments report that.
  if (isLost(hostSample)) return undefined;
  // Its version is a guess, and no file is delivered under it: the findings about segments report that too.
  if (host === 'cdn' && !target.given.includes('gameVersion') && statuses.every((status) => status > 399))
    return undefined;
  if (statuses.every((status) => status === 401 || status === 403)) {
    const nobodySignedIn = host === 'base' && discovery?.kind !== 'found';
    if (nobodySignedIn && !(discovery?.kind === 'refused' && discovery.likeUnrouted)) return undefined;
    return {
      code: 'wall',
      remedy: 'a gateway may stand before it: put what it wants into headers of the profile',
    };
  }
  if (sample.some(isAnyName)) return { code: 'any-name', remedy: reasons['any-name'].remedy };
  if (statuses.some((status) => status < 300))
    return {
      code: 'catch-all',
      remedy: 'it answers every path with success: give the URL of the API, or let unrouted paths answer 404',
    };
  return {
    code: 'nothing-served',
    remedy: 'check its URL, port and path prefix: is this the server that you mean?',
  };
}

const isAnyName = ({ reason }: Sampled) => reason === 'any-name';

/** Reports files that are answered like a name that cannot exist, on a host that serves other files. */
export function anyNameFindings({ hosts }: Examination): Finding[] {
  return hosts.flatMap((hostSample) => {
    const open = hostSample.sample.filter(isAnyName).length;
    if (open === 0 || servesNothing(hostSample)) return [];
    return hides(
      'any-name',
      `${hostSample.host}: ${open} of ${decidedOperations(hostSample).length} files are answered as a file name that cannot exist is, so a run cannot say whether they are there`,
      reasons['any-name'].remedy,
      hostSample.host,
    );
  });
}

const tooSlowMs = 500;

function whySilent({ reach, seen: { limited } }: HostSample): string {
  if (limited > 0) return 'it allows no more calls for now: try again later';
  return reach.reachable && reach.latencyMs > tooSlowMs
    ? `an answer takes ${inSeconds(reach.latencyMs)}, too long for the ${inSeconds(usualLimits.examineMs)} of doctor: ${typed('run')} waits longer (--timeout 30)`
    : 'it answered an unknown path, and then nothing more: look at its log';
}

const decidedOperations = ({ sample }: Pick<HostSample, 'sample'>) =>
  sample.filter(({ seen }) => seen !== 'untold');

const statusesOf = (hostSample: HostSample) =>
  [...new Set(decidedOperations(hostSample).map(({ status }) => status))].filter((status) => status > 0);

const servesNothing = (hostSample: Pick<HostSample, 'reach' | 'sample'>) =>
  hostSample.reach.reachable &&
  decidedOperations(hostSample).length > 0 &&
  !hostSample.sample.some(({ seen }) => seen === 'served');

const mostSkewMs = 30_000;

export function clockFindings({ hosts }: Examination): Finding[] {
  return hosts.flatMap(({ host, seen: { clockAheadMs = 0 } }) =>
    Math.abs(clockAheadMs) < mostSkewMs
      ? []
      : hides(
          'clock-skew',
          `${host}: its clock is ${inSeconds(Math.abs(clockAheadMs))} ${clockAheadMs > 0 ? 'ahead of' : 'behind'} ours`,
          'set both by NTP: tokens may seem expired, or not yet valid',
        ),
  );
}

export function rateLimitFindings({ hosts }: Examination): Finding[] {
  return hosts.flatMap(({ host, seen: { limited, calls, limit } }) =>
    limited === 0
      ? []
      : hides(
          'rate-limited',
          `${host}: ${limited} of ${calls} calls were answered 429${limit === undefined ? '' : ` (${limit})`}`,
          `slow the run down and give it more time: ${typedWith('run')} --rate 20 --budget 900`,
        ),
  );
}

/** Reports hosts with transient errors: they answer some calls with a server error, and otherwise on repetition. */
export function transientErrorFindings({ hosts }: Examination): Finding[] {
  return hosts.flatMap(({ host, passingErrors: { errors, calls } }) =>
    errors === 0
      ? []
      : hides(
          'passing-errors',
          `${host}: ${errors} of ${calls} calls met a server error, and another answer when they were put again`,
          'look for these errors in its log first: any call of a run may meet one, and a check that fails because of one looks like another defect',
          host,
        ),
  );
}

/** Calls that a run sends, in round figures. */
const callsOfRun = 3_000;

export function slownessFindings({ hosts, concurrency }: Examination): Finding[] {
  const slowest = Math.max(0, ...hosts.map(({ reach }) => (reach.reachable ? reach.latencyMs : 0)));
  const runMs = (callsOfRun * slowest) / concurrency;
  if (runMs < defaultLimits.budgetMs * 0.8) return [];
  return [
    hides(
      'slow',
      `an answer takes ${inSeconds(slowest)}: ${callsOfRun} calls, ${concurrency} at a time, take ${Math.ceil(runMs / 60_000)} minutes of the ${defaultLimits.budgetMs / 60_000} that a run has`,
      `${typedWith('run')} --budget ${Math.ceil(runMs / 30_000) * 60} --timeout 30`,
    ),
  ];
}

const soonMs = 14 * 86_400_000;

export function certificateFindings({ hosts, at }: Examination): Finding[] {
  return hosts.flatMap(({ host, certificate }) => {
    const { endsAt, distrusted } = certificate ?? {};
    if (endsAt === undefined || distrusted !== undefined || endsAt - at > soonMs) return [];
    const day = new Date(endsAt).toISOString().slice(0, 10);
    return more('certificate-ends', `${host}: its certificate ends on ${day}`, 'renew it');
  });
}
