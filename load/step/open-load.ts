// Opens a load: a target after preflight, players who are signed in, data; then runs steps.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Host } from '../../catalog/operation.ts';
import { temporaryFolder } from '../../engine/files.ts';
import type { OpenOptions } from '../../engine/run/open-target.ts';
import { withDotenv } from '../../engine/target/settings.ts';
import { readTarget } from '../../engine/target/target.ts';
import { isLoopback, type Transport } from '../../engine/target/transport.ts';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { CannotLoad, refuseForeignHosts } from '../allowed-hosts.ts';
import { createMatches, longestWaitMs, meetingOf, meetingRule } from '../conserved/meeting.ts';
import type { Conserved } from '../conserved/rule.ts';
import { openRuleChecks, type RuleChecks } from '../conserved/rule-checks.ts';
import { journeyNamed, journeyOf } from '../journeys/journeys.ts';
import { type Effects, merged } from '../k6/effects.ts';
import type { Connections, Visit } from '../k6/plan.ts';
import { resolveK6 } from '../k6-install/build.ts';
import { type Identity, identityOf, sessionsAreOver } from '../prepare/players.ts';
import { hostsOf, makeReady, type Ready } from '../prepare/ready.ts';
import { withoutHost } from '../prepare/rehearse.ts';
import type { Staying } from '../run/script-output.ts';
import type { Meeting, RunStep, SharedPlan, Step, StepPlan } from './plan.ts';
import { leaveBehind, performStep, type StepSetup, type Watching } from './run-step.ts';

/** In the folder that is handed in, and alone there. */
const caName = 'ca.pem';

/** Where Go asks the system and no file (crypto/x509, SystemCertPool). */
const systemAlone: readonly NodeJS.Platform[] = ['darwin', 'win32'];

/**
 * @param urls of the hosts that the load goes to
 * @param caFolder where the certificates lie that are trusted in the place of the system's
 * @returns variables for the process of k6; a proxy's login may stand in them
 * @throws CannotLoad where k6 cannot do what the settings ask for
 */
export function k6Transport(
  { insecure, ca, proxies = {} }: Transport,
  urls: readonly string[],
  caFolder: string,
  platform: NodeJS.Platform,
): Record<string, string> {
  if (ca !== undefined && systemAlone.includes(platform))
    throw new CannotLoad([
      'TLS_CA: on this system k6 trusts what the system trusts; add the certificate there, or take --insecure',
    ]);
  if (urls.some((url) => isLoopback(url) && proxies[new URL(url).origin] !== undefined))
    throw new CannotLoad([
      'NO_PROXY: "<-loopback>" sends calls to this machine through the proxy, which k6 cannot; leave it out',
    ]);
  const through = (protocol: string) =>
    Object.entries(proxies).find(([origin]) => origin.startsWith(`${protocol}//`))?.[1];
  const [http, https] = [through('http:'), through('https:')];
  const direct = urls.map((url) => new URL(url)).filter(({ origin }) => proxies[origin] === undefined);
  return {
    ...(insecure && { K6_INSECURE_SKIP_TLS_VERIFY: 'true' }),
    ...(ca !== undefined && { SSL_CERT_FILE: join(caFolder, caName), SSL_CERT_DIR: caFolder }),
    ...(http !== undefined && { HTTP_PROXY: http }),
    ...(https !== undefined && { HTTPS_PROXY: https }),
    ...(direct.length > 0 && { NO_PROXY: direct.map(({ host }) => host).join(',') }),
  };
}

/** Of this user alone; gone when the load is closed, and when this process ends in haste. */
function privateFolder(closing: (() => unknown)[]): string {
  const folder = temporaryFolder('assay-load-');
  const wipe = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', wipe);
  closing.push(() => {
    process.removeListener('exit', wipe);
    wipe();
  });
  return folder;
}

