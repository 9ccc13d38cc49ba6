import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sampleResult, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import { capacitySection } from './capacity.ts';
import { extrasBeside, renderHtml } from './html.ts';
import { loadSection } from './load.ts';
import { loadPage } from './load-page.ts';

const step = (rate: number, p95: number) => ({
  rate,
  achieved: rate,
  dropped: 0,
  latency: { p50: p95 / 3, p95, p99: p95 * 2 },
  errors: { wrong: 0, transport: 1 },
});

const capacity = {
  schema: 'assay.capacity/1',
  verdict: 'FOUND',
  capacity: 473.52,
  unit: 'journeys/s',
  interval: [465, 482],
  arrivals: 'poisson',
  slo: 'p95=120ms,errors=0.1%',
  steps: [
    step(100, 30),
    { purpose: 'grow', step: step(400, 90) },
    { purpose: 'ceiling', step: step(9000, 1) },
  ],
};

const load = {
  schema: 'assay.load/1',
  verdict: 'FAIL',
  reasons: ['p95 of 140 ms <b>is</b> above 80 ms'],
  journey: 'party',
  shape: 'soak',
  arrivals: 'poisson',
  slo: 'p95=80ms',
  target: { base: 'http://127.0.0.1:8080' },
  startedAt: '2026-11-21T09:04:12.837Z',
  operations: {
    'party.create': { count: 2000, p50: 4, p95: 20, p99: 40, p999: 90, max: 300, errors: { status: 3 } },
  },
  seconds: Array.from({ length: 1500 }, (_, at) => ({ at, offered: 200, achieved: 198, p95: 20 + at / 20 })),
};

describe('a capacity search', () => {
  const { html } = capacitySection(capacity);

  test('shows the capacity and its interval', () => {
    expect(html).toContain(
      '<strong>474 journeys/s</strong> (FOUND), with p95=120ms,errors=0.1%, poisson arrivals',
    );
    expect(html).toContain('95 % interval: 465 to 482.');
  });

  test('draws the bound and the capacity, without what the generator did alone, and has all steps in a table', () => {
    expect(html).toMatch(/<svg role="img" aria-label="p95 of latency/);
    expect(html).toContain('>bound</text>');
    expect(html).toContain('>capacity</text>');
    expect(html).not.toContain('>10,000</text>');
    expect(html).toContain('<td>3 ceiling</td><td>9,000</td>');
  });

  test('that found nothing says so', () => {
    const { html } = capacitySection({
      ...capacity,
      verdict: 'ERRORS',
      capacity: null,
      interval: [null, null],
    });
    expect(html).toContain('<strong>No capacity found</strong> (ERRORS)');
    expect(html).toContain('Taken: not known; too much: not known.');
  });
});

describe('a load run', () => {
  test('is reported with its reasons, its course and its operations', () => {
    const { html } = loadSection(load);
    expect(html).toContain('<strong>FAIL</strong> party · soak · poisson · p95=80ms');
    expect(html).toContain('(against http://127.0.0.1:8080, begun 2026-11-21 09:04 UTC)');
    expect(html).toContain('p95 of 140 ms &lt;b&gt;is&lt;/b&gt; above 80 ms');
    expect(html).toContain('<td>party.create</td><td>2,000</td><td>4</td>');
    expect(html).toContain('>bound</text>');
  });

  test('has no latency of what was not called', () => {
    const idle = { count: 0, p50: 0, p95: 0, p99: 0, p999: 0, max: 0 };
    const { html } = loadSection({ ...load, operations: { 'queue.enter': idle } });
    expect(html).toContain(`<td>queue.enter</td><td>0</td>${'<td>–</td>'.repeat(5)}`);
  });

  test('of hours is thinned to what a line can show', () => {
    expect(loadSection(load).html.length).toBeLessThan(100_000);
  });
});

test('charts carry no style and no colour but the page’s own', () => {
  const unseen = /<clipPath[\s\S]*?<\/clipPath>|<[^>]* fill-opacity="0"[^>]*>/g;
  const html = (loadSection(load).html + capacitySection(capacity).html).replace(unseen, '');
  expect(html).not.toMatch(/<style|style="|class="zr/);
  expect(Array.from(html.matchAll(/(?:fill|stroke)="(#[^"]*|rgb[^"]*)"/g), ([, colour]) => colour)).toEqual(
    [],
  );
});

test.each([
  ['nothing', undefined],
  ['null', null],
  ['another schema', { schema: 'assay.load/9' }],
])('%s is shown as nothing', (_, value) => {
  expect(loadSection(value).html + capacitySection(value).html).toBe('');
});

test('members that are missing or of another kind are left out', () => {
  const wrong = {
    steps: [7, null, { rate: 'x' }, step(1, 2)],
    seconds: [null, 3, {}],
    operations: [1],
    slo: 5,
  };
  const odd = { ...wrong, reasons: 'x', interval: {}, capacity: 'many', verdict: {} };
  expect(capacitySection({ ...odd, schema: 'assay.capacity/1' }).html).toContain('No capacity found');
  expect(loadSection({ ...odd, schema: 'assay.load/1' }).html).toContain('no verdict');
});

test('what lies beside a result is shown with it; what cannot be read is not', () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'capacity.json'), JSON.stringify(capacity));
  writeFileSync(join(folder, 'load.json'), '{');
  const html = renderHtml(sampleRun([sampleResult()]), extrasBeside(folder));
  expect(html).toContain('id="capacity"');
  expect(html).not.toContain('id="load"');
});

