import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const own = JSON.stringify(new URL('./process.ts', import.meta.url).href);
/** A process of its own that performs the script. */
const performed = (script: string, ...args: readonly string[]) =>
  spawnSync(process.execPath, [...args, '--input-type=module', '--eval', script], {
    encoding: 'utf8',
    timeout: 20_000,
  });

test.each([
  ['compiles what is called often', '', true],
  ['compiles nothing any more once that is stopped', 'stopCompiling();', false],
])('a process %s', (_, before, isCompiled) => {
  const script = `
    import { stopCompiling } from ${own};
    ${before}
    const often = (n) => n % 7;
    let sum = 0;
    for (let round = 0; round < 1e6; round += 1) sum += often(round);
    await new Promise((resolve) => setTimeout(resolve, 50));`;
  const { status, stdout } = performed(script, '--trace-opt');
  expect(status).toBe(0);
  expect(/compiling method .*often/.test(stdout)).toBe(isCompiled);
});

test('leaving ends what would keep the process, after its output, with the first code', () => {
  const script = `
    import { leave } from ${own};
    setInterval(() => {}, 1_000);
    process.stdout.write('x'.repeat(1 << 20));
    void leave(7);
    void leave(0);`;
  const { status, stdout } = performed(script);
  expect([status, stdout.length]).toEqual([7, 1 << 20]);
});

test('a long process leaves once what was being compiled has ended', () => {
  const script = `
    import { leave } from ${own};
    const often = (n) => n % 7;
    for (const until = performance.now() + 1_000; performance.now() < until; ) often(1);
    process.on('exit', () => console.log('leaves'));
    console.log('asks to');
    await leave(0);`;
  const lines = performed(script, '--trace-opt').stdout.split('\n');
  const [asked, left] = ['asks to', 'leaves'].map((line) => lines.indexOf(line));
  const begun = (from: number, to: number) =>
    lines.slice(from, to).filter((line) => line.includes('compiling method')).length;
  expect(begun(0, asked ?? 0)).toBeGreaterThan(0);
  expect(begun(asked ?? 0, left ?? 0)).toBe(0);
});
