// Everything that load needs once: a target that was looked at, players who are signed in, data; then steps.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Host } from '../../fixtures/catalog/operation.ts';
import { withDotenv } from '../../fixtures/target/environment.ts';
import { readTarget } from '../../fixtures/target/target.ts';
import { resolveK6 } from '../install/resolve.ts';
import { journeyNamed, journeyOf } from '../journeys/journeys.ts';
import type { Visit } from '../k6/plan.ts';
import { startEmbeddedProcess } from '../prepare/embedded.ts';
import { refuseForeignHosts } from '../prepare/guard.ts';
import { type Identity, identityOf } from '../prepare/identity.ts';
import { hostsOf, makeReady, type Ready } from '../prepare/ready.ts';
import { sessionsAreOver } from '../prepare/sessions.ts';
import { caName, k6Transport } from './k6-transport.ts';
import type { SharedPlan } from './plan-of.ts';
import { privateFolder } from './private-folder.ts';
import { type Ground, leaveBehind, performStep, type Watching } from './run-step.ts';
import type { RunStep, Step, StepPlan } from './step.ts';

export interface LoadOptions {
  /** A journey's name; not looked at where `operation` is given. */
  readonly journey: string;
  /** One operation alone, by id, in place of a journey. */
  readonly operation?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly profile?: string | undefined;
  readonly seed?: string | undefined;
  /** No certificate is checked. */
  readonly insecure?: boolean | undefined;
  /** Highest rate that any step will have, journeys per second: so many players are made ready. Default 100. */
  readonly rate?: number | undefined;
  /** k6 processes that share the load, an execution segment each. Default 1. */
  readonly segments?: number | undefined;
  /** Told in plain words what is found and done. */
  readonly say?: (line: string) => void;
  /** Ends what is under way. */
  readonly signal?: AbortSignal;
}

export interface Load {
  /** One k6 process a step. Never rejects for what the target or k6 do. */
  readonly runStep: RunStep;
  /** As `runStep`, with more to say about it. */
  watch(plan: StepPlan, signal: AbortSignal, watching: Watching): Promise<Step>;
  /** The very same script and data against another base URL, where no answer counts as wrong. */
  against(nullTarget: string): RunStep;
  /** Traits of the target that stay while nobody deploys; compared before and after. */
  identity(): Promise<Identity>;
  readonly requestsPerJourney: number;
  /** Those who were signed in before the load get 401 by now. */
  sessionsAreOver(): Promise<boolean>;
  /** No certificate is checked. */
  readonly insecure: boolean;
  /** k6 processes. */
  readonly segments: number;
  /** Hosts that the journey goes to, as URLs. */
  readonly target: Readonly<Partial<Record<Host, string>>>;
  readonly journey: string;
  readonly seed: string;
  /** Removes what was written and ends an embedded server. */
  close(): Promise<void>;
}

const usualRate = 100;

/** What is to be loaded; nothing was sent there yet. */
export type Aim = ReturnType<typeof aimOf>;

/** @throws ConfigurationError where there is no such journey, or load may not leave for its hosts */
export function aimOf({ cwd, profile, seed, insecure, operation, env: given, journey }: LoadOptions) {
  const mix = operation === undefined ? journeyNamed(journey) : journeyOf(operation);
  const options = {
    cwd,
    ...(profile !== undefined && { profile }),
    ...(seed !== undefined && { seed }),
    ...(insecure && { insecure }),
  };
  const read = readTarget(given, options);
  const env = withDotenv(given, cwd, []);
  refuseForeignHosts(Object.values(hostsOf(mix, read)), env.LOAD_ALLOW_HOSTS);
  return { mix, options, read, env };
}

/**
 * Looks at the target, signs players in and plays the journey once; needs no k6.
 * @param closing is given what has to be ended some time
 * @throws ConfigurationError where the journey cannot be loaded, in a line each
 */
