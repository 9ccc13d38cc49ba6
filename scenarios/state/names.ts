// Checks that bytes under other names than FullProfile leave it as it is.
import { areas } from '../../catalog/catalog.ts';
import { clauseById } from '../../catalog/clauses/clauses.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { statusOf } from '../../engine/http/exchange.ts';
import {
  findBytes,
  keepProfile,
  keeps,
  plainProfile,
  plainText,
  reads,
  write,
  writeParameters,
} from './profile.ts';

const { fullProfile, setBinaryState } = areas.players;

const ownName = 'AssayNotes';

export function names(flow: Flow): void {
  const { prepare } = flow.scenario('player');
  const made = prepare('a profile', async (context) => {
    await keepProfile(context, 'player');
    const profile = plainProfile(context);
    await keeps(context, 'player', { bytes: profile, version: 1, what: plainText });
    return profile;
  });

  const named = made.step(
    'own-name-bytes',
    [setBinaryState, fullProfile],
    clauseById('resources.state-by-name'),
    'bytes written under another name do not change FullProfile',
    async (context, profile) => {
      const notes = Buffer.from(`assay notes ${context.unique('assaynotes')}`);
      const what = `a state of the name ${ownName}`;
      await write(context, 'player', { stateName: ownName, bytes: notes, version: 2, what });
      await reads(context, 'player', profile);
      return notes;
    },
  );

  named.observe(
    'own-name-read',
    [setBinaryState],
    'how the server answers when a player reads another name by the path of FullProfile',
    async (context, notes) => {
      const read = { ...fullProfile, path: fullProfile.path.replace('FullProfile', ownName) };
      const answer = await context.send('player', read);
      const holds = findBytes(answer, notes) === undefined ? '' : ' with what was written';
      context.observe(`${statusOf(answer)}${holds}`, answer);
    },
  );

  made.observe(
    'json-name-bytes',
    [setBinaryState],
    'how the server answers when a player writes bytes under the name of a JSON state',
    async (context) => {
      const bytes = Buffer.from(JSON.stringify({ assay: context.unique('assaynotes') }));
      const call = writeParameters(context, { stateName: 'ChallengeUIData', version: 3 });
      await context.observeAnswer('player', setBinaryState, { ...call, body: bytes });
    },
  );
}
