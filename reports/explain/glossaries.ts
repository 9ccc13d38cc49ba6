// Makes the glossaries that `explain` reads: operations, areas, clauses, checks, rules, and the words of the verdict.

import { areas, catalog } from '../../catalog/catalog.ts';
import { type Clause, levels } from '../../catalog/clauses/clause.ts';
import { clauseById, register } from '../../catalog/clauses/clauses.ts';
import type { Effect, MayBe404 } from '../../catalog/operation.ts';
import { documentedPath } from '../../catalog/request-path.ts';
import type { TransportKind } from '../../engine/http/exchange.ts';
import type { Outcome } from '../../engine/judgement.ts';
import type { Check } from '../../engine/probe/check.ts';
import { reasons } from '../../engine/run/reason-codes.ts';
import { flowOf, isStep } from '../../engine/run/result.ts';
import { counted } from '../../engine/values/text.ts';
import { typed, typedWith } from '../../engine/values/typed-command.ts';
import { shortened } from '../console/cause-lines.ts';
import type { Attacked } from '../summary/headline.ts';
import { flakyRule } from '../trend/trend.ts';
import { adviceOf, consequenceOf, type Explanation, type Field, type Glossary, glossary } from './explain.ts';

const meanings404: Readonly<Record<MayBe404, string>> = {
  never: 'a 404 means that it is not served',
  'unknown id': 'a 404 may honestly mean that what it names does not exist',
  'nothing there': 'a 404 may honestly mean that the player is not in that state',
};

const effects: Readonly<Record<Effect, string>> = {
  read: 'it changes nothing',
  own: 'it changes its own player, and is left out by --read-only',
  shared: 'it touches what others see, and is left out by --read-only',
};

/** Operations by id, with the checks and steps that judge each. */
export function operationWords(checks: readonly Check[]): Glossary {
  return glossary(
    catalog.map((operation) => [operation.id, operation]),
    (word, operation) => {
      const { heading = '', why } = clauseById(operation.clause);
      const judging = checks.filter(({ operations }) => operations.some(({ id }) => id === word));
      const rules = judging.map(({ id, rule }) => (isStep(id) ? id : `#${rule}`));
      return {
        word,
        kind: 'operation',
        fields: [
          ['call', `${operation.method} ${documentedPath(operation)} on the ${operation.host} host`],
          ['source', `"${heading}" in catalog/interface.md (${operation.clause})`],
          ['why', why],
          ['means', `${meanings404[operation.mayBe404]}; ${effects[operation.effect]}`],
          ['see', `${counted(judging.length, 'check')}: ${shortened(rules, 600)}`],
          ['to do', 'where its body or ids are not known, say them in the profile (operations, parameters)'],
          ['run', `${typedWith('run')} --only ${word}`],
        ],
      };
    },
  );
}

/** Areas and flows by name; one name may be both. */
export function areaWords(checks: readonly Check[]): Glossary {
  const steps = checks.filter(({ id }) => isStep(id));
  const flows = Map.groupBy(steps, ({ id }) => flowOf(id));
  const names = new Set([...Object.keys(areas), ...flows.keys()]);
  return glossary(
    Array.from(names, (name) => [name, name] as const),
    (word) => {
      const rows = catalog.filter(({ area }) => area === word).map(({ id }) => id);
      const played = (flows.get(word) ?? []).map(({ id }) => id);
      const holds: Field = ['holds', `${counted(rows.length, 'operation')}: ${shortened(rows, 400)}`];
      const steps = `${counted(played.length, 'step')}, in this order: ${shortened(played, 600)}`;
      const run: Field = ['run', `${typedWith('run')} --only ${word}`];
      if (played.length === 0) return { word, kind: 'area', fields: [holds, run] };
      if (rows.length === 0) return { word, kind: 'flow', fields: [['see', steps], run] };
      return { word, kind: 'area and flow', fields: [holds, ['see', steps], run] };
    },
  );
}

/** Longest list of names, in columns. */
const longestList = 240;

