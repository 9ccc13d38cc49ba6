import { areas } from '../../fixtures/catalog/catalog.ts';
import type { Stage } from '../../fixtures/check/flow/stage.ts';
import { asked } from './profile.ts';

const { fullProfile, setBinaryState } = areas.players;

/** Above every version that a flow writes: a target may refuse to go back. */
const afterAll = 1_000;

/** A player of ours may be somebody's account: the profile that they had is written back when the run is over. */
export async function keepProfile<Role extends string>(
  stage: Stage<Role>,
  role: NoInfer<Role>,
): Promise<void> {
  const { response } = await stage.put(role, fullProfile);
  if (response === undefined || response.status !== 200 || response.body.length === 0) return;
  stage.later(role, setBinaryState, { ...asked(stage, { version: afterAll }), body: response.body });
}
