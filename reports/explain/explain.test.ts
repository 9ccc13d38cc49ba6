import { beforeAll, expect, test } from 'vitest';
import { catalog } from '../../catalog/catalog.ts';
import { register } from '../../catalog/clauses/clauses.ts';
import { everyGlossary } from '../../commands/explain.ts';
import { suites } from '../../commands/run/suites.ts';
import { outcomes } from '../../engine/judgement.ts';
import { reasons } from '../../engine/run/reason-codes.ts';
import type { Result } from '../../engine/run/result.ts';
import { sampleResult, sampleRun } from '../../fixtures/kit/sample-run.ts';
import {
  asJudged,
  type Explanation,
  explanationsOf,
  type Glossary,
  nearestWords,
  renderExplanation,
} from './explain.ts';

let glossaries: readonly Glossary[] = [];
beforeAll(async () => {
  glossaries = await everyGlossary();
});

/** The explanation of a word that has just one. */
function of(word: string): Explanation {
  const [only, ...others] = explanationsOf(word, glossaries);
  expect(others).toEqual([]);
  if (only === undefined) throw new Error(`${word} is not explained`);
  return only;
}

const field = (word: string, label: string) => of(word).fields.find(([name]) => name === label)?.[1];

test('explains a reason and what to do, in the words of the console', () => {
  expect(of('needs-body')).toEqual({
    word: 'needs-body',
    kind: 'reason why a check is inconclusive or not applicable',
    fields: [
      ['means', reasons['needs-body'].means],
      ['to do', reasons['needs-body'].remedy],
    ],
  });
});

test('that nobody is signed in has other causes than a token, and they are named', () => {
  expect(field('no-session', 'means')).toMatch(
    /token is refused.* login is not served.* credential.* BASE_URL/,
  );
  expect(field('no-session', 'to do')).toMatch(/LOGIN_TOKEN.* npm run doctor/);
});

test('explains a check: what it asks, why, its level, its clause, and how to run it', () => {
  const { kind, fields } = of('messages.list#media');
  expect(kind).toBe('check');
  expect(fields.map(([label]) => label)).toEqual([
    'asks',
    'holds',
    'why',
    'level',
    'source',
    'to do',
    'at',
    'run',
  ]);
  expect(field('messages.list#media', 'source')).toMatch(/^RFC 8259, section 2 https:/);
  expect(field('messages.list#media', 'run')).toBe("npm start -- --only 'messages.list#media'");
});

test('explains a rule by its name with and without #, with the clause of each kind of operation', () => {
  expect(of('media').fields).toEqual(of('#media').fields);
  expect(of('#answers').fields.filter(([label]) => label === 'holds')).toHaveLength(2);
  expect(field('#answers', 'at')).toMatch(new RegExp(`^${catalog.length} operations: `));
});

test('explains a clause with the checks that cite it', () => {
  expect(field('endpoints.party', 'source')).toBe('"Main API: Party" in catalog/interface.md');
  expect(field('endpoints.party', 'see')).toContain('party.create#routed');
});

test('explains an operation: its call, what a 404 means, and its checks', () => {
  expect(field('party.leave', 'call')).toBe('DELETE /api/v1/party/leave?disband=true on the base host');
  expect(field('party.leave', 'means')).toContain('the player is not in that state');
  expect(field('party.leave', 'see')).toContain('party/leave');
});

test('a name that is an area and a flow is reported as both', () => {
  expect(of('party').kind).toBe('area and flow');
  expect(field('party', 'see')).toContain('party/create');
});

test('every word that a result can hold is explained', async () => {
  const checks = suites.flatMap((suite) => suite.checks);
  const words = [
    ...Object.keys(reasons),
    ...outcomes,
    ...['0', '1', '2', '3', '130'],
    ...register.flatMap(({ id, level }) => [id, level]),
    ...catalog.flatMap(({ id, area }) => [id, area]),
    ...checks.map(({ id }) => id),
  ];
  expect(words.filter((word) => explanationsOf(word, glossaries).length === 0)).toEqual([]);
});

test('of a word that is not known the nearest are reported', () => {
  expect(explanationsOf('needs-bdy', glossaries)).toEqual([]);
  expect(nearestWords('needs-bdy', glossaries)[0]).toBe('needs-body');
  expect(nearestWords('party.creat', glossaries)[0]).toBe('party.create');
  expect(nearestWords('xyzzyplugh', glossaries)).toEqual([]);
});

