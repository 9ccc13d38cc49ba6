// Writes and reads the binary profile for state scenarios, and observes what its version numbers do.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { poll, pollAnswered } from '../../engine/flow/polling.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { ignoreStop } from '../../engine/flow/why-refused.ts';
import {
  type Exchange,
  isRefusal,
  isSuccess,
  mediaType,
  statusOf,
  text,
} from '../../engine/http/exchange.ts';
import { Stop } from '../../engine/judgement.ts';
import { statedVersion } from '../../engine/players/refusals/version-conflict.ts';
import { is2xx, is3xx } from '../../engine/values/status.ts';

/** How an answer holds the written bytes: as they are, or as base64 within a text. */
type Found = 'bytes' | 'base64';

/** Finds bytes in a successful answer; undefined where it holds others. Empty bytes are not searched in text. */
export function findBytes({ response }: Exchange, bytes: Uint8Array): Found | undefined {
  if (!response || !is2xx(response.status)) return undefined;
  if (Buffer.compare(response.body, bytes) === 0) return 'bytes';
  if (bytes.length === 0 || mediaType(response) === 'application/octet-stream') return undefined;
  const held = text(response);
  const coded = Buffer.from(bytes);
  return [coded.toString('base64'), coded.toString('base64url')].some((form) => held.includes(form))
    ? 'base64'
    : undefined;
}

/** Describes the content of an answer that differs from these bytes. */
export function describeContent(exchange: Exchange, bytes: Uint8Array): string {
  const status = statusOf(exchange);
  const body = exchange.response?.body ?? new Uint8Array();
  if (!is2xx(status)) return `${status}`;
  if (Buffer.compare(body, asText(bytes)) === 0)
    return `${status} with ${body.length} bytes: what was written, decoded as text`;
  const at = bytes.findIndex((byte, index) => body[index] !== byte);
  return at < 0
    ? `${status} with ${body.length} bytes, which begin with them`
    : `${status} with ${body.length} bytes, other from byte ${at} on`;
}

/** The bytes after decoding and encoding as UTF-8, which damages some. */
const asText = (bytes: Uint8Array) => Buffer.from(Buffer.from(bytes).toString('utf8'));

const { fullProfile, setBinaryState } = areas.players;

interface Write {
  /** Default: FullProfile. */
  readonly stateName?: string;
  readonly bytes: Uint8Array;
  /** Increases within a scenario: a target may refuse a lower version. */
  readonly version: number;
  readonly schemaVersion?: number;
  /** What is written, in words for people. */
  readonly what: string;
}

/**
 * Writes bytes, which a target may refuse: the format of a profile is not documented. Where a refusal names the stored
 * version, sends the write again with that number.
 * @returns the version that was sent
 */
export async function write<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  { bytes, what, ...rest }: Write,
): Promise<number> {
  const put = (version: number) => ({ ...writeParameters(context, { ...rest, version }), body: bytes });
  const done = async (version: number) => {
    await context.mustSucceed(role, setBinaryState, { ...put(version), mayRefuse: what });
    return version;
  };
  try {
    return await done(rest.version);
  } catch (thrown) {
    if (!(thrown instanceof Stop)) throw thrown;
    const stands = statedVersion(await context.send(role, setBinaryState, put(rest.version)));
    if (stands === undefined || stands === rest.version) throw thrown;
    return done(stands);
  }
}

/** The parameters of that write; ends the step where the profile gives the call a JSON body. */
export function writeParameters<Role extends string>(
  context: StepContext<Role>,
  { stateName = 'FullProfile', version, schemaVersion = 1 }: Omit<Write, 'bytes' | 'what'>,
) {
  const stated = context.forms(setBinaryState).find(({ from }) => from === 'profile');
  if (stated !== undefined && stated.template !== null && typeof stated.template === 'object')
    context.cannotTell(
      'needs-body',
      `the profile gives ${setBinaryState.id} a JSON body, so it is not written as bytes`,
    );
  return {
    params: { stateName, version: String(version), schemaVersion: String(schemaVersion) },
    ...(stated?.contentType !== undefined && { contentType: stated.contentType }),
  };
}

/** Expects that the profile reads as these bytes, at once or eventually. */
export async function reads<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  bytes: Uint8Array,
): Promise<Found> {
  const { last } = await pollAnswered(
    () => context.send(role, fullProfile),
    (exchange) => findBytes(exchange, bytes) !== undefined,
  );
  const found = findBytes(last, bytes);
  if (found !== undefined) return found;
  await answeredOrStop(context, last);
  context.expect(
    false,
    `${fullProfile.id} reads as the ${bytes.length} bytes that were written`,
    describeContent(last, bytes),
    last,
  );
  return 'bytes';
}

/** Writes bytes, and expects to read them back. */
export async function keeps<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  written: Write,
): Promise<Found> {
  await write(context, role, written);
  return reads(context, role, written.bytes);
}

