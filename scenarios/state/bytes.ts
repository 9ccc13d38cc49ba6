// Checks that the binary profile is stored byte for byte in every size, and stays the player's own.
import { areas } from '../../catalog/catalog.ts';
import { clauseById } from '../../catalog/clauses/clauses.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { silenced } from '../../engine/flow/refusal.ts';
import { poll } from '../../engine/flow/views.ts';
import { statusOf } from '../../engine/http/exchange.ts';
import { allValues, findBytes, keepProfile, manyBytes, reads, write } from './profile.ts';

const { fullProfile, setBinaryState } = areas.players;
const clauses = effects.state;
const mebibyte = 1024 * 1024;

/** The binary profile, byte for byte, in every size, and never another player's. */
export function bytes(flow: Flow): void {
  const { step } = flow.scenario('player', 'other');

  const written = step(
    'profile-written',
    [setBinaryState, fullProfile],
    clauses.kept,
    'the profile reads back byte for byte as it was written',
    async (context) => {
      await keepProfile(context, 'player');
      const plain = Buffer.from(`assay profile ${context.unique('assayprofile')}`);
      await write(context, 'player', { bytes: plain, version: 1, what: 'a profile of plain text' });
      const found = await reads(context, 'player', plain);
      if (found === 'base64') context.note('read as base64');
      return { plain, found };
    },
  );

  step(
    'full-profile',
    [fullProfile],
    clauseById('resources.named-states'),
    'FullProfile is a state that its player can read',
    async (context) => {
      await context.done('player', fullProfile, {
        mayRefuse: 'FullProfile, which may not have been written,',
      });
    },
  );

  step(
    'profile-other-player',
    [fullProfile, setBinaryState],
    clauses.apart,
    'another player does not read the profile of the first one',
    async (context) => {
      const { plain } = context.of(written);
      const view = await context.put('other', fullProfile);
      silenced(view);
      context.expect(
        findBytes(view, plain) === undefined,
        `${fullProfile.id} shows nobody else's profile`,
        'what the first player wrote',
        view,
      );
    },
  );

  step(
    'profile-each-own',
    [setBinaryState, fullProfile],
    clauses.apart,
    "a profile that another player writes does not change the first one's",
    async (context) => {
      const { plain } = context.of(written);
      await keepProfile(context, 'other');
      const others = Buffer.from(`assay profile ${context.unique('assayprofile')}`);
      await write(context, 'other', { bytes: others, version: 1, what: 'a profile of plain text' });
      await reads(context, 'other', others);
      await reads(context, 'player', plain);
    },
  );

  step(
    'profile-all-values',
    [setBinaryState, fullProfile],
    clauseById('resources.binary-profile'),
    'a profile of all byte values reads back unchanged, not decoded as text',
    async (context) => {
      context.of(written);
      const every = allValues(context.unique('assayprofile'));
      await write(context, 'player', { bytes: every, version: 2, what: 'a profile of all byte values' });
      await reads(context, 'player', every);
    },
  );

  const large = step(
    'profile-large',
    [setBinaryState, fullProfile],
    clauses.kept,
    'a profile of 1 MiB reads back byte for byte',
    async (context) => {
      context.of(written);
      const many = manyBytes(mebibyte, context.unique('assayprofile'));
      await write(context, 'player', { bytes: many, version: 3, what: 'a profile of 1 MiB' });
      await reads(context, 'player', many);
    },
  );

  step(
    'profile-shorter',
    [setBinaryState, fullProfile],
    clauses.latest,
    'a short profile replaces a long one completely',
    async (context) => {
      context.of(large);
      const few = Buffer.from(context.unique('assayprofile'));
      await write(context, 'player', { bytes: few, version: 4, what: 'a short profile' });
      await reads(context, 'player', few);
    },
  );

  step(
    'profile-empty',
    [setBinaryState, fullProfile],
    clauses.latest,
    'an empty profile replaces one that is not empty',
    async (context) => {
      context.of(written);
      const last = Buffer.from(context.unique('assayprofile'));
      await write(context, 'player', { bytes: last, version: 5, what: 'a short profile' });
      await reads(context, 'player', last);
      await write(context, 'player', { bytes: new Uint8Array(), version: 6, what: 'an empty profile' });
      const polled = await poll(
        () => context.put('player', fullProfile),
        (exchange) => statusOf(exchange) !== 0 && findBytes(exchange, last) === undefined,
      );
      silenced(polled.last);
      context.expect(
        polled.holds,
        `${fullProfile.id} no longer shows the profile before`,
        'it still does',
        polled.last,
      );
    },
  );
}
