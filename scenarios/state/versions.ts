import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import { poll } from '../../fixtures/check/flow/polling.ts';
import type { Stage } from '../../fixtures/check/flow/stage.ts';
import { statusOf } from '../../fixtures/client/exchange.ts';
import { findBytes } from './find-bytes.ts';
import { keepProfile } from './keep-profile.ts';
import { asked, reads, write } from './profile.ts';

const { fullProfile, setBinaryState } = areas.players;
const anyState = open['open.flows'];
const [first, second] = [11, 12];
/** Either way is no fault, so it is waited for less long than what has to show. */
const showsWithinMs = 600;

/** `schemaVersion` and `version` of the query: which of two writes stands. */
export function versions(flow: Flow): void {
  const { step } = flow.scene('player');

  const raised = step(
    'version-raised',
    [setBinaryState, fullProfile],
    effects.state.latest,
    'a profile of a higher version takes the place of the one before',
    async (stage) => {
      await keepProfile(stage, 'player');
      const [before, after] = [profile(stage), profile(stage)];
      await write(stage, 'player', { bytes: before, version: first, what: 'a profile of plain text' });
      await reads(stage, 'player', before);
      await write(stage, 'player', { bytes: after, version: second, what: 'a profile of a higher version' });
      await reads(stage, 'player', after);
    },
  );

  step(
    'version-again',
    [setBinaryState],
    anyState,
    'what another profile of the same version is answered',
    async (stage) => {
      stage.of(raised);
      await another(stage, { version: second, schemaVersion: 1 });
    },
  );

  step(
    'version-lower',
    [setBinaryState],
    anyState,
    'what a profile of a lower version is answered',
    async (stage) => {
      stage.of(raised);
      await another(stage, { version: first, schemaVersion: 1 });
    },
  );

  step(
    'schema-version-raised',
    [setBinaryState],
    anyState,
    'what a profile of a higher schema version is answered',
    async (stage) => {
      stage.of(raised);
      await another(stage, { version: second + 1, schemaVersion: 2 });
    },
  );
}

const profile = (stage: Stage<'player'>) => Buffer.from(`assay profile ${stage.unique('assayprofile')}`);

/** Writes another profile, and notes whether it is what is read then. */
async function another(
  stage: Stage<'player'>,
  version: { readonly version: number; readonly schemaVersion: number },
): Promise<void> {
  const bytes = profile(stage);
  const answer = await stage.put('player', setBinaryState, { ...asked(stage, version), body: bytes });
  const { holds } = await poll(
    () => stage.put('player', fullProfile),
    (read) => findBytes(read, bytes) !== undefined,
    showsWithinMs,
  );
  stage.observe(`${statusOf(answer)}, and ${holds ? 'it is read' : 'the profile before stands'}`, answer);
}
