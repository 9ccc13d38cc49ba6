// Runs one check, and makes a result from its judgement: the outcome by its level, texts without secrets, the exchange
// and the curl command.

import { behaviourValue, othersData } from '../../catalog/behaviours.ts';
import type { Clause } from '../../catalog/clauses/clause.ts';
import { clauseById } from '../../catalog/clauses/clauses.ts';
import type { Host } from '../../catalog/operation.ts';
import { usedUp } from '../flow/used-up.ts';
import type { Exchange, RecordedExchange } from '../http/exchange.ts';
import type { Repetition } from '../http/script.ts';
import {
  inconclusive,
  type Judgement,
  notApplicable,
  type Outcome,
  type Prerequisite,
  pass,
  type ScenarioCall,
  violation,
} from '../judgement.ts';
import { type Check, leftOutOf, planned } from '../probe/check.ts';
import type { Context } from '../probe/context.ts';
import { type SharingLists, sharingOf } from '../target/sharing.ts';
import { remarked } from '../values/shell.ts';
import { cut } from '../values/text.ts';
import type { Rerun } from './rerun.ts';
import { isStep, type Result, type SequenceCall } from './result.ts';

export interface PerformOptions {
  readonly strict: boolean;
  readonly readOnly: boolean;
  /** Operations the profile leaves out, with its reason. */
  readonly omitted: ReadonlyMap<string, string>;
  /** Operations that the profile marks as changing. */
  readonly changing: ReadonlySet<string>;
  /** The operations whose data of other players the profile calls private or shared. */
  readonly sharing: SharingLists;
  readonly record: (exchange: Exchange) => RecordedExchange;
  readonly curl: (exchange: Exchange) => string;
  /** The script that repeats what a single request cannot. */
  readonly script?: (repetition: Repetition, summary: string) => string | undefined;
  /** The command that runs one check again, with the checks whose calls it judges. */
  readonly rerun: Rerun;
  /** Why the run attacks nothing; undefined where it does. */
  readonly noAttack?: string | undefined;
  /** The user asked for attacks: then an attack that cannot be made is inconclusive, not just left out. */
  readonly attackAsked?: boolean;
  /** The players existed before this run, so they may have used up what each can do once. */
  readonly outlives: boolean;
  /** Whether the run lists a result of this check. */
  readonly isPlanned: (id: string) => boolean;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
}

/** Runs a check. Never rejects: an exception is a defect of Assay, and becomes a harness-error. */
export async function runCheck(check: Check, context: Context, options: PerformOptions): Promise<Result> {
  const startedAt = new Date();
  const begun = performance.now();
  try {
    const unasked = notToRun(check, context, options);
    if (unasked !== undefined) check.passOver?.(context);
    const judgement = unasked ?? (await check.run(context));
    // A step knows itself whether its players are new.
    const used =
      options.outlives && judgement.kind === 'inconclusive' && !isStep(check.id)
        ? usedUp(judgement, check.operations)
        : undefined;
    const owned = asOwned(used ?? reasonOfLoss(judgement, check, context), check, options.sharing);
    return finish(resultOf(check, owned, options), owned.kind === 'violation' ? owned.seenIn : undefined);
  } catch (error) {
    return finish({ outcome: 'harness-error', detail: options.redact(oneLine(error)) });
  }

  function finish(parts: Pick<Result, 'outcome'> & Partial<Result>, seenIn: readonly string[] = []): Result {
    return {
      ...planned(check),
      ...parts,
      rerun: options.rerun(check, seenIn),
      startedAt: startedAt.toISOString(),
      durationMs: Math.round((performance.now() - begun) * 10) / 10,
    };
  }
}

