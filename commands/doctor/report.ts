// Renders the examination: lines for people, JSON for scripts, and an `omit` block to paste into a profile.

import { operationById } from '../../catalog/catalog.ts';
import { described } from '../../engine/players/session.ts';
import { hostLine, segmentsLine, sessionLines, signInLine, wordLines } from '../../engine/preflight/lines.ts';
import { meantOperations, type Omission, omissionsFrom } from '../../engine/target/profile.ts';
import type { Target } from '../../engine/target/target.ts';
import { is2xx } from '../../engine/values/status.ts';
import { inSeconds } from '../../engine/values/text.ts';
import { typed, typedWith } from '../../engine/values/typed-command.ts';
import type { Examination, HostSample } from './examine.ts';
import type { Finding, Weight } from './findings/finding.ts';
import { isReady } from './findings/findings.ts';
import { omittingCommand, percentOf, servedOf } from './findings/interface.ts';
import type { Words } from './sample-operations.ts';

/**
 * Operations that have no route, an area of them as one glob; except those whose word or resource may be unknown, those
 * of a host on which nothing is served (its URL is more likely to be wrong), and the login, which all the rest needs.
 */
export function omissionsOf({ hosts, target }: Pick<Examination, 'hosts' | 'target'>): Omission[] {
  const missing = new Set(
    hosts
      .filter(({ sample }) => sample.some(({ seen }) => seen === 'served'))
      .flatMap(({ sample }) =>
        sample.filter(({ seen, reason }) => seen === 'unrouted' && reason === undefined),
      )
      .map(({ id }) => id),
  );
  return omissionsFrom(missing, target);
}

/**
 * Lines to paste into a profile; none where nothing is to be left out. Where there is no room for a line each, the
 * command that writes them.
 * @param unknown how many operations were not looked at, so that the list may be incomplete
 */
export function omitLines(
  omissions: readonly Omission[],
  mostLines: number,
  target: Pick<Target, 'profileFile'>,
  unknown = 0,
): string[] {
  if (omissions.length === 0) return [];
  const rest = unknown === 0 ? '' : ` (${unknown} more operations were not looked at; a run asks them)`;
  const writing = omittingCommand(target);
  const block = [
    '',
    `for the profile, where these are not meant to be served (${writing} writes such a block)${rest}:`,
    '"omit": [',
    ...omitEntries(omissions).map((entry) => `  ${entry}`),
    ']',
  ];
  if (block.length <= mostLines) return block;
  const some = omissions.slice(0, mostNamed).map(({ operation }) => operation);
  const more = omissions.length - some.length;
  const short = [
    '',
    `not served: ${some.join(', ')}${more > 0 ? ` and ${more} more` : ''}${rest}`,
    `  where they are not meant to be: ${writing} leaves them out; "omit" of ${typedWith('doctor', 'quietly')} --json is the block to paste`,
  ];
  return short.length <= mostLines ? short : [];
}

const mostNamed = 5;

/** The entries of `omit`, a line each, as JSON. */
export const omitEntries = (omissions: readonly Omission[]): string[] =>
  omissions.map(
    ({ operation, reason }, nth) =>
      `{ "operation": ${JSON.stringify(operation)}, "reason": ${JSON.stringify(reason)} }${nth + 1 < omissions.length ? ',' : ''}`,
  );

const mostFindings = 10;
const mostLines = 40;

const headings: Readonly<Record<Weight, string>> = {
  stops: 'to mend first',
  hides: 'hides part of the interface',
  more: 'would let more be judged',
};

/** Renders at most 40 lines: what was seen of each host, then what is wrong, which only the findings say. */
export function linesOf(examination: Examination, findings: readonly Finding[]): string[] {
  const { hosts, discovery, segments, target, words, ownWords, calls, tookMs } = examination;
  const shownFindings = findings.slice(0, mostFindings);
  const more = findings.length - shownFindings.length;
  const verdict = isReady(findings)
    ? `Ready: a run can judge enough of this target (${typed('run')}).`
    : 'Not ready: a run could not judge enough of this target.';
  const seen = [
    ...(target.embedded ? ['the embedded server, since no BASE_URL, CDN_URL or GAMELOGS_URL is set'] : []),
    ...hosts.flatMap((host) => hostLines(host, target)),
    ...(discovery?.kind === 'found' ? [signInLine(discovery, target)] : []),
    ...sessionLines(target, 'taken'),
    ...(segments?.found ? [segmentsLine(segments, target, false)] : []),
    ...wordsLine(words),
    ...(ownWords?.game || ownWords?.storefront ? wordLines({ ...ownWords, doubted: [] }) : []),
    ...shownFindings.flatMap((finding, nth) => [
      ...(shownFindings[nth - 1]?.weight === finding.weight ? [] : ['', `${headings[finding.weight]}:`]),
      `- ${finding.what}`,
      `  → ${finding.remedy}`,
    ]),
    ...(more > 0 ? [`… and ${more} more (--json)`] : []),
  ];
  const ending = [
    '',
    verdict,
    ...(isReady(findings) && hosts.some(({ host }) => host === 'base') ? [flowsNotCounted] : []),
    `examined in ${inSeconds(tookMs)} with ${calls} calls; nothing was changed${isLetIn(discovery) ? ' except by signing in' : ''}`,
  ];
  const room = mostLines - seen.length - ending.length;
  return [...seen, ...omitLines(omissionsOf(examination), room, target, unknownIn(examination)), ...ending];
}

