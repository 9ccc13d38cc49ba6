import { expect, test } from 'vitest';
import type { Exchange } from '../../http/exchange.ts';
import { type Standing, standing } from './standing.ts';

const answer = (status: number, body: unknown = { error: 'no' }): Exchange => ({
  request: { method: 'GET', url: 'http://target.test/api/v1/me/location', headers: [] },
  response: { status, headers: [], body: new TextEncoder().encode(JSON.stringify(body)), wire: { bytes: 0 } },
  startedAt: 0,
  durationMs: 1,
  attempts: 1,
  waits: 0,
});
const place = (country: string) => answer(200, { country });

test.each<[string, Exchange, Exchange, Exchange, Standing]>([
  ['the same for everybody', place('DE'), place('DE'), place('FR'), 'indistinct'],
  ['refused although signed in', answer(403), answer(403), answer(401), 'indistinct'],
  ['refused as nobody is', answer(401), place('DE'), answer(401), 'nobody'],
  ['refused in another way', answer(403), place('DE'), answer(401), 'nobody'],
  ['a session that is over by its own status', answer(440), place('DE'), answer(401), 'nobody'],
  ['sent to the sign-in page', answer(302), place('DE'), answer(401), 'nobody'],
  ['met with the same server error as nobody', answer(500), place('DE'), answer(500), 'neither'],
  ['still let in where nobody meets a server error', place('FR'), place('DE'), answer(500), 'signed-in'],
  ['a 501 as nobody is answered', answer(501), place('DE'), answer(501), 'nobody'],
  ['still let in', place('FR'), place('DE'), answer(401), 'signed-in'],
  ['still let in, with nothing to say', answer(204, {}), place('DE'), answer(401), 'signed-in'],
  ['still let in, without any player named', answer(200, []), place('DE'), answer(401), 'signed-in'],
  ['a 200 that says why not', answer(200, { code: 'SESSION_EXPIRED' }), place('DE'), answer(401), 'neither'],
  ['let in, as everybody is, with nothing to say', answer(200, {}), place('DE'), answer(204), 'neither'],
  ['still let in, past the same refusal', answer(400), answer(400), answer(401), 'signed-in'],
  [
    'another 400 than the one signed in',
    answer(400, { error: 'expired' }),
    answer(400),
    answer(401),
    'neither',
  ],
  ["another player's state", answer(404), place('DE'), answer(401), 'neither'],
])('%s', (_, dead, signedIn, nobodys, expected) => {
  expect(standing(dead, signedIn, nobodys)).toBe(expected);
});
