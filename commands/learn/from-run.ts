// Learns a profile from a run against the target.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { catalog, operationById } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { AmbientValues } from '../../catalog/request-path.ts';
import { type Exchange, json, mediaType, sentJson } from '../../engine/http/exchange.ts';
import { guessesFor } from '../../engine/players/candidate-bodies.ts';
import type { Discovery } from '../../engine/players/sign-in-discovery.ts';
import { signInLine } from '../../engine/preflight/lines.ts';
import { openTarget } from '../../engine/run/open-target.ts';
import { omissionsFrom } from '../../engine/target/profile.ts';
import type { Json } from '../../engine/target/profile-validation.ts';
import { takesSession } from '../../engine/target/session-transport.ts';
import type { Environment } from '../../engine/target/settings.ts';
import type { Target } from '../../engine/target/target.ts';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { isNested } from '../../engine/values/json-walk.ts';
import { once } from '../../engine/values/once.ts';
import { mediaTypeIn } from '../../engine/values/text.ts';
import { startEmbedded } from '../serve/embedded.ts';
import { type Gathered, gather, operationIn } from './gather.ts';
import { createLearner, type Learnt } from './learner.ts';
import type { ObservedCall } from './observed-call.ts';

/** The name of a run as a source, in messages and in the profile. */
export const aRun = 'a run';

/**
 * Makes an observed call of an exchange; undefined where no answer came.
 * @param isGuess whether this run made up a field of this name and value: an answer that repeats it shows nothing of
 *   the target's own form
 */
export function observedCallOf(
  exchange: Exchange,
  inFlow: boolean,
  isGuess: IsGuess = () => false,
): ObservedCall | undefined {
  const { request, response } = exchange;
  const url = URL.parse(request.url);
  if (!response || !url) return undefined;
  const parsed = json(response);
  const headers = request.headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  const sent = sentJson(exchange);
  const own = membersOf(sent);
  const isEcho: IsGuess = (name, value) => own.has(memberText(name, value)) || isGuess(name, value);
  return {
    source: aRun,
    ...(inFlow && { inFlow }),
    method: request.method,
    url,
    request: {
      headers,
      type: mediaTypeIn(headers.find(([name]) => name === 'content-type')?.[1]),
      body:
        sent === undefined
          ? { kind: request.body?.length ? 'bytes' : 'none' }
          : { kind: 'json', value: sent },
    },
    status: response.status,
    answer: {
      headers: response.headers,
      type: mediaType(exchange) ?? '',
      body: parsed.ok
        ? { kind: 'json', value: withoutOurs(parsed.value, isEcho) }
        : { kind: response.body.length === 0 ? 'none' : 'bytes' },
    },
  };
}

type IsGuess = (name: string, value: unknown) => boolean;

/** A field of a body as text; `playerId` and `player_id` are one name. */
const memberText = (name: string, value: unknown) =>
  `${name.toLowerCase().replaceAll('_', '')} ${JSON.stringify(value)}`;

/** The fields of a value, at every depth. */
function membersOf(value: unknown, found = new Set<string>()): Set<string> {
  if (!isNested(value)) return found;
  for (const [name, child] of Object.entries(value)) {
    if (!Array.isArray(value)) found.add(memberText(name, child));
    membersOf(child, found);
  }
  return found;
}

/** The constant fields of all bodies that are guessed in an area, since a read may repeat what another call sent. */
const guessedIn = once(
  (area: string) =>
    new Set(
      catalog
        .filter((operation) => operation.area === area)
        .flatMap((operation) => guessesFor(operation).flatMap(({ template }) => [...membersOf(template)]))
        .filter((member) => !member.includes('{{')),
    ),
);

/** Whether this run made up a field's value; values of fields for names count as the players' own. */
const guessesOf =
  ({ area }: Operation, { runId }: Target): IsGuess =>
  (name, value) =>
    guessedIn(area).has(memberText(name, value)) ||
    (typeof value === 'string' && value.includes(runId) && !/name/i.test(name));

/**
 * Removes what an answer repeats of a guessed body, since it shows nothing of the target's own form: fields with the
 * same value, and the content of an object that a guess marked with the field `assay`.
 */
function withoutOurs(value: unknown, isEcho: IsGuess): unknown {
  if (!isNested(value)) return value;
  if (Array.isArray(value)) return value.map((child) => withoutOurs(child, isEcho));
  if (Object.hasOwn(value, 'assay')) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, child]) =>
      isEcho(key, child) ? [] : [[key, withoutOurs(child, isEcho)]],
    ),
  );
}

export interface LearnRunOptions {
  readonly env: Environment;
  readonly cwd: string;
  readonly profile?: string;
  readonly insecure?: boolean;
  /** Calls per second at most. */
  readonly rate?: number;
  /** No call is made that may change the target. */
  readonly readOnly?: boolean;
  /** Lists operations that are not served in the profile's `omit`. */
  readonly omitMissing?: boolean;
  /** Called with a line about what begins next, since the whole takes many seconds. */
  readonly note?: (line: string) => void;
}

/**
 * Runs against the target and learns from what it answered.
 * @throws ConfigurationError where no host answers
 */
