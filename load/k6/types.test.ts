import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');
const native = join(root, 'node_modules', '@typescript', `typescript-${process.platform}-${process.arch}`);
const skipped = !existsSync(native) && !process.env.CI;
if (skipped) console.warn(`SKIPPED: k6's scripts are not type-checked, ${native} is not installed`);

/** The scripts' own settings over them and one more file. */
function check(source: string): string[] {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'stray.ts'), source);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const settings = {
    extends: join(here, 'tsconfig.json'),
    compilerOptions: { typeRoots: [join(root, 'node_modules', '@types')] },
    include: [join(here, '*.ts'), join(folder, '*.ts')],
    exclude: [join(here, '*.test.ts')],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
    encoding: 'utf8',
    timeout: 30_000,
  });
  return stdout.split('\n').filter((line) => line.includes('error'));
}

test.skipIf(skipped)(
  'a stray URL or process is a compile error in what k6 loads, and there is no other',
  () => {
    const found = check("export const stray = [new URL('http://a'), process.env, setTimeout];");
    expect(found.map((line) => /stray\.ts.*Cannot find name '(\w+)'/.exec(line)?.[1])).toEqual([
      'URL',
      'process',
      'setTimeout',
    ]);
  },
);