function notToRun(
  check: Check,
  context: Context,
  { readOnly, omitted, changing, noAttack }: PerformOptions,
): Judgement | undefined {
  const out = leftOutOf(check, (id) => omitted.get(id));
  if (out !== undefined) return notApplicable('left-out', `the profile leaves ${out.id} out: ${out.reason}`);
  const hosts = hostsOf(check);
  const absent = hosts.find((host) => !context.given(host));
  if (absent !== undefined) return notApplicable('host-not-given', `no URL was given for the ${absent} host`);
  if (readOnly && (check.changes || check.operations.some(({ id }) => changing.has(id))))
    return notApplicable('read-only', 'it may change the target, and --read-only was asked for');
  if (check.attack && noAttack !== undefined) return notApplicable('attack-off', noAttack);
  const never = first(hosts, context.unreachable);
  if (never !== undefined) return inconclusive('unreachable', never);
  const why = first(hosts, context.lost);
  return why === undefined ? undefined : inconclusive('target-lost', why);
}

const hostsOf = ({ operations }: Check) => [...new Set(operations.map(({ host }) => host))];

/** The first reason that `why` gives for one of the hosts. */
const first = (hosts: readonly Host[], why: (host: Host) => string | undefined) =>
  hosts.map(why).find((line) => line !== undefined);

const mayMeanLoss = new Set(['timeout', 'reset', 'unreachable', 'interrupted']);

/** Corrects an inconclusive judgement where its host is the cause: lost, away, or refusing the session. */
function reasonOfLoss(judgement: Judgement, check: Check, context: Context): Judgement {
  if (judgement.kind !== 'inconclusive') return judgement;
  if (judgement.reason === 'unknown-resource') return withoutMainApi(judgement, context);
  if (judgement.reason === 'auth-wall' || judgement.reason === 'no-session')
    return ofWall(judgement, hostsOf(check), context);
  if (!mayMeanLoss.has(judgement.reason)) return judgement;
  const hosts = hostsOf(check);
  const why = first(hosts, context.lost);
  // A host that was never reached cannot be lost.
  return why === undefined || first(hosts, context.unreachable) !== undefined
    ? judgement
    : inconclusive('target-lost', why);
}

/** Applies the profile to a finding of another player's data: private data fails, and shared data is no finding. */
function asOwned(judgement: Judgement, check: Check, lists: SharingLists): Judgement {
  const { id, operations } = check;
  const clause = brokenClause(judgement, check);
  const isSeen =
    judgement.kind === 'observed'
      ? behaviourValue(id, judgement.behaviour) === othersData
      : judgement.kind === 'violation' && clause.othersData !== undefined;
  if (!isSeen) return judgement;
  const sharing = sharingOf(lists, [id, ...operations.map((each) => each.id)]);
  if (sharing === 'private') {
    if (judgement.kind === 'violation') return { ...judgement, level: 'profile' };
    if (judgement.kind !== 'observed') return judgement;
    const expected = "nothing of another player's data, which the profile calls private";
    return { ...violation(expected, judgement.behaviour, judgement.evidence), level: 'profile' };
  }
  if (sharing === 'shared' && judgement.kind === 'violation' && clause.othersData === 'on request')
    return pass(judgement.evidence, `${judgement.actual}, which the profile calls shared`);
  return judgement;
}

/** The clause that a judgement is about: one that it names itself, or the check's own. */
const brokenClause = (judgement: Judgement, { clause }: Check): Clause =>
  judgement.kind === 'violation' && judgement.clause !== undefined ? clauseById(judgement.clause) : clause;

/** Whether a violation shows another player's data. A clause that the judgement names itself is about access only. */
const showsOthers = ({ clause }: Pick<Check, 'clause'>, judgement: Judgement): boolean =>
  judgement.kind === 'violation' && clause.othersData !== undefined && judgement.clause === undefined;

/** Adds to a refusal by another host how that host treats the session, which shows the remedy. */
function ofWall(
  judgement: Extract<Judgement, { readonly kind: 'inconclusive' }>,
  [host, ...others]: readonly Host[],
  { wall }: Context,
): Judgement {
  if (host === undefined || host === 'base' || others.length > 0) return judgement;
  return { ...judgement, detail: `${judgement.detail}; ${wall(host)}` };
}

