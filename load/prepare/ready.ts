// Prepares a journey for a target before any load: refuses foreign hosts, signs players in, and rehearses the calls.
import type { Host, Operation } from '../../catalog/operation.ts';
import { type Client, createClient } from '../../engine/http/client.ts';
import { createRedactor, type Redactor } from '../../engine/http/redact.ts';
import { createBodies } from '../../engine/players/bodies.ts';
import { createPlayers } from '../../engine/players/players.ts';
import { type Found, whyNoSession } from '../../engine/players/sign-in-discovery.ts';
import { unreachedLine } from '../../engine/preflight/lines.ts';
import { createEvidence } from '../../engine/probe/evidence.ts';
import { type OpenedTarget, type OpenOptions, openTarget } from '../../engine/run/open-target.ts';
import { type SessionEvidence, takesSession } from '../../engine/target/session-transport.ts';
import type { Target } from '../../engine/target/target.ts';
import { isLoopback } from '../../engine/target/transport.ts';
import { createLock } from '../../engine/values/lock.ts';
import { CannotLoad } from '../allowed-hosts.ts';
import type { DeclaredRule, Mix } from '../journeys/journeys.ts';
import type { Actors, Data, Visit } from '../k6/plan.ts';
import { groupsOf, type SignedIn, signInPeople } from './players.ts';
import { type RehearsalOptions, rehearse } from './rehearse.ts';

/** @returns a function that finds a parameter's value in answers to the main player; undefined where none reports it */
function finder(client: Client, target: Target, redactor: Redactor, discovery: Found | undefined) {
  let evidence: ReturnType<typeof createEvidence> | undefined;
  return async (operation: Operation, name: string): Promise<string | undefined> => {
    evidence ??= createEvidence({
      client,
      target,
      players: discovery && createPlayers({ client, target, redactor, discovery }),
      breakers: new Map(),
      bodies: createBodies(target),
      matchmaking: createLock(),
    });
    const { params, unknown } = await evidence.values(operation);
    const value = params[name];
    return unknown.includes(name) || typeof value !== 'string' ? undefined : value;
  };
}

export interface Ready {
  readonly target: Target;
  /** The hosts that the journey goes to. */
  readonly hosts: Target['hosts'];
  readonly visits: readonly Visit[];
  readonly data: Data;
  /** Two groups that play no journey; none where players are few or no rule is declared. */
  readonly spare: readonly Actors[];
  /** Two groups of players met in the rehearsal. */
  readonly hasMet: boolean;
  /** What has to hold once a step has settled. */
  readonly conserves: readonly DeclaredRule[];
  /** The evidence that a player is signed in; undefined where the journey needs no player. */
  readonly evidence: SessionEvidence | undefined;
  /** The journey changes something, so a group of actors plays one iteration at a time. */
  readonly exclusive: boolean;
  /** Knows the sessions of the players. */
  readonly redactor: Pick<Redactor, 'url' | 'body'>;
}

