// The binary profile as flows write and read it: which bytes, and how they come back.
import { areas } from '../../fixtures/catalog/catalog.ts';
import { poll } from '../../fixtures/check/flow/polling.ts';
import { silenced } from '../../fixtures/check/flow/refusal.ts';
import type { Stage } from '../../fixtures/check/flow/stage.ts';
import { type Exchange, statusOf } from '../../fixtures/client/exchange.ts';
import { type Found, findBytes, toldOf } from './find-bytes.ts';

const { players } = areas;

export interface Write {
  /** Default: FullProfile. */
  readonly stateName?: string;
  readonly bytes: Uint8Array;
  /** Counts up within a scene: a target may refuse to go back. */
  readonly version: number;
  readonly schemaVersion?: number;
  /** In words, for people. */
  readonly what: string;
}

/** Writes bytes, which a target may refuse: what a profile has to hold is not documented. */
export async function write<Role extends string>(
  stage: Stage<Role>,
  role: NoInfer<Role>,
  { bytes, what, ...rest }: Write,
): Promise<void> {
  await stage.done(role, players.setBinaryState, { ...asked(stage, rest), body: bytes, mayRefuse: what });
}

/** The same call, to be put by other means. */
export function asked<Role extends string>(
  stage: Stage<Role>,
  { stateName = 'FullProfile', version, schemaVersion = 1 }: Omit<Write, 'bytes' | 'what'>,
) {
  const stated = stage.forms(players.setBinaryState).find(({ from }) => from === 'profile');
  if (stated !== undefined && stated.template !== null && typeof stated.template === 'object')
    stage.cannotTell(
      'needs-body',
      `the profile gives ${players.setBinaryState.id} a body of JSON, so bytes are not how it is written`,
    );
  return {
    params: { stateName, version: String(version), schemaVersion: String(schemaVersion) },
    ...(stated?.contentType !== undefined && { contentType: stated.contentType }),
  };
}

/** The profile reads as these bytes, at once or eventually. */
export async function reads<Role extends string>(
  stage: Stage<Role>,
  role: NoInfer<Role>,
  bytes: Uint8Array,
): Promise<Found> {
  const { last } = await poll(
    () => stage.put(role, players.fullProfile),
    (exchange) => findBytes(exchange, bytes) !== undefined,
  );
  silenced(last);
  const found = findBytes(last, bytes);
  if (found !== undefined) return found;
  await answeredOrStop(stage, last);
  stage.expect(
    false,
    `${players.fullProfile.id} reads as the ${bytes.length} bytes that were written`,
    toldOf(last, bytes),
    last,
  );
  return 'bytes';
}

/** A read that nobody may make, that is elsewhere or not there, says nothing of what was written. */
async function answeredOrStop<Role extends string>(stage: Stage<Role>, last: Exchange): Promise<void> {
  const status = statusOf(last);
  if (status === 401 || status === 403)
    stage.cannotTell('auth-wall', `${players.fullProfile.id} is answered ${status}`);
  if (status >= 300 && status < 400)
    stage.cannotTell('redirected', `${players.fullProfile.id} is answered ${status}`);
  const found = await stage.routed(players.fullProfile);
  if (status >= 400 && found.served === false)
    stage.cannotTell('not-served', `${players.fullProfile.id} is not served: ${found.why}`);
}

/** Every value of a byte once, and then the word. */
export const allValues = (word: string): Uint8Array =>
  new Uint8Array([...Array.from({ length: 256 }, (_, value) => value), ...Buffer.from(word)]);

const step = 31;
/** So many bytes of all values, without a short period, that begin with the word. */
export function manyBytes(length: number, word: string): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 1) bytes[at] = at * step + (at >> 8) * 17 + (at >> 16);
  bytes.set(Buffer.from(word));
  return bytes;
}