/** Identifiers come from the main API: an unknown resource while that host is away is caused by the host. */
function withoutMainApi(judgement: Judgement, context: Context): Judgement {
  const never = context.unreachable('base');
  const why = never ?? context.lost('base');
  if (why === undefined) return judgement;
  const detail = `the main API gives its identifiers, and is away: ${why}`;
  return inconclusive(never === undefined ? 'target-lost' : 'unreachable', detail);
}

function oneLine(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return text
    .split('\n')
    .slice(0, 4)
    .map((line) => line.trim())
    .join(' ‖ ');
}

/** The parts of a result that come from the judgement. */
function resultOf(
  check: Check,
  judgement: Judgement,
  options: PerformOptions,
): Pick<Result, 'outcome'> & Partial<Result> {
  const redact = (text: string) => safeText(text, options.redact);
  switch (judgement.kind) {
    case 'pass':
      return {
        outcome: 'pass',
        ...(judgement.level && { level: judgement.level }),
        ...(judgement.clause && { clause: judgement.clause }),
        ...(judgement.detail !== undefined && { detail: redact(judgement.detail) }),
      };
    case 'observed':
      return {
        outcome: 'observed',
        ...chosen(check, redact(judgement.behaviour)),
        ...(judgement.evidence && isKept(check) && { exchange: options.record(judgement.evidence) }),
      };
    case 'not-applicable':
      return { outcome: 'not-applicable', reason: judgement.reason, detail: redact(judgement.detail) };
    case 'inconclusive':
      if (check.attack && !options.attackAsked)
        return {
          outcome: 'not-applicable',
          reason: 'not-exercised',
          detail: redact(`${judgement.reason}: ${judgement.detail}`),
        };
      return {
        outcome: 'inconclusive',
        reason: judgement.reason,
        detail: redact(judgement.detail),
        ...(judgement.evidence && {
          exchange: options.record(judgement.evidence),
          curl: options.curl(judgement.evidence),
        }),
        ...prerequisiteOf(judgement.prerequisite, options),
      };
    case 'violation': {
      const level = judgement.level ?? check.level;
      const outcome = outcomeOfViolation({ ...check.clause, level }, options.strict);
      const [expected, actual] = [redact(judgement.expected), redact(judgement.actual)];
      return {
        outcome: judgement.onlyWarns && outcome === 'fail' ? 'warn' : outcome,
        level,
        ...(judgement.clause && { clause: judgement.clause }),
        expected,
        actual,
        ...(showsOthers(check, judgement) && { othersData: true as const }),
        ...(outcome === 'observed' && chosen(check, actual)),
        cause: judgement.cause === undefined ? causeOf(check, expected, actual) : redact(judgement.cause),
        ...(judgement.evidence && {
          exchange: options.record(judgement.evidence),
          ...(judgement.control && { control: options.record(judgement.control) }),
          curl: curlLine(judgement.evidence, judgement, options),
        }),
        ...scriptOf(judgement.repetition, actual, options),
        ...(judgement.sequence && { sequence: sequenceOf(judgement.sequence, options) }),
      };
    }
  }
}

/** Values in quotes that a server generates, such as ETags and ids; a list of them, however long, is one value. */
const opaqueValue = String.raw`(?:W/)?"(?=[^"\s]*\d)[^"\s]{6,}"`;
const opaque = new RegExp(`${opaqueValue}(?:(?:, | and )${opaqueValue})*`, 'g');

