import { areas } from '../../fixtures/catalog/catalog.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import { clauseById } from '../../fixtures/catalog/clauses/register.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import { statusOf } from '../../fixtures/client/exchange.ts';
import { findBytes } from './find-bytes.ts';
import { keepProfile } from './keep-profile.ts';
import { asked, reads, write } from './profile.ts';

const { fullProfile, setBinaryState } = areas.players;
const anyState = open['open.flows'];
const ownName = 'AssayNotes';

/** Bytes under other names than FullProfile. */
export function names(flow: Flow): void {
  const { prepare, step } = flow.scene('player');
  const made = prepare('a profile', async (stage) => {
    await keepProfile(stage, 'player');
    const profile = Buffer.from(`assay profile ${stage.unique('assayprofile')}`);
    await write(stage, 'player', { bytes: profile, version: 1, what: 'a profile of plain text' });
    await reads(stage, 'player', profile);
    return profile;
  });

  const named = step(
    'own-name-bytes',
    [setBinaryState, fullProfile],
    clauseById('resources.state-by-name'),
    'what is written under a name of its own leaves FullProfile as it is',
    async (stage) => {
      const profile = stage.of(made);
      const notes = Buffer.from(`assay notes ${stage.unique('assaynotes')}`);
      const what = `a state of the name ${ownName}`;
      await write(stage, 'player', { stateName: ownName, bytes: notes, version: 2, what });
      await reads(stage, 'player', profile);
      return notes;
    },
  );

  step(
    'own-name-read',
    [setBinaryState],
    anyState,
    'what reading a name of its own, by the path that FullProfile has, is answered',
    async (stage) => {
      const notes = stage.of(named);
      const read = { ...fullProfile, path: fullProfile.path.replace('FullProfile', ownName) };
      const answer = await stage.put('player', read);
      const holds = findBytes(answer, notes) === undefined ? '' : ' with what was written';
      stage.observe(`${statusOf(answer)}${holds}`, answer);
    },
  );

  step(
    'json-name-bytes',
    [setBinaryState],
    anyState,
    'what writing bytes under the name of a state of JSON is answered',
    async (stage) => {
      stage.of(made);
      const bytes = Buffer.from(JSON.stringify({ assay: stage.unique('assaynotes') }));
      const call = asked(stage, { stateName: 'ChallengeUIData', version: 3 });
      await stage.observeAnswer('player', setBinaryState, { ...call, body: bytes });
    },
  );
}
