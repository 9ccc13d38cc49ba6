import { expect, test } from 'vitest';
import { sampleResult, sampleResults, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { attribute, junit, xmlText } from './junit.ts';

const caseOf = (over: Parameters<typeof sampleResult>[0]) =>
  junit(sampleRun([sampleResult(over)])).match(/<testcase.*<\/testcase>/s)?.[0] ?? '';

test('each area and each flow is a suite, in plan order, with its counts', () => {
  const xml = junit(
    sampleRun([
      sampleResult({ id: 'party.create#routed', outcome: 'fail' }),
      sampleResult({ id: 'login/sign in', outcome: 'inconclusive', reason: 'no-session', detail: 'none' }),
      sampleResult({ id: 'party.get#routed', outcome: 'harness-error', detail: 'our bug' }),
      sampleResult({ id: 'base#date', outcome: 'warn' }),
    ]),
  );
  const suites = Array.from(
    xml.matchAll(/<testsuite name="(\w+)" tests="(\d)" failures="(\d)" errors="(\d)" skipped="(\d)"/g),
  );
  expect(suites.map((match) => match.slice(1).join(' '))).toEqual([
    'party 2 1 1 0',
    'login 1 0 0 1',
    'base 1 0 0 0',
  ]);
  expect(xml).toContain(
    '<testsuites name="assay" tests="4" failures="1" errors="1" skipped="1" time="2.412">',
  );
});

test('133 equal failures are 133 failures', () => {
  const xml = junit(sampleRun(sampleResults(133, () => ({ outcome: 'fail', cause: 'one' }))));
  expect(xml.match(/<failure /g)).toHaveLength(133);
});

test('a case names its operations, its check, its clause and its level', () => {
  const xml = caseOf({
    id: 'party/create',
    operation: ['party.create', 'party.get'],
    title: 'a party is made',
  });
  expect(xml).toContain(
    '<testcase classname="party.create party.get" name="party/create a party is made" time="0.012">',
  );
  expect(xml).toContain(
    '<property name="clause" value="endpoints.party"/><property name="level" value="documented"/>',
  );
});

test('a failure says all that is needed to understand and repeat it', () => {
  const xml = caseOf({
    outcome: 'fail',
    clause: 'cdn.json',
    expected: 'JSON',
    actual: '<html>\nNo',
    curl: "curl 'x'",
  });
  expect(xml).toContain('<failure type="cdn.json" message="expected JSON; actual &lt;html&gt; No">');
  const body = xml.match(/<failure[^>]*>(.*)<\/failure>/s)?.[1]?.split('\n');
  expect(body).toEqual([
    'outcome: fail',
    'level: documented',
    'clause: Every client-data file is JSON except where the News row says otherwise. (cdn.json)',
    'why: A client parses the bytes; a file that is not JSON stops the game at start.',
    'expected: JSON',
    'actual: &lt;html&gt;',
    'No',
    "curl: curl 'x'",
    "rerun: npm start -- --only 'party.create#routed'",
  ]);
});

test('our own error is an error, never a failure', () => {
  const xml = caseOf({ outcome: 'harness-error', detail: 'cannot read\nx' });
  expect(xml).toContain('<error type="harness-error" message="cannot read x">');
  expect(xml).not.toContain('<failure');
});

test('what was not judged is skipped, with its reason', () => {
  expect(caseOf({ outcome: 'inconclusive', reason: 'needs-body', detail: '422 without one' })).toContain(
    '<skipped message="needs-body: 422 without one"/>',
  );
  expect(caseOf({ outcome: 'not-applicable', reason: 'host-not-given', detail: 'CDN_URL' })).toContain(
    '<skipped message="host-not-given: CDN_URL"/>',
  );
});

test('a warning and an observation pass, and are reported in system-out', () => {
  expect(caseOf({ outcome: 'warn' })).toMatch(/<system-out>outcome: warn\n.*<\/system-out><\/testcase>/s);
  expect(caseOf({ outcome: 'observed', behaviour: '401 for all' })).toContain('observed: 401 for all');
  expect(caseOf({})).not.toContain('system-out');
});

test('a run without checks is still a document', () => {
  expect(junit(sampleRun([]))).toMatch(/<testsuites name="assay" tests="0" [^>]+>\n<\/testsuites>\n$/);
});

const waived = { reason: 'not ready', link: 'https://tracker.example/1', expires: '2026-12-31' };

test('a waived failure is skipped with reason, link and end, and what was found', () => {
  expect(caseOf({ outcome: 'fail', waived, expected: 'a', actual: 'b' })).toContain(
    '<skipped message="waived until 2026-12-31: not ready (https://tracker.example/1); expected a; actual b"/>',
  );
});

test('a failure that the baseline has too is skipped', () => {
  expect(caseOf({ outcome: 'fail', known: true, expected: 'a', actual: 'b' })).toContain(
    '<skipped message="known from the baseline: expected a; actual b"/>',
  );
});

test('a waiver that is out of date is a failure of its own, and is counted', () => {
  const waiver = { ...waived, check: 'a.*', waived: 0 };
  const xml = junit(
    sampleRun([sampleResult()], { waivers: [{ ...waiver, problem: '"a.*" expired' }, waiver] }),
  );
  expect(xml).toContain('<testsuites name="assay" tests="2" failures="1" errors="0" skipped="0"');
  expect(xml).toContain('<testsuite name="waivers" tests="1" failures="1" errors="0" skipped="0">');
  expect(xml).toContain(
    '<testcase classname="waivers" name="a.*"><failure type="waiver" message="&quot;a.*&quot; expired"/></testcase>',
  );
});

test.each([
  ['markup', '<a b="c">&amp;</a>', '&lt;a b="c"&gt;&amp;amp;&lt;/a&gt;'],
  ['the end of a CDATA section', ']]>', ']]&gt;'],
  ['control characters', '\0\x1b[31m\x08', '\\u{0}\\u{1b}[31m\\u{8}'],
  ['lone surrogates', '\uD800x\uDC00', '\\u{d800}x\\u{dc00}'],
  ['noncharacters', '\uFFFE\uFFFF', '\\u{fffe}\\u{ffff}'],
  ['a carriage return', 'a\r\nb', 'a&#13;\nb'],
  ['what XML has a place for', 'ü 🦊 \t\n \u0085', 'ü 🦊 \t\n \u0085'],
])('%s in content', (_, text, written) => {
  expect(xmlText(text)).toBe(written);
});

test('an attribute keeps quotes, tabs and line ends through normalisation', () => {
  expect(attribute('message', '"a"\t\r\n<b>')).toBe(' message="&quot;a&quot;&#9;&#13;&#10;&lt;b&gt;"');
});
