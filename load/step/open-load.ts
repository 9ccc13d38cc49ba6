// Opens a load: runs the preflight, signs players in and writes the data for k6; then runs steps.
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

/** The only file in the folder of trusted certificates. */
const caName = 'ca.pem';

/** Platforms where Go trusts what the system trusts, and reads no file (crypto/x509, SystemCertPool). */
const systemAlone: readonly NodeJS.Platform[] = ['darwin', 'win32'];

/**
 * @param urls of the hosts that the load goes to
 * @param caFolder holds the certificates that k6 trusts instead of the system's
 * @returns environment variables for k6; they may hold the login of a proxy
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

/** Creates a folder for this user alone, which is removed when the load is closed or this process exits. */
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

/** A server that is started because no URL is given. */
export interface Embedded {
  /** The environment variables that describe it as a target. */
  readonly env: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export type StartEmbeddedProcess = (seed: number) => Promise<Embedded>;

export interface LoadOptions extends Pick<OpenOptions, 'env' | 'cwd' | 'profile' | 'seed' | 'insecure'> {
  /** The name of a journey; ignored where `operation` is given. */
  readonly journey: string;
  /** One operation alone, by id, in place of a journey. */
  readonly operation?: string | undefined;
  /** Starts a server where the environment holds no URL; without it, a missing URL is an error. */
  readonly embedded?: StartEmbeddedProcess | undefined;
  /** The highest rate of any step, in journeys per second, which decides how many players are prepared. Default 100. */
  readonly rate?: number | undefined;
  /** Whether journeys share connections, or each player has one. Default shared. */
  readonly connections?: Connections | undefined;
  /** k6 processes that share the load, an execution segment each. Default 1. */
  readonly segments?: number | undefined;
  /** Receives a line for the user about each thing found or done. */
  readonly say?: (line: string) => void;
  /** Ends what is under way. */
  readonly signal?: AbortSignal;
}

export interface Load {
  /** Runs a step in k6 processes of its own. Never rejects because of what the target or k6 does. */
  runStep(plan: StepPlan, signal: AbortSignal, watching?: Watching): Promise<Step>;
  /** Runs steps with the same script and data against another base URL, where no answer counts as wrong. */
  against(nullTarget: string): RunStep;
  /** Reads traits of the target that change only with a deployment, to compare them before and after the load. */
  identity(): Promise<Identity>;
  readonly requestsPerJourney: number;
  /** Longest time that a player waits for others, in ms. */
  readonly waitMs: number;
  /** Resolves to true if the players who signed in before the load now get 401. */
  sessionsAreOver(): Promise<boolean>;
  /** Certificates are not checked. */
  readonly insecure: boolean;
  /** Number of k6 processes. */
  readonly segments: number;
  readonly connections: Connections;
  /** URLs of the hosts that the journey calls. */
  readonly target: Readonly<Partial<Record<Host, string>>>;
  readonly journey: string;
  readonly seed: string;
  /** Removes what was written and ends an embedded server. */
  close(): Promise<void>;
}

const usualRate = 100;
const neverAborted = new AbortController().signal;

/** The checked options of a load; nothing has been sent yet. */
type CheckedOptions = ReturnType<typeof checkOptions>;

/** @throws ConfigurationError where there is no such journey, or load on its hosts is not allowed */
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
  // Fails now, before minutes are spent on building k6.
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
 * Runs the preflight, signs players in and rehearses the journey; needs no k6.
 * @param closing receives the functions that release what was opened
 * @throws ConfigurationError where the journey cannot be loaded, with one line per reason
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
 * Does what `prepareLoad` does, and also finds k6 and writes the data for it to a folder.
 * @throws ConfigurationError where the journey cannot be loaded, with one line per reason; nothing is left behind
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

/** Returns a function that performs a step and then checks the declared rules. */
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
    // The effects of a load that was cut off are not known.
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

/** Removes the players' sessions from the samples of wrong answers. */
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

/** Applies the rule about players who wait for each other to each journey that has such players. */
function meetingIn(visits: readonly Visit[], { rate }: StepPlan, meeting: Meeting): Conserved[] {
  const atOnce = (rate * longestWaitMs(visits)) / 1_000;
  return visits.flatMap(({ name, calls }) => {
    const call = calls.find(({ meets }) => meets !== undefined);
    return call ? [{ journey: name, ...meetingRule(meeting, atOnce, call.operation.id) }] : [];
  });
}

/** Returns environment variables for k6, and writes the certificates that it trusts to a file. */
function transportIn({ target: { transport = {} }, hosts }: Ready, folder: string): Record<string, string> {
  const caFolder = join(folder, 'trusted');
  const variables = k6Transport(transport, Object.values(hosts), caFolder, process.platform);
  if (transport.ca !== undefined) {
    mkdirSync(caFolder);
    writeFileSync(join(caFolder, caName), transport.ca);
  }
  return variables;
}

/** The mark of a run: short, because the names that players set carry it. */
const markOf = (runId: string) => runId.slice(-4);

/** Returns the fields that are the same in every plan of this load. */
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

/** Requests per journey, averaged over the mix. Of a call and its alternative (`when`, `unless`), one counts. */
export function requestsOf(visits: readonly Visit[]): number {
  const all = visits.reduce((sum, { weight }) => sum + weight, 0);
  const many = ({ calls }: Visit) => calls.filter(({ when }) => when === undefined).length;
  return visits.reduce((sum, visit) => sum + (visit.weight / all) * many(visit), 0);
}
