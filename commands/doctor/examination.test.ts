import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readProfile, silentProfile } from '../../engine/target/profile.ts';
import { lackingIn } from './examination.ts';

test('a profile that states nothing lacks every JSON body, every status and every schema', () => {
  const { body, accepts, schema } = lackingIn(silentProfile);
  expect(body).toContain('party.create');
  expect(body).not.toContain('players.setBinaryState');
  expect([accepts.length, schema.length]).toEqual([184, 184]);
});

test('a full profile lacks nothing that the interface could do with', () => {
  const text = readFileSync(new URL('../../fixtures/profiles/reference.json', import.meta.url), 'utf8');
  const read = readProfile(text, {});
  if (!('profile' in read)) throw new Error(read.mistakes.join('\n'));
  const { body, accepts } = lackingIn(read.profile);
  expect({ body, accepts }).toEqual({ body: [], accepts: [] });
});

test('what is left out needs nothing', () => {
  const omitted = new Map([['party.create', 'not built']]);
  expect(lackingIn({ ...silentProfile, omitted }).body).not.toContain('party.create');
});

test('the body of the login may stand with the session', () => {
  expect(lackingIn({ ...silentProfile, session: { body: null } }).body).not.toContain('auth.login');
});
