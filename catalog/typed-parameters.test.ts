// Judged by tsc: an @ts-expect-error whose line compiles is itself an error. Running it shows the same to a reader.
import { expect, test } from 'vitest';
import { auth } from './areas/authentication.ts';
import { clientData } from './areas/client-data.ts';
import { extensions } from './areas/extensions.ts';
import { party } from './areas/party.ts';
import { queue } from './areas/queue-ranks-utils.ts';
import type { Operation } from './operation.ts';
import { type Params, requestPath } from './request-path.ts';

/** Typed as a client's `call` is. */
function call<O extends Operation>(operation: O, params: Params<O>): string {
  return requestPath(operation, params, { ambient: { CDN_ROOT_FOLDER_PATH: 'r', gameVersion: 'v' } });
}

test('a placeholder of path or query is needed', () => {
  expect(call(party.get, { partyId: 'p', autoJoinKey: 'k' })).toContain('autoJoinKey=k');
  // @ts-expect-error autoJoinKey is missing
  expect(() => call(party.get, { partyId: 'p' })).toThrow('{autoJoinKey}');
  // @ts-expect-error partyId is missing
  expect(() => call(party.get, { autoJoinKey: 'k' })).toThrow('{partyId}');
  // @ts-expect-error token is missing
  expect(() => call(auth.login, {})).toThrow('{token}');
});

test('a name the template does not hold is refused', () => {
  // @ts-expect-error partyID is misspelt
  expect(() => call(party.update, { partyID: 'p' })).toThrow('{partyId}');
  // @ts-expect-error the call has no parameters
  expect(call(queue.enter, { limit: 1 })).toBe('/api/v1/queue');
});

test('a fixed value may be left out or overridden', () => {
  expect(call(party.details, {})).toContain('includeState=true');
  expect(call(party.details, { includeState: false })).toContain('includeState=false');
});

test('a bracketed parameter may be repeated, another may not', () => {
  expect(call(extensions.catalogItems, { types: ['a', 'b'] })).toContain('=a&');
  // @ts-expect-error one player joins at a time
  call(party.join, { playerId: ['a', 'b'] });
});

test('what belongs to the target may be left out', () => {
  expect(call(clientData.archiveQuests, { archiveId: 'a' })).toBe(
    '/clientData/r/content/v/archiveQuests/a.json',
  );
});
