import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test.each([
  ['compiles what is called often', '', true],
  ['compiles nothing any more once that is stopped', 'stopCompiling();', false],
])('a process %s', (_, before, isCompiled) => {
  const script = `
    import { stopCompiling } from ${JSON.stringify(new URL('./process.ts', import.meta.url).href)};
    ${before}
    const often = (n) => n % 7;
    let sum = 0;
    for (let round = 0; round < 1e6; round += 1) sum += often(round);
    await new Promise((resolve) => setTimeout(resolve, 50));`;
  const args = ['--trace-opt', '--input-type=module', '--eval', script];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 20_000 });
  expect(status).toBe(0);
  expect(/compiling method/.test(stdout)).toBe(isCompiled);
});