/** Clauses by id, with the checks that cite each. */
export function clauseWords(checks: readonly Check[]): Glossary {
  const citing = Map.groupBy(checks, ({ clause }) => clause.id);
  return glossary(
    register.map((clause) => [clause.id, clause]),
    (word, clause) => {
      const ids = (citing.get(word) ?? []).map(({ id }) => id);
      const checkList =
        ids.length === 0
          ? 'none in every run'
          : `${counted(ids.length, 'check')}: ${shortened(ids, longestList)}`;
      return {
        word,
        kind: 'clause',
        fields: [['asks', clause.says], ...groundsOf(clause), ['see', checkList]],
      };
    },
  );
}

/** Checks and steps of flows by id. */
export function checkWords(checks: readonly Check[]): Glossary {
  return glossary(
    checks.map((check) => [check.id, check]),
    (word, { id, title, clause, operations }) => ({
      word,
      kind: isStep(id) ? 'step of a flow' : 'check',
      fields: [
        ['asks', title],
        ['holds', `${clause.says} (${clause.id})`],
        ...groundsOf(clause),
        ['at', operations.map((operation) => operation.id).join(', ')],
        ['run', `${typedWith('run')} --only '${id}'`],
      ],
    }),
  );
}

/** Rules that are asked of many operations, by name, with and without the `#`. */
export function ruleWords(checks: readonly Check[]): Glossary {
  const rules = Map.groupBy(
    checks.filter(({ id }) => !isStep(id)),
    ({ rule }) => rule,
  );
  const explain = (word: string, asked: readonly Check[]): Explanation => {
    const [example] = asked as readonly [Check, ...Check[]];
    const name = `#${example.rule}`;
    const clauses = [...new Set(asked.map(({ clause }) => clause))];
    const operations = [...new Set(asked.map(({ operations: [first] }) => first.id))];
    return {
      word,
      kind: 'rule',
      fields: [
        ['asks', example.title],
        ...holdsOf(clauses),
        ...(clauses.length === 1 ? groundsOf(example.clause) : [['why', example.clause.why] as const]),
        ['at', `${counted(operations.length, 'operation')}: ${shortened(operations, longestList)}`],
        ['run', `${typedWith('run')} --only '${name}'`],
      ],
    };
  };
  return glossary(
    [...rules].flatMap(([rule, asked]) => [[`#${rule}`, asked] as const, [rule, asked] as const]),
    explain,
  );
}

const mostClauses = 3;

/** The clauses of a rule, which may differ by operation; beyond a few, only their ids are listed. */
function holdsOf(clauses: readonly Clause[]): Field[] {
  const ids = clauses.map(({ id }) => id);
  if (clauses.length > mostClauses) return [['holds', shortened(ids, longestList)]];
  return clauses.map(({ says, id, level }): Field => ['holds', `${says} (${id}, ${level})`]);
}

function groundsOf(clause: Clause): Field[] {
  return [
    ['why', clause.why],
    ['level', `${clause.level}: ${consequenceOf[clause.level]}`],
    ['source', sourceOf(clause)],
    ['to do', adviceOf[clause.level]],
  ];
}

function sourceOf({ heading, rfc, level }: Clause): string {
  if (rfc) return `${rfc.section} ${rfc.link}`;
  if (heading) return `"${heading}" in catalog/interface.md`;
  return level === 'profile' ? "the target's profile" : 'good sense';
}