/** Ends the step where the read is refused, redirected or missing, and so does not show what was written. */
async function answeredOrStop<Role extends string>(
  context: StepContext<Role>,
  last: Exchange,
): Promise<void> {
  const status = statusOf(last);
  if (status === 401 || status === 403)
    context.cannotTell('auth-wall', `${fullProfile.id} is answered ${status}`);
  if (is3xx(status)) context.cannotTell('redirected', `${fullProfile.id} is answered ${status}`);
  const found = await context.routed(fullProfile);
  if (status >= 400 && found.served === false)
    context.cannotTell('not-served', `${fullProfile.id} is not served: ${found.why}`);
}

export const plainText = 'a profile of plain text';
export const plainProfile = ({ unique }: Pick<StepContext, 'unique'>): Uint8Array =>
  Buffer.from(`assay profile ${unique('assayprofile')}`);

/** Every byte value once, then a line end of two bytes and the word. */
export const allValues = (word: string): Uint8Array =>
  new Uint8Array([...Array.from({ length: 256 }, (_, value) => value), ...Buffer.from(`\r\n${word}`)]);

/** Bytes of all values, without a short period, that begin with the word. */
export function manyBytes(length: number, word: string): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 1) bytes[at] = at * 31 + (at >> 8) * 17 + (at >> 16);
  bytes.set(Buffer.from(word));
  return bytes;
}

/** Above every version that a flow writes: a target may refuse a lower one. */
const afterAll = 1_000;

/** Registers a teardown that writes back the profile that a player has from before. */
export async function keepProfile<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
): Promise<void> {
  const { response } = await context.send(role, fullProfile);
  if (response === undefined || response.status !== 200 || response.body.length === 0) return;
  context.addTeardown(role, setBinaryState, {
    ...writeParameters(context, { version: afterAll }),
    body: response.body,
  });
}

/** Compared as text instead of as numbers, ten is below nine. */
const [first, second, beyond] = [9, 10, 90];
/** How long to poll for a change that need not show, in ms: less than for a required effect. */
const showsWithinMs = 600;

/** What `schemaVersion` and `version` of the query do: which of two writes is kept. */
export function versions(flow: Flow): void {
  const { step } = flow.scenario('player');

  const raised = step(
    'version-raised',
    [setBinaryState, fullProfile],
    effects.state.latest,
    'a profile of a higher version replaces the one before',
    async (context) => {
      await keepProfile(context, 'player');
      const [before, after] = [plainProfile(context), plainProfile(context)];
      await keeps(context, 'player', { bytes: before, version: first, what: plainText });
      try {
        await keeps(context, 'player', {
          bytes: after,
          version: second,
          what: 'a profile of a higher version',
        });
      } catch (ended) {
        ignoreStop(ended);
        const put = (version: number) =>
          context.send('player', setBinaryState, { ...writeParameters(context, { version }), body: after });
        const refused = await put(second);
        if (!isRefusal(refused) || !isSuccess(await put(beyond))) throw ended;
        context.expect(
          false,
          `version ${second} after version ${first}, as ${beyond} is taken`,
          `it is refused with ${statusOf(refused)}: compared as text, it is the lower one`,
          refused,
        );
      }
    },
  );

  raised.observe(
    'version-again',
    [setBinaryState],
    'how the server answers another profile of the same version',
    (context) => observeAnother(context, { version: second, schemaVersion: 1 }),
  );

  raised.step(
    'version-lower',
    [setBinaryState, fullProfile],
    effects.state.newer,
    'a profile of a lower version does not replace one of a higher version',
    async (context) => {
      // A target that accepts any text as the version ignores it, which is its own choice.
      const { params, ...ask } = writeParameters(context, { version: first });
      const unread = { ...ask, params: { ...params, version: 'assay' }, body: plainProfile(context) };
      if (isSuccess(await context.send('player', setBinaryState, unread)))
        return context.notTriggered('a write may name anything as its version');
      const { answer, last, isRead } = await another(context, { version: first, schemaVersion: 1 });
      context.note(`it is answered ${statusOf(answer)}`);
      context.expect(!isRead, `the profile of version ${second}`, `that of version ${first}`, last);
    },
  );

  raised.observe(
    'schema-version-raised',
    [setBinaryState],
    'how the server answers a profile of a higher schema version',
    (context) => observeAnother(context, { version: second + 1, schemaVersion: 2 }),
  );
}

interface Versions {
  readonly version: number;
  readonly schemaVersion: number;
}

/** Writes another profile, and reads whether it replaced the one before. */
async function another(context: StepContext<'player'>, version: Versions) {
  const bytes = plainProfile(context);
  const answer = await context.send('player', setBinaryState, {
    ...writeParameters(context, version),
    body: bytes,
  });
  const { last, holds } = await poll(
    () => context.send('player', fullProfile),
    (read) => findBytes(read, bytes) !== undefined,
    showsWithinMs,
  );
  return { answer, last, isRead: holds };
}

async function observeAnother(context: StepContext<'player'>, version: Versions): Promise<void> {
  const { answer, isRead } = await another(context, version);
  context.observe(`${statusOf(answer)}, and ${isRead ? 'it is read' : 'the profile before stands'}`, answer);
}