export async function lookAt(
  { mix, options, read }: Aim,
  { env, rate = usualRate, say = () => {}, signal = new AbortController().signal }: LoadOptions,
  closing: (() => unknown)[],
): Promise<Ready> {
  const embedded = read.embedded
    ? await startEmbeddedProcess(Number.parseInt(read.seed, 36) || 1)
    : undefined;
  if (embedded) closing.push(embedded.close);
  const parameters = embedded?.parameters ?? {};
  return makeReady(mix, { ...options, env: { ...env, ...embedded?.env }, parameters, rate, say, signal });
}

/**
 * As `lookAt`, with data in a folder, for k6.
 * @throws ConfigurationError where the journey cannot be loaded, in a line each; nothing is left behind
 */
export async function openLoad(options: LoadOptions): Promise<Load> {
  const closing: (() => unknown)[] = [];
  const close = async () => {
    for (const each of closing.splice(0).reverse()) await each();
  };
  try {
    const aim = aimOf(options);
    const k6 = await resolveK6(aim.env, options.say ?? (() => {}));
    const ready = await lookAt(aim, options, closing);
    const folder = privateFolder(closing);
    writeFileSync(join(folder, 'data.json'), JSON.stringify(ready.data), { mode: 0o600 });
    const { seed } = aim.read;
    const { leave, ...load } = loadOf(k6, folder, ready, options.segments);
    closing.push(async () => {
      const still = await leave();
      if (still > 0)
        options.say?.(`${still} of ${ready.data.casts.length} casts may still be in what they entered`);
    });
    return { ...load, seed, journey: aim.mix.name, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function loadOf(k6: string, folder: string, ready: Ready, segments = 1) {
  const { target, hosts, visits, evidence, data } = ready;
  const variables = transportIn(ready, folder);
  const dataFile = join(folder, 'data.json');
  const shared = sharedPlanOf(ready, { dataFile, batchFile: dataFile });
  const ground: Ground = { k6, folder, variables, visits, segments, shared, left: new Set() };
  const watch: Load['watch'] = (plan, signal, watching) => performStep(ground, plan, signal, watching);
  const against = (nullTarget: string): RunStep => {
    const nowhere = Object.fromEntries(Object.keys(hosts).map((host) => [host, nullTarget]));
    const shared = { ...ground.shared, hosts: nowhere, forgiving: true };
    return (plan, signal) => performStep({ ...ground, left: new Set(), shared }, plan, signal);
  };
  return {
    watch,
    against,
    leave: () => leaveBehind(ground),
    runStep: ((plan, signal) => watch(plan, signal, {})) satisfies RunStep,
    identity: () => identityOf(target, hosts),
    sessionsAreOver: async () => evidence !== undefined && sessionsAreOver(target, evidence, data.casts),
    insecure: target.transport?.insecure ?? false,
    requestsPerJourney: requestsOf(visits),
    segments,
    target: hosts,
  };
}

/** For k6, with the certificates that it is to trust written down. */
function transportIn({ target: { transport = {} }, hosts }: Ready, folder: string): Record<string, string> {
  const caFolder = join(folder, 'trusted');
  const variables = k6Transport(transport, Object.values(hosts), caFolder, process.platform);
  if (transport.ca !== undefined) {
    mkdirSync(caFolder);
    writeFileSync(join(caFolder, caName), transport.ca);
  }
  return variables;
}

/** What every plan of this load says. */
export function sharedPlanOf(
  { target: { profile, ambient }, hosts, data, exclusive }: Ready,
  files: Pick<SharedPlan, 'dataFile' | 'batchFile'>,
): SharedPlan {
  return {
    hosts,
    ambient,
    words: profile ? { words: profile.words, wordsAt: profile.wordsAt } : null,
    queries: data.casts.some((cast) => cast.some(({ query }) => query !== '')),
    exclusive,
    casts: data.casts.length,
    batches: Object.keys(data.batches),
    ...files,
    forgiving: false,
  };
}

/** On average over the shares; of a call and the one in its place, one. */
export function requestsOf(visits: readonly Visit[]): number {
  const all = visits.reduce((sum, { weight }) => sum + weight, 0);
  const many = ({ calls }: Visit) => calls.filter(({ when }) => when === undefined).length;
  return visits.reduce((sum, visit) => sum + (visit.weight / all) * many(visit), 0);
}