/** The `cause` of a violation that names none itself: equal for violations that differ only in their operation. */
function causeOf({ id, rule, clause, operations }: Check, expected: string, actual: string): string {
  // A missing effect fails several steps, each with its own text; a server error is another finding.
  if (isStep(id)) {
    const kind = /^5\d\d\b/.test(actual) ? ' | server error' : '';
    return `${clause.id} | ${operations.map((each) => each.id).join(' ')}${kind}`;
  }
  const neutral = (text: string) =>
    operations
      .reduce((replaced, { id }) => replaced.replaceAll(id, '‹operation›'), text)
      .replace(opaque, '‹value›')
      .replace(/https?:\/\/\S+|\/\S*/g, '‹path›')
      .replace(/\d{4,}/g, '‹n›');
  return `${rule} | ${clause.id} | ${neutral(expected)} | ${neutral(actual)}`;
}

const longestAnswer = 160;

/** The calls with the beginning of each answer's body. */
function sequenceOf(calls: readonly ScenarioCall[], { record }: PerformOptions): SequenceCall[] {
  return calls.map(({ exchange, ...call }) => {
    const { response } = exchange ? record(exchange) : {};
    return {
      ...call,
      ...(response?.body && { body: cut(response.body.replace(/\s+/g, ' '), longestAnswer) }),
    };
  });
}

/** The curl line that repeats a finding: the write before it, where there is one, and the request itself. */
function curlLine(
  evidence: Exchange,
  { byHand, write }: { readonly byHand?: string; readonly write?: Exchange },
  { curl }: PerformOptions,
): string {
  const commands = [...(write ? [write] : []), evidence].map(curl).join('; ');
  return byHand === undefined ? commands : remarked(commands, byHand);
}

/** The outcome of a violation of this clause. Strict makes inferred clauses fail, never open ones. */
function outcomeOfViolation(clause: Clause, strict: boolean): Outcome {
  switch (clause.level) {
    case 'documented':
    case 'profile':
      return 'fail';
    case 'standard':
      return clause.noticedByClient === true ? 'fail' : 'warn';
    case 'inferred':
      return strict ? 'fail' : 'warn';
    case 'open':
      return 'observed';
  }
}

/** How the step that is the reason ended, where the run lists no result of it, so that reports can show it. */
function prerequisiteOf(
  found: Prerequisite | undefined,
  { strict, redact, isPlanned }: PerformOptions,
): Pick<Result, 'prerequisite'> {
  if (found === undefined || isPlanned(found.step)) return {};
  const { step, clause, judgement } = found;
  if (judgement.kind === 'inconclusive') {
    const [reason, detail] = [judgement.reason, safeText(judgement.detail, redact)];
    return { prerequisite: { step, outcome: 'inconclusive', reason, detail } };
  }
  if (judgement.kind !== 'violation') return {};
  // A step without a clause only prepares: another scenario judges it.
  const outcome = clause
    ? outcomeOfViolation({ ...clause, level: judgement.level ?? clause.level }, strict)
    : 'inconclusive';
  const { expected, actual } = judgement;
  const texts = { expected: safeText(expected, redact), actual: safeText(actual, redact) };
  return { prerequisite: { step, outcome, ...texts } };
}

function scriptOf(
  repetition: Repetition | undefined,
  summary: string,
  { script }: PerformOptions,
): Pick<Result, 'script'> {
  const text = repetition && script?.(repetition, summary);
  return text === undefined ? {} : { script: text };
}

/** A behaviour in words, and as the value that comparisons use. */
function chosen({ id }: Check, behaviour: string): Pick<Result, 'behaviour' | 'value'> {
  const value = behaviourValue(id, behaviour);
  return { behaviour, ...(value !== undefined && { value }) };
}

/** Whether the exchange of a behaviour is kept: that of a step is, so that a later run can show its own beside it. */
const isKept = ({ id }: Check) => isStep(id);

/** The longest text that may quote a target. Redaction comes before the cut, so that no half of a secret is shown. */
const mostText = 2_000;
const safeText = (text: string, redact: PerformOptions['redact']) =>
  cut(redact(text.slice(0, 8 * mostText)), mostText);
