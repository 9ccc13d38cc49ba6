import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Ask } from '../../engine/http/ask.ts';
import { type Answer, rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { etagStable } from './etag-stable.ts';

const { catalog } = areas.clientData;
const tagged = (etag: string, body = 'x', coding?: string): Answer => ({
  headers: { etag },
  body,
  ...(coding && { wire: { coding, bytes: 9 } }),
});
const byCoding =
  (plain: Answer, coded: Answer): Script =>
  ({ headers = [] }) =>
    headers.some(([name]) => name === 'accept-encoding') ? coded : plain;
const isOutdated = ({ headers = [] }: Ask) => headers.some(([name]) => name === 'if-none-match');
/** The nth answer, the last one from then on; that to an outdated tag is the second. */
const inTurn =
  (...answers: Answer[]): Script =>
  (ask) =>
    answers[Math.min(isOutdated(ask) ? 2 : Number(ask.nth ?? 1), answers.length) - 1] ?? {};

test.each([
  ['one tag for the same bytes', inTurn(tagged('"a"')), 'pass'],
  ['another tag for other bytes', inTurn(tagged('"a"', 'x'), tagged('"b"', 'y')), 'pass'],
  ['one tag for other bytes', inTurn(tagged('"a"', 'x'), tagged('"a"', 'y')), 'violation'],
  ['one change, as a redeploy makes it', inTurn(tagged('"a"'), tagged('"b"')), 'pass'],
  ['a tag made anew each time', inTurn(tagged('"a"'), tagged('"b"'), tagged('"c"')), 'warning'],
  ['a tag that changes to and fro', inTurn(tagged('"a"'), tagged('"b"'), tagged('"a"')), 'warning'],
  [
    'a weak tag, which promises no bytes',
    inTurn(tagged('W/"a"', 'x'), tagged('W/"a"', 'y')),
    'not-triggered',
  ],
  ['no tag', inTurn({}), 'not-triggered'],
  ['one tag for two codings', byCoding(tagged('"a"'), tagged('"a"', 'x', 'gzip')), 'warning'],
  ['a tag for each coding', byCoding(tagged('"a"'), tagged('"a-gz"', 'x', 'gzip')), 'pass'],
  ['a weak tag beside a coding', byCoding(tagged('"a"'), tagged('W/"a"', 'x', 'gzip')), 'pass'],
  ['a weak tag for all codings', byCoding(tagged('W/"a"'), tagged('W/"a"', 'x', 'gzip')), 'not-triggered'],
  ['one coding for everybody', () => tagged('"a"', 'x', 'gzip'), 'pass'],
  ['a coding that is asked for in vain', byCoding(tagged('"a"'), tagged('"a"')), 'pass'],
  ['a coded answer that is refused', byCoding(tagged('"a"'), { status: 406 }), 'pass'],
  ['a rate limit', byCoding(tagged('"a"'), { status: 429 }), 'rate-limited'],
  ['a tag that comes and goes', inTurn(tagged('"a"'), {}), 'not-triggered'],
] as [string, Script, string][])('returns $2 for $0', async (_, script, expected) => {
  expect((await rehearse(etagStable, catalog, script)).verdict).toBe(expected);
});

test('the answer in full to an outdated tag is the second read, unless it is none', async () => {
  const read = async (status: number) =>
    (
      await rehearse(etagStable, catalog, (ask) =>
        isOutdated(ask) ? { ...tagged('"a"'), status } : tagged('"a"'),
      )
    ).asked;
  expect(await read(200)).not.toContainEqual({ nth: 2 });
  expect(await read(304)).toContainEqual({ nth: 2 });
});
