import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { type Answer, rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { vary } from './vary.ts';

const { catalog } = areas.clientData;
const kept = { 'cache-control': 'public, max-age=300' };
const file = (headers: Readonly<Record<string, string>>, coding?: string): Answer => ({
  headers,
  body: { a: 1 },
  ...(coding && { wire: { coding, bytes: 9 } }),
});

test.each<[string, Answer, Answer, string]>([
  ['a coded file that caches take for everybody', file(kept), file(kept, 'gzip'), 'violation'],
  [
    'an uncoded one that they take for everybody',
    file(kept),
    file({ ...kept, vary: 'Accept-Encoding' }, 'gzip'),
    'violation',
  ],
  [
    'both named',
    file({ ...kept, vary: 'accept-encoding' }),
    file({ ...kept, vary: 'Origin, Accept-Encoding' }, 'gzip'),
    'pass',
  ],
  ['all that a request says', file({ ...kept, vary: '*' }), file({ ...kept, vary: '*' }, 'br'), 'pass'],
  [
    'what no cache keeps',
    file({ 'cache-control': 'no-store' }),
    file({ 'cache-control': 'no-store' }, 'gzip'),
    'pass',
  ],
  [
    'what is asked for anew each time',
    file({ 'cache-control': 'public, no-cache' }),
    file({ 'cache-control': 'public, no-cache' }, 'gzip'),
    'pass',
  ],
  ['what says nothing of caches', file({}), file({}, 'gzip'), 'pass'],
  ['one coding for everybody', file(kept, 'gzip'), file(kept, 'gzip'), 'not-triggered'],
  ['no coding', file(kept), file(kept), 'not-triggered'],
  ['a rate limit', file(kept), { status: 429 }, 'rate-limited'],
])('judges %s', async (_, plain, coded, expected) => {
  const { verdict } = await rehearse(vary, catalog, ({ headers = [] }) =>
    headers.some(([name]) => name === 'accept-encoding') ? coded : plain,
  );
  expect(verdict).toBe(expected);
});