/** A server that was started since no URL is given. */
export interface Embedded {
  /** What the environment would say of it. */
  readonly env: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export type StartEmbeddedProcess = (seed: number) => Promise<Embedded>;

export interface LoadOptions extends Pick<OpenOptions, 'env' | 'cwd' | 'profile' | 'seed' | 'insecure'> {
  /** A journey's name; not looked at where `operation` is given. */
  readonly journey: string;
  /** One operation alone, by id, in place of a journey. */
  readonly operation?: string | undefined;
  /** Without it, an environment without a URL is a mistake. */
  readonly embedded?: StartEmbeddedProcess | undefined;
  /** The highest rate of any step, in journeys per second, which decides how many players are prepared. Default 100. */
  readonly rate?: number | undefined;
  /** Whether journeys share connections, or each player has one. Default shared. */
  readonly connections?: Connections | undefined;
  /** k6 processes that share the load, an execution segment each. Default 1. */
  readonly segments?: number | undefined;
  /** Gets a line of plain words for each thing found or done. */
  readonly say?: (line: string) => void;
  /** Ends what is under way. */
  readonly signal?: AbortSignal;
}

export interface Load {
  /** One k6 process a step. Never rejects for what the target or k6 do. */
  runStep(plan: StepPlan, signal: AbortSignal, watching?: Watching): Promise<Step>;
  /** The very same script and data against another base URL, where no answer counts as wrong. */
  against(nullTarget: string): RunStep;
  /** Traits of the target that stay while nobody deploys; compared before and after. */
  identity(): Promise<Identity>;
  readonly requestsPerJourney: number;
  /** How long a player waits for others at most, in ms. */
  readonly waitMs: number;
  /** Those who were signed in before the load get 401 by now. */
  sessionsAreOver(): Promise<boolean>;
  /** No certificate is checked. */
  readonly insecure: boolean;
  /** k6 processes. */
  readonly segments: number;
  readonly connections: Connections;
  /** Hosts that the journey goes to, as URLs. */
  readonly target: Readonly<Partial<Record<Host, string>>>;
  readonly journey: string;
  readonly seed: string;
  /** Removes what was written and ends an embedded server. */
  close(): Promise<void>;
}

const usualRate = 100;
const neverAborted = new AbortController().signal;

/** What is to be loaded; nothing was sent there yet. */
type CheckedOptions = ReturnType<typeof checkOptions>;

/** @throws ConfigurationError where there is no such journey, or load may not leave for its hosts */
export function checkOptions({
  operation,
  env: given,
  journey,
  connections = 'shared',
  ...others
}: LoadOptions) {
  const mix = operation === undefined ? journeyNamed(journey) : journeyOf(operation);
  const { cwd, profile, seed, insecure } = others;
  const options = { cwd, profile, seed, insecure };
  const read = readTarget(given, options);
  const env = withDotenv(given, cwd, []);
  const hosts = hostsOf(mix, read);
  // Building k6 takes minutes, and would be in vain.
  const first = mix.shares[0]?.[0].stops[0];
  if (!read.embedded && first && Object.keys(hosts).length === 0)
    throw new CannotLoad([withoutHost(first.operation)]);
  refuseForeignHosts(Object.values(hosts), env.LOAD_ALLOW_HOSTS);
  if (connections === 'per-player' && Object.keys(read.transport?.proxies ?? {}).length > 0)
    throw new ConfigurationError([
      '--connections: per-player cannot go through a proxy, which shares its own; leave one of both out',
    ]);
  return { mix, options, read, env, connections };
}

/**
 * Looks at the target, signs players in and plays the journey once; needs no k6.
 * @param closing is given what has to be ended some time
 * @throws ConfigurationError where the journey cannot be loaded, in a line each
 */
export async function prepareLoad(
  { mix, options, read }: CheckedOptions,
  { env, embedded: start, rate = usualRate, say = () => {}, signal = neverAborted }: LoadOptions,
  closing: (() => unknown)[],
): Promise<Ready> {
  const embedded = read.embedded ? await start?.(Number.parseInt(read.seed, 36) || 1) : undefined;
  if (embedded) closing.push(embedded.close);
  const parameters = embedded?.parameters ?? {};
  return makeReady(mix, { ...options, env: { ...env, ...embedded?.env }, parameters, rate, say, signal });
}

/**
 * As `prepareLoad`, with data in a folder, for k6.
 * @throws ConfigurationError where the journey cannot be loaded, in a line each; nothing is left behind
 */
export async function openLoad(options: LoadOptions): Promise<Load> {
  const closing: (() => unknown)[] = [];
  const close = async () => {
    for (const each of closing.splice(0).reverse()) await each();
  };
  try {
    const checked = checkOptions(options);
    const k6 = await resolveK6(checked.env, options.say ?? (() => {}));
    const ready = await prepareLoad(checked, options, closing);
    const folder = privateFolder(closing);
    const dataFile = join(folder, 'data.json');
    writeFileSync(dataFile, JSON.stringify(ready.data), { mode: 0o600 });
    const ruleChecks = await openRuleChecks(ready, { pause, mark: `${markOf(ready.target.runId)}c` });
    closing.push(ruleChecks.close);
    const { connections } = checked;
    const { segments = 1 } = options;
    const { visits, staysMs } = ruleChecks;
    const setup: StepSetup = {
      k6,
      folder,
      variables: transportIn(ready, folder),
      visits,
      segments,
      shared: { ...sharedPlanOf(ready, { connections, dataFile, batchFile: dataFile }), staysMs },
      stillInside: new Map(),
    };
    closing.push(async () => {
      const still = await leaveBehind(setup);
      if (still > 0) options.say?.(`players of ${still} journeys may still be in what they entered`);
    });
    const { target, hosts, evidence, data } = ready;
    return {
      runStep: stepsOn(setup, ready, ruleChecks),
      against(nullTarget) {
        const nowhere = Object.fromEntries(Object.keys(hosts).map((host) => [host, nullTarget]));
        const shared = { ...setup.shared, hosts: nowhere, forgiving: true };
        return (plan, signal) => performStep({ ...setup, stillInside: new Map(), shared }, plan, signal);
      },
      identity: () => identityOf(target, hosts),
      sessionsAreOver: async () => evidence !== undefined && sessionsAreOver(target, evidence, data.groups),
      insecure: target.transport?.insecure ?? false,
      requestsPerJourney: requestsOf(visits),
      waitMs: longestWaitMs(visits),
      segments,
      connections,
      target: hosts,
      seed: checked.read.seed,
      journey: checked.mix.name,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Performs one step after another, and what has to hold after each. */
function stepsOn(setup: StepSetup, ready: Ready, ruleChecks: RuleChecks): Load['runStep'] {
  const { shared, visits } = setup;
  let steps = 0;
  return async (plan, signal, watching = {}) => {
    const effects: Effects[] = [];
    steps += 1;
    const mark = `${shared.mark}${steps.toString(36)}`;
    await ruleChecks.begin();
    const stays: Staying[] = [];
    const onMessage: Watching['onMessage'] = (message) => {
      if ('effects' in message) effects.push(...message.effects);
      if (!('left' in message)) return;
      const { place, states } = message.left;
      stays.push(...states.filter(({ isStaying }) => isStaying).map((state) => ({ place, ...state })));
    };
    const matches = createMatches();
    const onParts: Watching['onParts'] = (parts) => {
      matches.add(parts);
      watching.onParts?.(parts);
    };
    const step = await performStep(setup, plan, signal, { ...watching, mark, onMessage, onParts });
    const about = { metBefore: ready.hasMet, shows: shownIn(visits) };
    const meeting = meetingOf(step, matches.count(), about);
    // What a load that was cut off did is not known.
    const isKnown = step.ended === 'complete' && !step.away?.stopped && !signal.aborted;
    const conserved = isKnown ? await ruleChecks.end(merged(effects), mark, stays) : [];
    const met = meeting && isKnown ? meetingIn(visits, plan, meeting) : [];
    const all = [...conserved, ...met];
    return {
      ...step,
      errors: withoutSecrets(step.errors, ready.redactor),
      ...(meeting && { meeting }),
      ...(all.length > 0 && { conserved: all }),
    };
  };
}

/** The sessions of players, as requests carry them, stay out of what is shown. */
function withoutSecrets(errors: Step['errors'], { url, body }: Ready['redactor']): Step['errors'] {
  const byOperation = errors.byOperation.map(({ sample, ...row }) => {
    if (sample === undefined) return row;
    const request = { ...sample.request, path: url(sample.request.path), body: body(sample.request.body) };
    return { ...row, sample: { ...sample, body: body(sample.body), request } };
  });
  return { ...errors, byOperation };
}

const shownIn = (visits: readonly Visit[]) =>
  visits.flatMap(({ calls }) => calls).find(({ shows }) => shows !== undefined)?.shows;

/** The rule of those who wait for each other. */
function meetingIn(visits: readonly Visit[], { rate }: StepPlan, meeting: Meeting): Conserved[] {
  const atOnce = (rate * longestWaitMs(visits)) / 1_000;
  return visits.flatMap(({ name, calls }) => {
    const call = calls.find(({ meets }) => meets !== undefined);
    return call ? [{ journey: name, ...meetingRule(meeting, atOnce, call.operation.id) }] : [];
  });
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

/** Of a run: short, as names are. */
const markOf = (runId: string) => runId.slice(-4);

/** What every plan of this load says. */
export function sharedPlanOf(
  { target: { profile, ambient, runId }, hosts, data, exclusive }: Ready,
  said: Pick<SharedPlan, 'connections' | 'dataFile' | 'batchFile'>,
): SharedPlan {
  return {
    hosts,
    ambient,
    words: profile ? { words: profile.words, wordsAt: profile.wordsAt } : null,
    queries: data.groups.some((actors) => actors.some(({ query }) => query !== '')),
    exclusive,
    groups: data.groups.length,
    batches: Object.keys(data.batches),
    ...said,
    forgiving: false,
    mark: markOf(runId),
    staysMs: 0,
    awayMs: 10_000,
  };
}

/** On average over the shares; of a call and the one in its place, one. */
export function requestsOf(visits: readonly Visit[]): number {
  const all = visits.reduce((sum, { weight }) => sum + weight, 0);
  const many = ({ calls }: Visit) => calls.filter(({ when }) => when === undefined).length;
  return visits.reduce((sum, visit) => sum + (visit.weight / all) * many(visit), 0);
}
