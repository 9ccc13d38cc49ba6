// Makes a result of a judgement: the outcome that its level asks for, texts without secrets, exchange and curl.
import { behaviourValue } from '../../catalog/behaviours.ts';
import type { Repetition } from '../http/script.ts';
import { type Judgement, outcomeOfViolation, type Prerequisite } from '../judgement.ts';
import type { Check } from '../probe/check.ts';
import { remarked } from '../values/shell.ts';
import type { PerformOptions } from './judge.ts';
import type { Result } from './result.ts';

/** What a result says besides which check it is of, and when it ran. */
export function resultOf(
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
        ...(outcome === 'observed' && chosen(check, actual)),
        cause: judgement.cause === undefined ? causeOf(check, expected, actual) : redact(judgement.cause),
        ...(judgement.evidence && {
          exchange: options.record(judgement.evidence),
          ...(judgement.control && { control: options.record(judgement.control) }),
          curl:
            judgement.byHand === undefined
              ? options.curl(judgement.evidence)
              : remarked(options.curl(judgement.evidence), judgement.byHand),
        }),
        ...scriptOf(judgement.repetition, actual, options),
      };
    }
  }
}

/** How the step ended that is the reason, where it is no check of this run: nobody would see it otherwise. */
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
  // What only prepares is judged by another scenario.
  const outcome = clause
    ? outcomeOfViolation({ ...clause, level: judgement.level ?? clause.level }, strict)
    : 'inconclusive';
  const { expected, actual } = judgement;
  const texts = { expected: safeText(expected, redact), actual: safeText(actual, redact) };
  return { prerequisite: { step, outcome, ...texts } };
}

function scriptOf(
  repetition: Repetition | undefined,
  story: string,
  { script }: PerformOptions,
): Pick<Result, 'script'> {
  const text = repetition && script?.(repetition, story);
  return text === undefined ? {} : { script: text };
}

/** A behaviour, in words and as the value that compares. */
function chosen({ id }: Check, behaviour: string): Pick<Result, 'behaviour' | 'value'> {
  const value = behaviourValue(id, behaviour);
  return { behaviour, ...(value !== undefined && { value }) };
}

/** A step is kept with the exchange that shows its behaviour, so that a later run can put its own beside it. */
const isKept = ({ id }: Check) => id.includes('/');

/** The longest text that may quote a target. Redaction comes before the cut, so that no half of a secret is shown. */
const mostText = 2_000;
const safeText = (text: string, redact: PerformOptions['redact']) =>
  shortened(redact(text.slice(0, 8 * mostText)));
const shortened = (text: string) => (text.length <= mostText ? text : `${text.slice(0, mostText - 1)}…`);

/** Equal for violations that differ only in the operation they were found on. */
function causeOf({ id, rule, clause, operations }: Check, expected: string, actual: string): string {
  // One missing effect fails several steps, each with its own words; a server error is another finding.
  if (!id.includes('#')) {
    const kind = /^5\d\d\b/.test(actual) ? ' | server error' : '';
    return `${clause.id} | ${operations.map((each) => each.id).join(' ')}${kind}`;
  }
  const neutral = (text: string) =>
    operations
      .reduce((replaced, { id }) => replaced.replaceAll(id, '‹operation›'), text)
      .replace(/https?:\/\/\S+|\/\S*/g, '‹path›')
      .replace(/\d{4,}/g, '‹n›');
  return `${rule} | ${clause.id} | ${neutral(expected)} | ${neutral(actual)}`;
}