/** Whether the login answered with success, which may have begun a session. */
const isLetIn = (discovery: Examination['discovery']) =>
  discovery !== undefined && !['unrouted', 'refused', 'unreachable', 'no-token'].includes(discovery.kind);

/** Why the shares leave out flows. */
const flowsNotCounted =
  'No share counts the steps of flows: some need what only your profile can name, such as a code or something to buy, and a run says which.';

/** How many operations of reachable hosts were not looked at. */
function unknownIn({ hosts, target }: Pick<Examination, 'hosts' | 'target'>): number {
  const given = new Set(hosts.filter(({ reach }) => reach.reachable).map(({ host }) => host));
  const seen = hosts.flatMap(({ sample }) => sample).filter((each) => each.seen !== 'untold');
  return meantOperations(target).filter(({ host }) => given.has(host)).length - seen.length;
}

function hostLines({ host, reach, share, seen, sample, certificate }: HostSample, target: Target): string[] {
  if (!reach.reachable) return [`${host}: not reached`];
  const { clockAheadMs, limited, limit } = seen;
  const details = [
    ...(share
      ? [
          `${servedOf(share)}${withoutSuccess(sample)}`,
          `a run could judge ${percentOf(share)} of its documented checks`,
        ]
      : []),
    ...(certificate
      ? [`${certificate.protocol ?? 'TLS'}${certificate.distrusted ? ', not trusted' : ''}`]
      : []),
    clockAheadMs === undefined ? 'no Date' : `clock ${clock(clockAheadMs)}`,
    ...(limited > 0 ? [`${limited} × 429`] : []),
    ...(limit === undefined ? [] : [limit]),
  ];
  return [hostLine(reach, target), `  ${details.join(' · ')}`];
}

/** Says where no served read succeeded, since an operation with a route counts as served whatever it answers. */
function withoutSuccess(sample: HostSample['sample']): string {
  const reads = sample.filter(({ id, seen }) => seen === 'served' && operationById(id)?.effect === 'read');
  return reads.length > 0 && reads.every(({ status }) => !is2xx(status)) ? ', no read with success' : '';
}

/** Formats a clock difference in whole seconds, as precise as a Date field. */
const clock = (aheadMs: number) =>
  Math.abs(aheadMs) < 2_000
    ? 'in step'
    : `${(Math.abs(aheadMs) / 1000).toFixed(0)} s ${aheadMs > 0 ? 'ahead' : 'behind'}`;

function wordsLine({ fits }: Words): string[] {
  if (fits.every(({ fit }) => fit === 'untold')) return [];
  const phrases = fits.map(
    ({ word, fit, given }) => `${given === undefined ? word : `${word} is ${given}`} ${phrase[fit]}`,
  );
  return [`words: ${phrases.join(' · ')}`];
}

const phrase = { fits: '✓', unknown: 'not served', untold: '(not known)' } as const;

/** The examination as JSON without secrets. Keys are stable and always present; absent is null. Times in ms. */
export function doctorJson(examination: Examination, findings: readonly Finding[]) {
  const { target, hosts, discovery, segments, elsewhere, words, lacking, calls, at, tookMs } = examination;
  return {
    schema: 'assay.doctor/1',
    ready: isReady(findings),
    at: new Date(at).toISOString(),
    tookMs,
    calls,
    hosts: hosts.map(({ host, url, reach, seen, certificate, sample, share }) => ({
      host,
      url,
      reachable: reach.reachable,
      error: reach.reachable ? null : reach.error,
      latencyMs: reach.reachable ? reach.latencyMs : null,
      unrouted: reach.reachable ? reach.unrouted : null,
      clockAheadMs: seen.clockAheadMs ?? null,
      calls: seen.calls,
      limited: seen.limited,
      limit: seen.limit ?? null,
      certificate: certificate ?? null,
      sample: sample.map(({ id, seen, status, reason }) => ({
        operation: id,
        seen,
        status,
        reason: reason ?? null,
      })),
      share: share ?? null,
      session: host === 'base' ? null : (target.sessions?.[host]?.kind ?? null),
    })),
    signIn: discovery
      ? {
          kind: discovery.kind,
          from: 'from' in discovery ? discovery.from : null,
          session: discovery.kind === 'found' ? described(discovery.session.transport) : null,
          evidence: 'evidence' in discovery ? discovery.evidence : null,
        }
      : null,
    segments: segments ?? null,
    elsewhere: elsewhere ?? null,
    words: words.fits.map(({ word, fit, given }) => ({ word, fit, given: given ?? null })),
    lacking: lacking ?? null,
    omit: omissionsOf(examination),
    findings,
  };
}