test('nothing in Object.prototype is a word', () => {
  expect(explanationsOf('constructor', glossaries)).toEqual([]);
});

test('says why a rule of the document only warns', () => {
  const found = sampleResult({ id: 'party/left-view', level: 'documented', outcome: 'warn' });
  const fields = new Map(asJudged(of('party/left-view'), sampleRun([found]), 'f').fields);
  expect(fields.get('in run')).toContain('warn; it only warns here, since other calls show it');
});

test('shows the level that a check had in a run, and how it ended there', () => {
  const check = { id: 'party/left-view', outcome: 'fail', level: 'profile' } as const;
  const here = (over: Partial<Result> = {}) => {
    const run = sampleRun([sampleResult({ ...check, expected: 'nobody', actual: 'them', ...over })]);
    return new Map(asJudged(of('party/left-view'), run, 'out/result.json').fields);
  };
  expect(here().get('level')).toMatch(/^profile in this run: the target's own profile says it/);
  expect(here().get('in run')).toMatch(
    /\(out\/result\.json\), at level profile: fail; expected nobody; got them$/,
  );
  expect(here({ level: 'inferred' }).get('level')).toMatch(/^inferred: good sense/);
  const blocked = sampleResult({
    id: check.id,
    outcome: 'inconclusive',
    reason: 'needs-body',
    detail: '400',
  });
  const fields = asJudged(of('party/left-view'), sampleRun([blocked]), 'f').fields;
  expect(new Map(fields).get('in run')).toMatch(/: inconclusive \(needs-body\); 400$/);
  const seen = sampleResult({ id: check.id, outcome: 'observed', behaviour: 'refused' });
  const observed = asJudged(of('party/left-view'), sampleRun([seen]), 'f').fields;
  expect(new Map(observed).get('in run')).toMatch(/: observed; refused$/);
  expect(asJudged(of('needs-body'), sampleRun([seen]), 'f')).toEqual(of('needs-body'));
});

test('the command of an explanation asks the target of the run', () => {
  const settings = 'BASE_URL=http://127.0.0.1:8080 npm start -- --strict';
  const check = sampleResult({ id: 'party/leave', rerun: `${settings} --only 'party/leave'` });
  const attack = sampleResult({
    id: 'races/x',
    attack: true,
    rerun: "npm start -- --attack on --only 'races/x'",
  });
  const run = sampleRun([attack, check]);
  const command = (word: string) => new Map(asJudged(of(word), run, 'f').fields).get('run');
  expect(new Map(asJudged(of('party/leave'), run, 'f').fields).get('rerun')).toBe(
    `${settings} --only 'party/leave'`,
  );
  expect(command('party.create')).toBe(`${settings} --only party.create`);
  expect(command('party')).toBe(`${settings} --only party`);
  expect(command('#answers')).toBe(`${settings} --only '#answers'`);
  const none = asJudged(of('party.create'), sampleRun([]), 'f');
  expect(none).toEqual(of('party.create'));
});

test('of a check that was judged it shows the whole curl and the rerun, in place of the command of any run', () => {
  const curl = `curl -sS -H 'authorization: Bearer '"$ASSAY_SESSION" --data '${'x'.repeat(2_000)}' http://h`;
  const judged = (over: Partial<Result>) =>
    asJudged(of('party/leave'), sampleRun([sampleResult({ id: 'party/leave', ...over })]), 'out/result.json');
  const explanation = judged({ curl, rerun: "npm start -- --strict --only 'party/leave'" });
  const lines = renderExplanation(explanation, { width: 80, colour: false }).split('\n');
  expect(lines).toContain(`  curl      ${curl}`);
  expect(lines).toContain("  rerun     npm start -- --strict --only 'party/leave'");
  expect(lines.filter((line) => line.startsWith('  run '))).toEqual([]);
  expect(new Map(judged({ curl: 'curl \u202e' }).fields).get('curl')).toBe('see out/result.json');
});

test('an explanation fits the terminal, and its command is never cut', () => {
  const text = renderExplanation(of('party.create#answers'), { width: 40, colour: false });
  const lines = text.split('\n');
  expect(lines[0]).toBe('party.create#answers  check');
  expect(lines).toContain("  run       npm start -- --only 'party.create#answers'");
  expect(lines.filter((line) => line.length > 40)).toEqual([expect.stringMatching(/^ {2}run /)]);
});

test('explains the first words of a run and of a trend, whatever their case', () => {
  expect(of('conforms').kind).toBe('verdict of a run');
  expect(of('flaky').kind).toBe('course of a check');
});
