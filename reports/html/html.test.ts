import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { badRun, hostileRun, sampleResult, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { renderHtml } from './html.ts';

const hostile = hostileRun();
const hostileHtml = renderHtml(hostile);

const blocksOf = (html: string) =>
  Array.from(html.matchAll(/class="data">([^<]*)</g), ([, base64 = '']) =>
    JSON.parse(inflateRawSync(Buffer.from(base64, 'base64')).toString()),
  );

describe('report.html', () => {
  test('stays below 2 MB where everything fails with an exchange of its own, and holds every check', () => {
    expect(Buffer.byteLength(hostileHtml)).toBeLessThan(2_000_000);
    expect(blocksOf(hostileHtml)[0].columns.id).toHaveLength(hostile.checks.length);
  });

  test('gives what weighs most the room there is', () => {
    const [table, ...others] = blocksOf(hostileHtml);
    const places = others.flatMap(({ places }) => places.filter((_: number, at: number) => at % 2 === 0));
    const causes = new Map<number, number>(
      table.columns.at.map((at: number, row: number) => [at, table.columns.cause[row]]),
    );
    const shownCauses = places.map((place: number) => causes.get(place) ?? 0);
    expect(Math.min(...shownCauses)).toBe(1);
    expect(shownCauses.length).toBeLessThan(2 * table.columns.at.length);
  });

  test('leaves checks out, and says how many, where even their names find no room', () => {
    const name = (at: number) => createHash('sha512').update(String(at)).digest('hex');
    const many = Array.from({ length: 9_000 }, (_, at) =>
      sampleResult({
        id: `party.create#${name(at)}`,
        title: name(-at),
        outcome: at === 8_999 ? 'fail' : 'pass',
      }),
    );
    const html = renderHtml(sampleRun(many));
    const [{ columns }] = blocksOf(html);
    const kept: number = columns.id.length;
    expect(Buffer.byteLength(html)).toBeLessThan(2_000_000);
    expect(html).toContain(`${String(9_000 - kept).replace(/(?=...$)/, ',')} checks found no room`);
    expect(columns.at).toContain(8_999);
  });

  test('carries one exchange once, however many checks it shows', () => {
    const run = badRun();
    const blocks = blocksOf(renderHtml(run));
    const exchanges = blocks.filter(({ kind }) => kind === 'exchanges');
    expect(exchanges.flatMap(({ values }) => values)).toHaveLength(1);
    expect(exchanges.flatMap(({ places }) => places)).toHaveLength(2 * 23);
  });

  test('names in its policy the script and the style it has, and nothing else', () => {
    const html = renderHtml(badRun());
    const digest = (text = '') => `sha256-${createHash('sha256').update(text).digest('base64')}`;
    const [, style] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? [];
    const [, script] = /<script>([\s\S]*?)<\/script>/.exec(html) ?? [];
    expect(/Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1]?.split('; ')).toEqual([
      "default-src 'none'",
      `script-src '${digest(script)}'`,
      `style-src '${digest(style)}'`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });

  test('shows waivers with their last day, and links web addresses alone', () => {
    const waiver = { check: 'party.*', reason: 'being mended', expires: '2026-12-31', waived: 2 };
    const html = renderHtml(
      sampleRun([sampleResult()], {
        waivers: [
          { ...waiver, link: 'https://tracker.example/1' },
          {
            ...waiver,
            link: 'javascript://tracker.example/%0Aalert(1)',
            problem: 'out of date since 2026-01-01',
          },
        ],
      }),
    );
    expect(html).toContain('2026-12-31');
    expect(html).toContain('href="https://tracker.example/1"');
    expect(html).not.toContain('href="javascript');
    expect(html).toContain('out of date since 2026-01-01');
  });

  test('shows which behaviours differ from the baseline', () => {
    const baseline = {
      startedAt: '2026-01-01T00:00:00.000Z',
      runId: 'r',
      worse: ['party.create#routed'],
      unjudgedBefore: ['me.logout#routed'],
      noLongerJudged: ['me.location#shape'],
      knownFailures: 0,
      repaired: 1,
      behaviours: [{ points: ['me.location#anonymous'], before: 'answers 401', after: 'answers 403' }],
    };
    const html = renderHtml(
      sampleRun([sampleResult()], { baseline, ledger: { 'me.location#anonymous': 'answers 403' } }),
    );
    expect(html).toContain('1 behaviour changed since the baseline');
    expect(html).toMatch(/answers 401[\s\S]*answers 403/);
    expect(html).toContain(
      '1 check worse, 1 failing that it was cut off before judging, 1 no longer judged, 0 known failures, 1 repaired',
    );
    expect(html).toMatch(/No longer judged:<\/p><ul[^>]*><li><a href="#[^"]*"[^>]*>me\.location#shape</);
  });

  test('shows on the first screen why little could be judged, where nothing failed', () => {
    const unjudged = sampleResult({ outcome: 'inconclusive', reason: 'catch-all', detail: 'alike' });
    const [, panel] =
      /class="panel causes">([\s\S]*?)<\/section>/.exec(renderHtml(sampleRun([unjudged]))) ?? [];
    expect(panel).toContain('Nothing that was judged breaks a rule.');
    expect(panel).toContain('catch-all: make unrouted paths answer 404');
    expect(panel).toContain('href="#outcome=inconclusive&amp;reason=catch-all"');
  });

  test('keeps the causes apart from what could not be judged', () => {
    const checks = [
      sampleResult({ outcome: 'fail', cause: 'one' }),
      sampleResult({ id: 'queue.enter#answers', outcome: 'inconclusive', reason: 'needs-body' }),
      sampleResult({ id: 'queue.leave#answers', outcome: 'inconclusive', reason: 'catch-all' }),
    ];
    const [, panel = ''] =
      /class="panel causes">([\s\S]*?)<\/section>/.exec(renderHtml(sampleRun(checks))) ?? [];
    const [heaviest = '', others = ''] = panel.split('<h3>Not judged</h3>');
    expect(heaviest).not.toContain('needs-body');
    expect(others).toContain('needs-body');
  });

  test('says beside the verdict which behaviours changed', () => {
    const since = { gate: 'changed', before: 'answers 401' } as const;
    const changed = ['a', 'b', 'c', 'd'].map((rule) =>
      sampleResult({ id: `me.location#${rule}`, outcome: 'observed', behaviour: 'answers 403', since }),
    );
    const [header = ''] = renderHtml(sampleRun(changed)).split('</header>');
    expect(header).toContain('href="#check=me.location%23a"');
    expect(header).toContain('<a href="#baseline">1 more change</a>');
    expect(header).toContain('now answers refused (before: answers sign in first)');
  });

  test('leads to what warned, where warnings are what found no block', () => {
    const checks = Array.from({ length: 22 }, (_, at) =>
      sampleResult({ id: `party.create#${at}`, cause: String(at), outcome: at < 20 ? 'fail' : 'warn' }),
    );
    expect(renderHtml(sampleRun(checks))).toContain(
      '2 more causes (2 checks) in the list of checks: <a href="#outcome=warn">warned</a></p>',
    );
  });

  test('of a run without checks has an empty list', () => {
    const [{ columns }] = blocksOf(renderHtml(sampleRun([])));
    expect(columns.at).toEqual([]);
  });

  test('of a run with one check shows that check', () => {
    const html = renderHtml(sampleRun([sampleResult({ outcome: 'fail' })]));
    expect(html).toContain('DOES NOT CONFORM: 1 checks failed');
    expect(html).not.toContain('answered 2xx');
  });
});
