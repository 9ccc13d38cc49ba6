// Words of the verdict: exit codes, outcomes, levels, reasons.
import type { Level } from '../../fixtures/catalog/clauses/clause.ts';
import { reasons } from '../../fixtures/check/reasons.ts';
import type { Outcome } from '../../fixtures/check/result.ts';
import type { TransportKind } from '../../fixtures/client/exchange.ts';
import { adviceOf, consequenceOf } from './advice.ts';
import { type Glossary, glossary } from './explanation.ts';

interface Text {
  readonly means: string;
  readonly remedy: string;
}

const exitCodes: Readonly<Record<string, Text>> = {
  '0': {
    means: 'the target conforms: nothing that was judged fails, and enough of every host was judged',
    remedy: 'nothing; look at what was inconclusive, since that is not a pass',
  },
  '1': {
    means: 'a check failed, too little could be judged, or a waiver is out of date',
    remedy:
      'read the first line of the run and the causes below it; each gives the command that shows it again',
  },
  '2': {
    means: 'a setting is wrong, or no host answered, so nothing was judged',
    remedy:
      'read the lines that begin with "assay:"; npm run doctor tells what stands between a target and its judgement',
  },
  '3': {
    means: "Assay's own error, never the target's",
    remedy: 'report it, with results.jsonl; what was judged before it is kept',
  },
  '130': {
    means: 'the run was interrupted; results so far are kept',
    remedy: 'run again, or npm start -- --rerun reports/out/result.json for what is missing',
  },
};

const outcomes: Readonly<Record<Outcome, Text>> = {
  pass: { means: 'the target does what the rule asks', remedy: 'nothing' },
  fail: {
    means: 'the target breaks a rule that it is held to',
    remedy:
      'see expected, actual and the curl command of the check; mend the server, or waive it in the profile for a while',
  },
  warn: {
    means: 'the target breaks a rule that no client trips over, or one that only good sense asks for',
    remedy: 'look whether the server means it; --strict makes failures of what good sense asks for',
  },
  observed: {
    means: 'the document leaves it open; what the target chose stands in the ledger',
    remedy: 'nothing; npm run diff tells when it changes',
  },
  inconclusive: {
    means: 'it could not be judged; it is not a pass, and too many of them fail the run (--min-judged)',
    remedy: 'npm run explain with its reason, such as needs-body',
  },
  'not-applicable': {
    means:
      'there was nothing to judge: its host was not given, it is left out, or its occasion did not arise',
    remedy: 'nothing, unless the host was left out by mistake',
  },
  'harness-error': {
    means: "Assay itself stumbled; it says nothing of the target, and the run's exit code is 3",
    remedy: 'report it with the detail of the check',
  },
};

/** `exchange.error.kind` of a result. */
export const transportErrors: Readonly<Record<TransportKind, Text>> = {
  refused: { means: 'nobody listens at that host and port', remedy: 'start the server, or correct the URL' },
  dns: { means: 'the name of the host leads nowhere', remedy: 'correct the URL, or the name server' },
  reset: { means: 'the connection broke before an answer', remedy: "look at the target's log for a crash" },
  timeout: {
    means: 'there was no whole answer within --timeout',
    remedy: "look at the target's log; raise --timeout if it is honestly slow",
  },
  tls: {
    means: 'the certificate is not trusted, or no secure connection came about',
    remedy: 'name the certificates to trust in TLS_CA',
  },
  protocol: {
    means: 'what came is not HTTP, or ends before its announced end',
    remedy: 'look at the raw answer: curl -v, with the command of the check',
  },
  'too-large': { means: 'the answer is larger than Assay keeps', remedy: 'answer with less' },
  aborted: { means: 'the run ended before the answer came', remedy: 'run again' },
  budget: { means: "the run's time was over before the answer came", remedy: 'raise --budget' },
};

/** Of `load` and `capacity`. */
const loadVerdicts: Readonly<Record<string, Text>> = {
  PASS: { means: 'of a load: every SLO holds, and the answers are right', remedy: 'nothing' },
  FAIL: {
    means: 'of a load: an SLO does not hold, or answers are wrong',
    remedy: 'read the reasons below it',
  },
  INVALID: {
    means:
      'of a load: it says nothing of the target, since what was to be sent was not, or not by players in session',
    remedy: 'mend what its reasons name; of the generator: a lower --rate, a quieter machine, or --segments',
  },
  FOUND: {
    means: 'of a capacity: a rate is taken and a higher one is too much; the interval says how sure',
    remedy: 'nothing',
  },
  BELOW_START: {
    means: 'of a capacity: the first rate was already too much',
    remedy: 'give a lower --start',
  },
  ABOVE_MAX: { means: 'of a capacity: --max-rate was taken', remedy: 'give a higher --max-rate to see more' },
  GENERATOR_LIMITED: {
    means:
      'of a capacity: beyond the rate that is named this machine is slow by itself; the target may take more',
    remedy: 'use a quieter machine, or several (--segments, --export k8s)',
  },
  UNSTABLE: {
    means:
      'of a capacity: the same rate was taken and not taken; the target stalls, leaks, or answers before its work is done',
    remedy: 'look at the target under a steady load: npm run load -- JOURNEY --shape soak',
  },
  TARGET_DID_NOT_RECOVER: {
    means: 'of a capacity: after too much load the target did not come back at half of a good rate',
    remedy: "look at the target's queues and pools; restart it before the next search",
  },
  ERRORS: {
    means: 'of a capacity: beyond the rate that is named answers are wrong before they are slow',
    remedy: 'look at the operations and statuses that the reason names',
  },
  ABORTED: {
    means:
      'of a capacity: it was interrupted, out of time, or left without figures; what was known by then stands beside it',
    remedy: 'give a longer --budget, or see what the generator says',
  },
};

const levels = (['documented', 'profile', 'standard', 'inferred', 'open'] as const).map(
  (level): readonly [string, Level] => [level, level],
);

const plain = (kind: string, table: Readonly<Record<string, Text>>): Glossary =>
  glossary(Object.entries(table), (word, { means, remedy }) => ({
    word,
    kind,
    fields: [
      ['means', means],
      ['to do', remedy],
    ],
  }));

/** Exit codes, outcomes, levels and reasons. */
export const verdictWords: readonly Glossary[] = [
  plain('exit code', exitCodes),
  plain('outcome', outcomes),
  plain('error of an exchange', transportErrors),
  plain('verdict', loadVerdicts),
  plain('reason why a check is inconclusive or not applicable', reasons),
  glossary(levels, (word, level) => ({
    word,
    kind: 'level of a clause',
    fields: [
      ['means', consequenceOf(level)],
      ['to do', adviceOf(level)],
    ],
  })),
];