interface ReadyOptions extends Pick<OpenOptions, 'env' | 'cwd' | 'profile' | 'seed' | 'insecure'> {
  /** Values of parameters that an embedded server is known to have. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Journeys per second at most. */
  readonly rate: number;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

const mostPeople = 600;
/** Fewest groups of which two can be spared. */
const fewestWithSpare = 6;
/** Groups wanted where a journey changes something: no group plays two journeys at once, however long one takes. */
const changers = (rate: number) => Math.ceil(3 * rate) + 20;
/** Groups wanted for a journey that changes nothing: iterations may share them. */
const mostReaders = 25;
/** Requests per second of sign-ins and rehearsal, where a host is not this machine. */
const remoteRate = 20;

/** The hosts of a target that a journey goes to. */
export function hostsOf(mix: Mix, { hosts }: Target): Target['hosts'] {
  const needed = new Set(mix.shares.flatMap(([{ stops }]) => stops.map(({ operation }) => operation.host)));
  return Object.fromEntries(Object.entries(hosts).filter(([host]) => needed.has(host as Host)));
}

/** @throws CannotLoad where the journey cannot be played, with one line per reason */
export async function makeReady(mix: Mix, options: ReadyOptions): Promise<Ready> {
  const { say, signal } = options;
  // The rate of journeys does not limit the preflight's calls.
  const opened = await openTarget({ ...options, rate: undefined });
  try {
    const parameters = { ...options.parameters, ...opened.target.parameters };
    const target: Target = { ...opened.target, parameters };
    const hosts = hostsOf(mix, target);
    const silent = silentLines(opened, hosts);
    for (const line of opened.preflight.lines) if (!silent.includes(line)) say(line);
    if (silent.length > 0) throw new CannotLoad(silent);
    const redactor = createRedactor(target.secrets);
    const isSigned = Object.keys(hosts).some((host) => takesSession(target, host as Host));
    const signIn = isSigned ? [target.hosts.base ?? ''] : [];
    const isLocal = [...Object.values(hosts), ...signIn].every((url) => isLoopback(url));
    const client = createClient({
      ...target.transport,
      redactor,
      signal,
      ...(!isLocal && { rate: remoteRate }),
    });
    try {
      const discovery = isSigned ? sessionOf(opened) : undefined;
      const size = Math.max(...mix.shares.map(([{ actors }]) => actors));
      // Log batches do not change their sender.
      const exclusive = hosts.base !== undefined && changesSomething(mix);
      const many = Math.min(mostPeople, size * Math.max(2, exclusive ? changers(options.rate) : mostReaders));
      const signing = { client, target, redactor, wanted: many, fewest: size, signal };
      const people: readonly SignedIn[] = discovery ? await signInPeople({ ...signing, discovery }) : [];
      if (discovery) say(`players: ${people.length} signed in`);
      const all = groupsOf(people, size);
      const conserves = mix.shares.flatMap(([{ name, conserves: rules = [] }]) =>
        rules.map((rule) => ({ journey: name, rule })),
      );
      const spare = conserves.length > 0 && all.length >= fewestWithSpare ? all.slice(-2) : [];
      const groups = all.slice(0, all.length - spare.length);
      const find = finder(client, target, redactor, discovery);
      const { recipe } = discovery ?? {};
      const rehearsal = { client, target, redactor, recipe, actors: groups[0] ?? [], find };
      const { visits, batches, hasMet } = await rehearseAll(mix, rehearsal, groups[1], say);
      const { evidence } = discovery ?? {};
      const data = { groups, batches };
      return { target, hosts, visits, data, spare, conserves, hasMet, evidence, exclusive, redactor };
    } finally {
      client.close();
    }
  } finally {
    await opened.close();
  }
}

const changesSomething = ({ shares }: Mix): boolean =>
  shares.some(([{ stops }]) => stops.some(({ operation }) => operation.effect !== 'read'));

/** The lines of preflight that say which of these hosts are not reached. */
const silentLines = ({ preflight, target }: OpenedTarget, hosts: Target['hosts']): string[] =>
  preflight.hosts.flatMap((found) =>
    found.reachable || hosts[found.host] === undefined ? [] : [unreachedLine(found, target)],
  );

function sessionOf({ target, preflight: { discovery } }: OpenedTarget): Found {
  if (discovery?.kind !== 'found') throw new CannotLoad([`${whyNoSession(discovery)}`]);
  if (discovery.recipe.rotates) {
    const open = (['gamelogs', 'cdn'] as const).filter((host) => !takesSession(target, host));
    const named = open.map((host) => (host === 'cdn' ? 'cdn' : 'logs, analytics')).join(', ');
    throw new CannotLoad([
      `every answer hands out the next session, which load cannot follow${named && `; journeys that need none can be loaded: ${named}`}`,
    ]);
  }
  return discovery;
}

/** Drops journeys of a mix that cannot be played; at least one must be playable. */
async function rehearseAll(
  mix: Mix,
  options: RehearsalOptions,
  others: Actors | undefined,
  say: (line: string) => void,
) {
  const visits: Visit[] = [];
  const batches: Record<string, readonly string[]> = {};
  const mistakes: string[] = [];
  let hasMet = false;
  const isMix = mix.shares.length > 1;
  for (const [journey, weight] of mix.shares) {
    const rehearsed = await rehearse(journey, options, others);
    hasMet ||= rehearsed.hasMet === true;
    for (const line of rehearsed.leftOut) say(`left out: ${line}`);
    if (rehearsed.mistake === undefined) {
      visits.push({ name: journey.name, weight, calls: rehearsed.calls });
      Object.assign(batches, rehearsed.batches);
      continue;
    }
    mistakes.push(`${isMix ? `${journey.name}: ` : ''}${rehearsed.mistake}`);
    if (isMix) say(`left out: ${journey.name}: ${rehearsed.mistake}`);
  }
  if (visits.length === 0) throw new CannotLoad(mistakes);
  return { visits, batches, hasMet };
}
