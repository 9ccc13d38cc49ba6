import { areas } from '../../catalog/catalog.ts';
import { clauseById } from '../../catalog/clauses/clauses.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { poll } from '../../engine/flow/polling.ts';
import { silenced } from '../../engine/flow/refusal.ts';
import { statusOf } from '../../engine/http/exchange.ts';
import { allValues, findBytes, keepProfile, manyBytes, reads, write } from './profile.ts';

const { fullProfile, setBinaryState } = areas.players;
const clauses = effects.state;
const mebibyte = 1024 * 1024;

/** The binary profile, byte for byte, in every size, and never another player's. */
export function bytes(flow: Flow): void {
  const { step } = flow.scene('player', 'other');

  const written = step(
    'profile-written',
    [setBinaryState, fullProfile],
    clauses.kept,
    'the profile that is written is read, byte for byte',
    async (stage) => {
      await keepProfile(stage, 'player');
      const plain = Buffer.from(`assay profile ${stage.unique('assayprofile')}`);
      await write(stage, 'player', { bytes: plain, version: 1, what: 'a profile of plain text' });
      const found = await reads(stage, 'player', plain);
      if (found === 'base64') stage.note('read as base64');
      return { plain, found };
    },
  );

  step(
    'full-profile',
    [fullProfile],
    clauseById('resources.named-states'),
    'FullProfile is a state that its player can read',
    async (stage) => {
      await stage.done('player', fullProfile, { mayRefuse: 'FullProfile, which may not have been written,' });
    },
  );

  step(
    'profile-other-player',
    [fullProfile, setBinaryState],
    clauses.apart,
    'another player does not read the profile of the first',
    async (stage) => {
      const { plain } = stage.of(written);
      const view = await stage.put('other', fullProfile);
      silenced(view);
      stage.expect(
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
    'what another player writes leaves the profile of the first as it is',
    async (stage) => {
      const { plain } = stage.of(written);
      await keepProfile(stage, 'other');
      const others = Buffer.from(`assay profile ${stage.unique('assayprofile')}`);
      await write(stage, 'other', { bytes: others, version: 1, what: 'a profile of plain text' });
      await reads(stage, 'other', others);
      await reads(stage, 'player', plain);
    },
  );

  step(
    'profile-all-values',
    [setBinaryState, fullProfile],
    clauseById('resources.binary-profile'),
    'every value of a byte comes back: the profile is not decoded as text on its way',
    async (stage) => {
      stage.of(written);
      const every = allValues(stage.unique('assayprofile'));
      await write(stage, 'player', { bytes: every, version: 2, what: 'a profile of all byte values' });
      await reads(stage, 'player', every);
    },
  );

  const large = step(
    'profile-large',
    [setBinaryState, fullProfile],
    clauses.kept,
    'a profile of 1 MiB is read, byte for byte',
    async (stage) => {
      stage.of(written);
      const many = manyBytes(mebibyte, stage.unique('assayprofile'));
      await write(stage, 'player', { bytes: many, version: 3, what: 'a profile of 1 MiB' });
      await reads(stage, 'player', many);
    },
  );

  step(
    'profile-shorter',
    [setBinaryState, fullProfile],
    clauses.latest,
    'a short profile takes the place of a long one altogether',
    async (stage) => {
      stage.of(large);
      const few = Buffer.from(stage.unique('assayprofile'));
      await write(stage, 'player', { bytes: few, version: 4, what: 'a short profile' });
      await reads(stage, 'player', few);
    },
  );

  step(
    'profile-empty',
    [setBinaryState, fullProfile],
    clauses.latest,
    'an empty profile takes the place of one that is not',
    async (stage) => {
      stage.of(written);
      const last = Buffer.from(stage.unique('assayprofile'));
      await write(stage, 'player', { bytes: last, version: 5, what: 'a short profile' });
      await reads(stage, 'player', last);
      await write(stage, 'player', { bytes: new Uint8Array(), version: 6, what: 'an empty profile' });
      const polled = await poll(
        () => stage.put('player', fullProfile),
        (exchange) => statusOf(exchange) !== 0 && findBytes(exchange, last) === undefined,
      );
      silenced(polled.last);
      stage.expect(
        polled.holds,
        `${fullProfile.id} no longer shows the profile before`,
        'it still does',
        polled.last,
      );
    },
  );
}