describe('a page of its own', () => {
  const measured = {
    ...load,
    rate: 200,
    achieved: 197.66,
    requestsPerJourney: 3,
    seed: 'seed',
    durationMs: 9_500,
    latency: { p95: 140.25, p99: 300 },
    errors: { wrong: 3, transport: 0, byOperation: [{ operation: 'party.create', answer: '500', count: 3 }] },
    generator: { k6: '2.2.0', segments: 1, cpu: 0.21, memoryMiB: 83, lagMs: { p95: 1.26 }, nullP95: 0.9 },
  };

  test('of a load says the verdict, the figures in three digits, what went wrong and how it was measured', () => {
    const html = loadPage(measured) ?? '';
    expect(html).toContain('<title>Assay: load of party, FAIL</title>');
    expect(html).toContain('<h1>FAIL: party</h1>');
    expect(html).toContain('<dt>achieved</dt><dd>198</dd>');
    expect(html).toContain('<td>party.create</td><td>500</td><td>3</td>');
    expect(html).toMatch(/<svg role="img" aria-label="Errors in each second/);
    for (const fact of ['9.5 s', 'k6 2.2.0', '0.21 cores', '83 MiB', '1.26 ms', '0.9 ms'])
      expect(html).toContain(`<dd>${fact}</dd>`);
    expect(html).not.toContain('<script');
  });

  test('of players who meet says how long that took, and what the target said of it', () => {
    const off = { p50: 400, p95: 900 };
    const meeting = {
      sought: 120,
      met: 118,
      perSecond: 19.67,
      neverMet: 0.0167,
      time: { p50: 0.8, p95: 251 },
      shown: { expected: { member: 'eta<i>', says: { p50: 30_000 }, off } },
    };
    const html = loadPage({ ...measured, meeting }) ?? '';
    for (const fact of ['0.8 ms', '19.7', '1.67 %', '30 s', '400 ms'])
      expect(html).toContain(`<dd>${fact}</dd>`);
    expect(html).toContain('<dt>eta&lt;i&gt; says, p50</dt>');
    const waited = { member: 'waited', off };
    expect(loadPage({ ...measured, meeting: { ...meeting, shown: { waited } } })).toContain(
      '<dd>900 ms</dd>',
    );
    const nobody = loadPage({ ...measured, meeting: { ...meeting, met: 0, time: { p50: 0, p95: 0 } } });
    expect(nobody).toContain('<dt>time to match, p50</dt><dd>–</dd>');
    expect(loadPage({ ...measured, meeting: { sought: 1 } })).toContain('<dd>no answer states one</dd>');
    expect(loadPage(measured)).not.toContain('id="meeting"');
  });

  test('of a search says the capacity and its interval', () => {
    const html = loadPage({ ...capacity, journey: 'queue' }) ?? '';
    expect(html).toContain('<h1>FOUND: queue</h1>');
    expect(html).toContain('<dt>95 % interval, from</dt><dd>465</dd>');
    const seen = loadPage({ ...capacity, verdict: 'ABORTED', interval: [473.52, 500] }) ?? '';
    expect(seen).toContain('<dt>taken</dt><dd>474</dd></div><div><dt>too much</dt><dd>500</dd>');
    expect(html).toContain('id="capacity"');
  });

  test('of a search says what went wrong, from which rate on, and the verdict of every step', () => {
    const wrong = (operation: string, answer: string, count: number) => ({ operation, answer, count });
    const taken = (rate: number, limit: string | null, ...byOperation: object[]) => ({
      ...step(rate, 30),
      purpose: 'grow',
      passed: limit === null,
      limit,
      ended: 'complete',
      lagMs: { p95: 2.5 },
      errors: { wrong: byOperation.length, transport: 0, byOperation },
    });
    const steps = [
      taken(400, 'errors', wrong('queue.enter', '500', 9)),
      taken(100, null),
      taken(200, 'errors', wrong('queue.enter', '500', 3), wrong('queue.cancel', '404', 1)),
      { ...taken(9_000, 'latency', wrong('queue.enter', '200', 70)), purpose: 'ceiling', against: 'null' },
    ];
    const html = loadPage({ ...capacity, steps }) ?? '';
    expect(html).toContain('<td>queue.enter</td><td>500</td><td>12</td><td>200</td>');
    expect(html).toContain('<td>queue.cancel</td><td>404</td><td>1</td><td>200</td>');
    expect(html).not.toContain('<td>70</td>');
    const verdicts = ['too much: errors', 'ok', 'too much: errors', 'generator alone'];
    const shown = Array.from(html.matchAll(/<td>\d (?:grow|ceiling)<\/td><td>[^<]*<\/td><td>([^<]*)/g));
    expect(shown.map(([, verdict]) => verdict)).toEqual(verdicts);
  });

  test('is there for files that lack everything but their kind, and for no others', () => {
    expect(loadPage({ schema: 'assay.load/1' })).toContain('no verdict: unknown journey');
    expect(loadPage({ schema: 'assay.capacity/1', target: 'http://a.test' })).toContain('http://a.test');
    expect(loadPage({ schema: 'assay.result/1' })).toBeUndefined();
    expect(loadPage(undefined)).toBeUndefined();
  });
});