// Words of the verdict: exit codes, outcomes, levels, reasons.
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
    means: `the target does not conform, too little could be judged, a waiver is out of date, the profile does not fit, or a host went away during the run; ${typed('accept')} also ends so where you decline`,
    remedy:
      'read the first line of the run and the causes below it; each gives the command that shows it again',
  },
  '2': {
    means: 'a setting is wrong, or no host answered, so nothing was judged',
    remedy: `read the lines that begin with "assay:"; ${typed('doctor')} reports what stands between a target and its judgement`,
  },
  '3': {
    means: "Assay's own error, never the target's",
    remedy: 'report it, with results.jsonl; what was judged before it is kept',
  },
  '130': {
    means: 'the run was interrupted; results so far are kept',
    remedy: `run again, or ${typedWith('run')} --rerun reports/out/result.json for what is missing`,
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
    means: 'the document leaves it open; what the target chose is listed under Behaviour in report.html',
    remedy: `nothing; ${typed('diff')} reports when it changes`,
  },
  inconclusive: {
    means: 'it could not be judged; it is not a pass, and too many of them fail the run (--min-judged)',
    remedy: `${typed('explain')} with its reason, such as needs-body`,
  },
  'not-applicable': {
    means:
      'there was nothing to judge: its host was not given, it is left out, or its precondition did not arise',
    remedy: 'nothing, unless the host was left out by mistake',
  },
  'harness-error': {
    means: "Assay itself stumbled; it says nothing of the target, and the run's exit code is 3",
    remedy: 'report it with the detail of the check',
  },
};

const attackEnds: Readonly<Record<Attacked, Text>> = {
  broken: {
    means: 'of an attack: it broke what has to hold, in a round and once more when it was confirmed',
    remedy: 'read the story of the check, and repeat it with its script (script in result.json)',
  },
  held: {
    means:
      'of an attack: no violation in so many rounds, so many calls at once; that is no proof that none is possible',
    remedy: 'nothing',
  },
  'not single-use': {
    means:
      'of an attack: one call after another has its effect each time, too, so the server means it; behaviour in result.json says for which',
    remedy: 'nothing, unless the server should allow it once',
  },
  observed: {
    means:
      'of an attack: the document leaves it open; what the server does is listed under Behaviour in report.html',
    remedy: `nothing; ${typed('diff')} reports when it changes`,
  },
  'not exercised': {
    means: 'of an attack: it could not be tried; nothing was shown',
    remedy:
      'see its reason and detail in "Under attack" of report.html; --attack on gives it all the time it needs',
  },
};

/** How the verdict of a run begins. */
const verdicts: Readonly<Record<string, Text>> = {
  Conforms: {
    means:
      'nothing that was judged fails, and enough of every host was judged; warnings may stand beside it (exit code 0)',
    remedy: 'look at the warnings, and at what was inconclusive, since that is not a pass',
  },
  'Does not conform': {
    means: 'a check failed that is neither waived nor known (exit code 1)',
    remedy: 'read the causes below it, heaviest first; each gives the command that shows it again',
  },
  'Nothing could be judged': {
    means: 'no check came to a judgement, for the reasons that are named',
    remedy: `${typed('doctor')} reports what stands between a target and its judgement`,
  },
};

/** The course of a check, as a trend states it. */
const health: Readonly<Record<string, Text>> = {
  broken: {
    means: 'of a check in a trend: its last judgement is a failure, and it is not flaky',
    remedy: 'see since when, and what changed in the target that day',
  },
  flaky: {
    means: `of a check in a trend: among its last ${flakyRule.window} judgements it switched between good and failing ${flakyRule.changes} times or more, and the last ${flakyRule.settled} are not all failures`,
    remedy: 'look for a race, a cache or one of several machines; a run that fails on it says nothing new',
  },
  mended: { means: 'of a check in a trend: it failed, and its last judgement is good', remedy: 'nothing' },
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

/** The verdicts of `load` and `capacity`. */
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
    means: 'of a capacity: the highest rate at which the bounds hold; with 95 % it lies in the interval',
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
    remedy: `look at the target under a steady load: ${typedWith('load')} JOURNEY --shape soak`,
  },
  TARGET_DID_NOT_RECOVER: {
    means: 'of a capacity: after too much load the target did not come back at half of a good rate',
    remedy: "look at the target's queues and pools; restart it before the next search",
  },
  ERRORS: {
    means: 'of a capacity: beyond the rate that is named answers are wrong before they are slow',
    remedy: 'look at the operations and statuses that the reason names',
  },
  WRONG_UNDER_LOAD: {
    means:
      'of a load or a capacity: what was acknowledged was lost, doubled or mixed up at the rate that is named, as the target itself shows after it has settled; a capacity beside it is the highest rate that is fast and right',
    remedy: `repeat it at that rate (${typedWith('load')} JOURNEY --rate N) and look at what the reason names`,
  },
  ABORTED: {
    means:
      'of a capacity: it was interrupted, out of time, or left without figures; what was known by then stands beside it',
    remedy: 'give a longer --budget, or see what the generator says',
  },
};

