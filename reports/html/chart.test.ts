import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { wholeRun } from '../../fixtures/kit/sample-run.ts';
import { writeResult } from '../files.ts';
import { loadEcharts } from './chart.ts';

describe('what the first chart of a process compiled', () => {
  const out = mkdtempSync(join(tmpdir(), 'assay compiled '));
  const result = join(out, 'result.json');
  beforeAll(() => {
    writeResult(wholeRun(), result);
    return () => rmSync(out, { recursive: true });
  });

  /** Makes the page in a process of its own. */
  function page(): string {
    const { status } = spawnSync(process.execPath, ['--import', './runtime.js', 'cli.ts', 'report', result], {
      env: { ...process.env, NODE_COMPILE_CACHE: join(out, 'compiled') },
      stdio: 'ignore',
      timeout: 20_000,
    });
    expect(status).toBe(0);
    return readFileSync(join(out, 'report.html'), 'utf8');
  }

  function kept(): string {
    const files = readdirSync(join(out, 'compiled'), { recursive: true, encoding: 'utf8' });
    const [file = 'none', ...others] = files.filter((name) => name.includes('echarts-'));
    expect(others).toEqual([]);
    return join(out, 'compiled', file);
  }

  test('is kept, serves the next one, and is replaced where it cannot', () => {
    const first = page();
    const { size, ino } = statSync(kept());
    expect(page()).toBe(first);
    expect(statSync(kept()).ino).toBe(ino);
    writeFileSync(kept(), 'no code');
    expect(page()).toBe(first);
    expect(statSync(kept()).size).toBeGreaterThan(size / 2);
  });
});

test.each([
  ['no folder to keep it in', undefined],
  ['one that cannot be made', join(import.meta.filename, 'in a file')],
])('with %s a chart is drawn all the same', (_, folder) => {
  const { init, keep } = loadEcharts(folder, 'pie');
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: 100, height: 100 });
  onTestFinished(() => chart.dispose());
  chart.setOption({ animation: false, series: [{ type: 'pie', data: [1, 2] }] });
  expect(chart.renderToSVGString()).toContain('<svg');
  expect(keep).not.toThrow();
});
