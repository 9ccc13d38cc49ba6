import { expect, test } from 'vitest';
import { flatModules } from './modules.ts';

const sources: Record<string, string> = {
  'a/b/entry.ts':
    "import { x } from 'k6';\nimport { y } from '../c.ts';\nimport type { Z } from './types.ts';\n",
  'a/c.ts': "export { y } from './b/d.ts';\nconst text = \"from './not-an-import.ts'\";\n",
  'a/b/d.ts': 'export const y = 1;\n',
};

function read(path: string): string {
  const text = sources[path];
  if (text === undefined) throw new Error(`${path} was read`);
  return text;
}

test('an entry and all that it loads lie side by side, and find each other', () => {
  expect(flatModules('a/b/entry.ts', read)).toEqual({
    'entry.ts':
      "import { x } from 'k6';\nimport { y } from './a.c.ts';\nimport type { Z } from './a.b.types.ts';\n",
    'a.c.ts': "export { y } from './a.b.d.ts';\nconst text = \"from './not-an-import.ts'\";\n",
    'a.b.d.ts': 'export const y = 1;\n',
  });
});