/** The terms that reports and pages use. */
const terms: Readonly<Record<string, Text>> = {
  '#': {
    means:
      'in a place of an answer, as in /friends/#/id: any entry of the list; a place is a path of names as in a JSON Pointer, where * is any name',
    remedy: 'look for it in the answer: report.html and result.json show it beside the check',
  },
  baseline: {
    means: 'an earlier run that this one is held against (--baseline)',
    remedy: `${typed('diff')} compares two runs that are there already`,
  },
  changed: {
    means:
      'of a check beside a baseline: it recorded another behaviour than the baseline, each time it was asked (--fail-on changed)',
    remedy: `see both values in the report; where it is meant, ${typed('accept')} and a new baseline`,
  },
  clause: {
    means:
      'one sentence that a check judges by: of the document, of an RFC, or inferred; its id stands in brackets',
    remedy: `${typed('explain')} with its id, such as effects.party.left, names its checks`,
  },
  journey: {
    means: 'calls that one player of a load makes one after another, such as login, queue and quit',
    remedy: `${typedWith('load')} --help lists them`,
  },
  known: {
    means: 'a failure that the baseline has too: it fails no run that is held against it',
    remedy: 'mend it when you can; a run without --baseline counts it',
  },
  ledger: {
    means: 'the behaviours that a server chose where the document is silent, by check (result.json)',
    remedy: `read them under Behaviour in report.html; ${typed('accept')} pins them`,
  },
  'open point': {
    means: 'what the document leaves to the server; its choice is recorded, and never fails by itself',
    remedy: `${typed('accept')} pins what is meant, so that another choice fails`,
  },
  pin: {
    means: 'a behaviour that the profile expects of an open point (expects); another one fails the run',
    remedy: `${typed('accept')} writes pins from a result`,
  },
  SEED: {
    means: 'what a run draws its names, identifiers and order from: the same seed repeats the run',
    remedy: `give that of a report again: SEED=7 ${typed('run')}`,
  },
  unjudged: {
    means:
      'of a check beside a baseline: the baseline judged it, and this run could not (--fail-on unjudged)',
    remedy: 'see its reason; a check that a step before it stopped is judged again once that is mended',
  },
  waiver: {
    means: 'a failure that the profile excuses until a day (waivers)',
    remedy: 'mend the server before that day, or give another one',
  },
  worse: {
    means: 'of a check beside a baseline: it fails or warns, and did not in the baseline (--fail-on worse)',
    remedy: `${typed('diff')} lists all that got worse`,
  },
};

const plain = (kind: string, table: Readonly<Record<string, Text>>): Glossary =>
  glossary(Object.entries(table), (word, { means, remedy }) => ({
    word,
    kind,
    fields: [
      ['means', means],
      ['to do', remedy],
    ],
  }));

/** The exit codes, as `explain` takes them. */
export const exitCodeWords: readonly string[] = Object.keys(exitCodes);

/** All words that reports use for verdicts, outcomes and reasons, and the terms beside them. */
export const verdictWords: readonly Glossary[] = [
  plain('exit code', exitCodes),
  plain('term', terms),
  plain('verdict of a run', verdicts),
  plain('course of a check', health),
  plain('outcome', outcomes),
  plain('ending of an attack', attackEnds),
  plain('error of an exchange', transportErrors),
  plain('verdict', loadVerdicts),
  plain('reason why a check is inconclusive or not applicable', reasons),
  glossary(new Set(levels).entries(), (word, level) => ({
    word,
    kind: 'level of a clause',
    fields: [
      ['means', consequenceOf[level]],
      ['to do', adviceOf[level]],
    ],
  })),
];
