import { expect, test } from 'vitest';
import { sampleResult, sampleResults, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { renderMarkdown } from './markdown.ts';

const limit = 60 * 1024;

test('the verdict comes first, then what it stands on', () => {
  const [first, second] = renderMarkdown(sampleRun([sampleResult()])).split('\n\n');
  expect(first).toBe('# ✅ CONFORMS');
  expect(second).toBe('**184 of 184 operations served · 1 check in 2.4 s**');
});

test('failures with one cause are one finding, with clause, why, expected, actual and commands', () => {
  const failures = sampleResults(3, (index) => ({
    id: `party.o${index}#routed`,
    outcome: 'fail',
    cause: 'one',
  }));
  const text = renderMarkdown(sampleRun(failures));
  expect(text).toContain('## 3 failures, 1 cause');
  expect(text).toContain(
    '<summary>the call is served (3 checks) · <code>party.o0, party.o1, party.o2</code></summary>',
  );
  for (const part of ['- clause: The calls', '- why: A client', '- expected: `an answer', '- actual: `404'])
    expect(text).toContain(part);
  expect(text).toContain("```sh\nnpm start -- --only 'party.o0#routed'\n```");
});

test('what was waived or is known is no finding, but is reported', () => {
  const waived = { reason: 'being mended', link: 'https://h/1', expires: '2026-12-31' };
  const checks = [
    sampleResult({ outcome: 'fail', waived }),
    sampleResult({ id: 'a.b#c', outcome: 'fail', known: true }),
  ];
  const text = renderMarkdown(
    sampleRun(checks, {
      waivers: [{ ...waived, check: 'party.*', waived: 1 }],
      baseline: {
        startedAt: '2026-01-01T00:00:00Z',
        runId: 'x',
        worse: ['me.logout#routed'],
        unjudgedBefore: ['party.get#routed'],
        noLongerJudged: ['party.get#shape', 'party.get#answers'],
        knownFailures: 1,
        repaired: 2,
      },
    }),
  );
  expect(text).not.toContain('<details>');
  expect(text).toContain('| `party.*` | `2026-12-31` | 1 | being mended |');
  expect(text).toContain(
    '## What changed since `2026-01-01T00:00:00Z`\n\n1 got worse · 1 failing, not judged then · 2 no longer judged · 1 failure known · 2 repaired\n\ngot worse: `me.logout#routed`\n\nno longer judged: `party.get#shape, party.get#answers`',
  );
});

test('flows, warnings, reasons, incidents and what was left behind have a place each', () => {
  const text = renderMarkdown(
    sampleRun(
      [
        sampleResult({ id: 'login/in', operation: 'auth.login' }),
        sampleResult({ id: 'party/create' }),
        sampleResult({ id: 'party/leave', outcome: 'warn', actual: 'still | there' }),
        sampleResult({ outcome: 'inconclusive', reason: 'needs-body' }),
        sampleResult({ outcome: 'harness-error', detail: 'our bug' }),
      ],
      { incidents: ['base fell silent'], leftBehind: ['a party'] },
    ),
  );
  for (const part of [
    '1 flow without a finding',
    '| `party` | `✓!` |',
    '## 1 warning, 1 cause',
    '- actual: `still | there`',
    '| 1 | `needs-body` | the call was refused and its body is not documented | give its body in the profile |',
    '## Errors of Assay itself',
    '## Hosts on the way\n\n- `base fell silent`',
    '## Left behind on the target\n\n- `a party`',
  ])
    expect(text).toContain(part);
});

test('a check that was asked for by name and could not be judged stands with what came before it', () => {
  const found = { outcome: 'inconclusive', reason: 'prerequisite-failed', detail: 'create: 500' } as const;
  const failed = { step: 'two friends', outcome: 'inconclusive', expected: 'two', actual: 'one' } as const;
  const blocked = sampleResult({ id: 'party/in', ...found, curl: 'curl http://h', prerequisite: failed });
  const options = { ...sampleRun([]).options, only: ['party/in'] };
  const text = renderMarkdown(sampleRun([blocked], { options }));
  expect(text).toContain(
    '- `party/in`: `prerequisite-failed: create: 500`\n- before it: `two friends: expected two, got one`',
  );
  expect(text).toContain('curl http://h');
  expect(renderMarkdown(sampleRun([sampleResult({ id: 'party/in', ...found })], { options }))).toContain(
    '`party/in`',
  );
  expect(renderMarkdown(sampleRun([blocked]))).not.toContain('before it:');
});

test('behaviours that changed since the baseline are reported, before and now', () => {
  const behaviours = [{ points: ['a.b#anonymous', 'c.d#anonymous'], before: '401', after: '403 | x' }];
  const baseline = {
    startedAt: '2026-01-01T00:00:00Z',
    runId: 'x',
    worse: [],
    knownFailures: 0,
    repaired: 0,
    behaviours,
  };
  const text = renderMarkdown(sampleRun([sampleResult()], { baseline }));
  expect(text).toContain('0 got worse · 0 failures known · 0 repaired · 1 behaviour changed');
  expect(text).toContain('| `a.b#anonymous, c.d#anonymous` | 401 | 403 \\| x |');
});

const ascii = '<img src=x onerror=alert(1)>|`@a\n| --- |\u202E🦊'.repeat(80);

test.each([
  ['markup', ascii],
  ['what each escape makes longest', '@'.repeat(4_000)],
  ['the longest characters', '語'.repeat(4_000)],
  ['bars', '|'.repeat(4_000)],
  ['steering characters', '\u202E'.repeat(4_000)],
])('whatever a run holds, the file fits into a job summary: %s', (_, nasty) => {
  const checks = sampleResults(1_000, (index) => ({
    id: `${nasty.slice(0, 300)}.o${index}#r`,
    title: `${nasty}${index}`,
    outcome: (['fail', 'warn', 'inconclusive', 'harness-error'] as const)[index % 4] ?? 'fail',
    clause: nasty.slice(0, 9_000),
    cause: `${index}`,
    detail: nasty,
    ...(index % 4 < 2 ? { expected: nasty, actual: nasty, curl: nasty.slice(0, 900) } : {}),
  }));
  const text = renderMarkdown(
    sampleRun(checks, {
      target: { embedded: false, base: `http://${nasty}` },
      incidents: Array.from({ length: 90 }, () => nasty),
      leftBehind: Array.from({ length: 90 }, () => nasty),
      seed: nasty,
      waivers: Array.from({ length: 90 }, () => ({
        check: nasty,
        reason: nasty,
        link: nasty,
        expires: nasty,
        problem: nasty,
        waived: 1,
      })),
      headline: { operations: 1, served: 1, answered2xx: 1, verdict: nasty },
      baseline: {
        startedAt: '2026-01-01T00:00:00Z',
        runId: nasty,
        worse: [nasty, nasty],
        noLongerJudged: [nasty, nasty],
        knownFailures: 1,
        repaired: 1,
        behaviours: Array.from({ length: 90 }, () => ({ points: [nasty], before: nasty, after: nasty })),
      },
    }),
  );
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
  expect(text).toContain('more causes in result.json');
  expect(text).not.toMatch(/\p{Cc}(?<!\n)|\u202E/u);
});