export async function learnFromRun(options: LearnRunOptions): Promise<Learnt> {
  const opened = await openTarget({ ...options, embedded: startEmbedded });
  try {
    const { preflight } = opened;
    for (const line of opened.target.settingRemarks ?? []) console.error(`assay: ${line}`);
    // A profile of only some hosts would be incomplete.
    if (Object.keys(preflight.unreachable).length > 0) throw new ConfigurationError(preflight.lines);
    refuseWithoutPlayer(preflight.discovery, opened.target);
    const gathered = await gather(opened, options);
    const { target } = gathered;
    const learnt = learn(gathered, target);
    const found = preflight.discovery?.kind === 'found' ? preflight.discovery : undefined;
    return {
      ...learnt,
      transport: found?.recipe.transport,
      sessionHosts: takenBy(target, learnt),
      ...(!found && { whyNoSession: whyNobody(preflight.discovery, target) }),
      // A run sends headers of its own, which show nothing of the clients'.
      headers: {},
      kept: keptFrom(options),
      ...(target.profile && { omitted: target.profile.omitted }),
      outsiders: [],
      proved: gathered.proved,
      unlearnt: {
        flows: gathered.unjudged,
        answered: gathered.answered,
        tookBody: gathered.tookBody,
      },
      ...(options.omitMissing && omitted(gathered, target)),
      bodyOf: (id) => (id === 'auth.login' ? loginBody(found?.recipe.body, target) : gathered.bodies.get(id)),
    };
  } finally {
    await opened.close();
  }
}

/** What the profile is to leave out, and what it may leave out. */
function omitted({ missing, undecided }: Gathered, target: Target): Pick<Learnt, 'omissions' | 'undecided'> {
  const byReason = Map.groupBy(undecided, ([, reason]) => reason);
  return {
    omissions: omissionsFrom(missing, target),
    undecided: Array.from(byReason, ([reason, entries]) =>
      omissionsFrom(new Set(entries.map(([id]) => id)), target, reason),
    ).flat(),
  };
}

function learn({ exchanges, served }: Gathered, target: Target): Learnt {
  // A segment that was neither given nor shown by an answer is not the target's own.
  const assumed = new Set(
    Object.entries(target.ambient).flatMap(([name, value]) =>
      target.given.some((given) => given === name || target.ambient[given] === value) ? [] : [value],
    ),
  );
  const learner = createLearner(target.hosts, (text) => text.includes(target.runId) || assumed.has(text));
  const observedCalls = exchanges.flatMap(({ exchange, inFlow }) => {
    const operation = operationById(operationIn(exchange.request) ?? '');
    const observedCall =
      operation && served.has(operation.id)
        ? observedCallOf(exchange, inFlow, guessesOf(operation, target))
        : undefined;
    if (!observedCall || !operation) return [];
    return [isOurOwn(operation) ? { ...observedCall, inFlow: true as const } : observedCall];
  });
  for (const observedCall of observedCalls) learner.survey(observedCall);
  for (const observedCall of observedCalls) learner.learn(observedCall);
  const learnt = learner.end();
  return { ...learnt, segments: segmentsOf(target, learnt.findings) };
}

/**
 * The segments that were given or found, and that files were served under. Folder and version go together: a run that
 * is given one of them looks for the other, and may find another.
 */
function segmentsOf({ given, ambient }: Target, { segments }: Learnt['findings']): Learnt['segments'] {
  const isShown = (name: keyof AmbientValues) => segments[name] !== undefined;
  const isGiven = (name: keyof AmbientValues) => given.includes(name);
  const folder = ['CDN_ROOT_FOLDER_PATH', 'gameVersion'] as const;
  const names = [
    ...(folder.every(isShown) && folder.some(isGiven) ? folder : []),
    ...(['versionPattern'] as const).filter((name) => isShown(name) && isGiven(name)),
  ];
  return Object.fromEntries(names.map((name) => [name, ambient[name]]));
}

/** Hosts besides the main API's that were sent the session, with the calls that were answered. */
function takenBy(target: Target, { spoken }: Learnt): Learnt['sessionHosts'] {
  const taken = (['cdn', 'gamelogs'] as const).filter((host) => takesSession(target, host));
  return new Map(
    taken.map((host) => [
      host,
      catalog
        .filter((operation) => operation.host === host)
        .reduce((sum, { id }) => sum + (spoken.get(id)?.statuses.total ?? 0), 0),
    ]),
  );
}

/**
 * Refuses to learn without players: the profile would be incomplete, and its file would block that of a later run.
 * @throws ConfigurationError where the target refuses the user's own token
 */
function refuseWithoutPlayer(discovery: Discovery | undefined, target: Target): void {
  if (discovery?.kind !== 'refused' || discovery.from === 'test JWT') return;
  throw new ConfigurationError([`no player, so no profile is written; ${whyNobody(discovery, target)}`]);
}

/** Why nobody is signed in, in the words of preflight, which say what to do. */
const whyNobody = (discovery: Discovery | undefined, target: Target) =>
  discovery ? signInLine(discovery, target) : 'no base host was given: set BASE_URL';

/** Whether an operation is about a named state: it holds what this run wrote, or nothing, so its form is not learnt. */
const isOurOwn = ({ area, mayBe404 }: Operation) => area === 'players' && mayBe404 === 'nothing there';

const keptKeys = [
  ...['name', 'words', 'wordsAt', 'parameters', 'headers', 'session', 'operations', 'omit', 'waivers'],
  ...['expects', 'private', 'shared', 'sources'],
];

/** What the profile states already, as it is written there. The file was validated before. */
export function keptFrom({
  env,
  cwd,
  profile = env.PROFILE?.trim(),
}: Pick<LearnRunOptions, 'env' | 'cwd' | 'profile'>): Record<string, Json> {
  if (!profile) return {};
  const stated = JSON.parse(readFileSync(resolve(cwd, profile), 'utf8').replace(/^\uFEFF/, '')) as Record<
    string,
    Json
  >;
  return Object.fromEntries(keptKeys.flatMap((key) => (key in stated ? [[key, stated[key] as Json]] : [])));
}

function loginBody(
  body: 'stated' | 'empty object' | 'none' | undefined,
  { profile }: Target,
): Json | undefined {
  if (body === 'stated') return profile?.session?.body;
  if (body === undefined) return undefined;
  return body === 'none' ? null : {};
}
