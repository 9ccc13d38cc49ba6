// A name that no file has would move that file to the tests that run in minutes.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../engine/files.ts';
import { order } from './long-tests.ts';

test('every file that is begun first, or left to the long tests, exists', () => {
  expect(order.filter((name) => !existsSync(join(root, name)))).toEqual([]);
});
