// Runs a conformance run from plan to result: a worker thread performs the checks, the journal records them, and the
// result lists every planned check.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { Host } from '../../catalog/operation.ts';
import { temporaryFolder, unwritten } from '../files.ts';
import type { Outcome } from '../judgement.ts';
import type { Discovery } from '../players/sign-in-discovery.ts';
import { unmatchedWords } from '../target/sharing.ts';
import { randomRunId, type Target } from '../target/target.ts';
import { ConfigurationError } from '../values/configuration-error.ts';
import { surroundingOptions } from './asked.ts';
import { assemble, complete, type Ending, type RunFacts } from './assemble.ts';
import type { AttackMode } from './attacks.ts';
import { type Gate, gates, runDifferences, steadyDifferences } from './baseline.ts';
import { readJournal } from './journal.ts';
import type { OpenedTarget } from './open-target.ts';
import type { Plan, Selection } from './plan.ts';
import { rerunOf } from './rerun.ts';
import type { RunResult } from './result.ts';

export interface Progress {
  readonly done: number;
  readonly failed: number;
  readonly requests: number;
  /** The incidents of hosts so far, a line each. */
  readonly incidents?: readonly string[];
  /** Sent at the end: resources that flows could not remove. */
  readonly leftBehind?: readonly string[];
  /** Sent at the end: pointers of the profile that no answer had. */
  readonly unmatched?: readonly string[];
  /** Sent at the end: how long the target took. */
  readonly latency?: NonNullable<RunResult['latency']>;
  /** Sent at the end: how the hosts' answers vary by themselves. */
  readonly noise?: NonNullable<RunResult['noise']>;
}

/** How the user wants the target judged; the worker needs it too. */
interface CheckingOptions {
  readonly strict: boolean;
  readonly readOnly: boolean;
  /** Default: off. */
  readonly attack?: AttackMode | undefined;
  /** When attacks end, ms since the epoch; without it they have a time limit of their own. */
  readonly attackUntil?: number | undefined;
  /** `--out` of the commands that run one check again. */
  readonly rerunOut?: string | undefined;
  /** Options by which those commands compare with the same baseline; undefined without one. */
  readonly rerunBaseline?: string | undefined;
  readonly timeoutMs: number;
  readonly rate: number | undefined;
}

export interface RunSettings extends CheckingOptions {
  readonly target: Target;
  readonly discovery: Discovery | undefined;
  readonly unreachable: Readonly<Partial<Record<Host, string>>>;
  /** Path of results.jsonl; undefined keeps no journal. */
  readonly journal: string | undefined;
  readonly concurrency: number;
  /** End of the whole run, ms since the epoch. */
  readonly deadline: number;
}

/** What the worker gets at its start; the target follows over the link once preflight is done. */
export interface Assignment {
  readonly selection: Selection;
  /** The worker's end of the link. */
  readonly link: MessagePort;
}

// Messages between the CLI and its worker: the worker sends its plan, the CLI sends the settings once, and the worker
// reports progress. Uses `on`, not `onmessage`: a web event makes node load its whole fetch in each thread.
export type FromWorker =
  | { readonly kind: 'planned'; readonly plan: Plan }
  | ({ readonly kind: 'progress' } & Progress);
export type ToWorker = { readonly kind: 'settings'; readonly settings: RunSettings };

/** The CLI's end of the link. */
function openLink(onProgress: (progress: Progress) => void) {
  const { port1, port2 } = new MessageChannel();
  const plan = Promise.withResolvers<Plan>();
  port1.on('message', (message: FromWorker) => {
    if (message.kind === 'planned') plan.resolve(message.plan);
    if (message.kind === 'progress') onProgress(message);
  });
  return {
    /** The worker's end, to be transferred. */
    port: port2,
    /** The worker's plan. The worker listens for settings once it has sent it. */
    plan: plan.promise,
    close: () => port1.close(),
    /** Lets the worker begin. To be called once there is a plan. */
    hand: (settings: RunSettings) => port1.postMessage({ kind: 'settings', settings } satisfies ToWorker),
  };
}

// The main thread's end of the worker.
interface Started {
  readonly entry: URL;
  readonly worker: Worker;
  readonly ending: Promise<Ending>;
}

let warm: Started | undefined;

/**
 * Starts the next run's thread early, so that it loads its suites before the run is known. Keeps no process alive.
 * @param entry the worker's entry: a file that calls `performAssigned`
 */
export function warmWorker(entry: URL): void {
  warm ??= start(entry);
  warm.worker.unref();
}

/** Runs an assignment in a worker of this entry; resolves to its ending: complete or died. Never rejects. */
export function runInWorker(entry: URL, assignment: Assignment): Promise<Ending> {
  const { worker, ending } = warm?.entry.href === entry.href ? warm : start(entry);
  if (warm?.worker === worker) warm = undefined;
  worker.ref();
  worker.postMessage(assignment, [assignment.link]);
  return ending;
}

function start(entry: URL): Started {
  const worker = new Worker(entry);
  const ending = new Promise<Ending>((resolve) => {
    const died = (why: string, mistakes?: readonly string[]) =>
      resolve({
        ended: 'worker-died',
        ...(mistakes && { mistakes }),
        missing: { reason: 'interrupted', detail: `the worker died: ${why.split('\n')[0]}` },
      });
    // An error from another thread has lost its class, so `lines` tells a ConfigurationError.
    worker.once('error', (error) => {
      if (!(error instanceof Error)) return died(String(error));
      const { lines } = error as Partial<ConfigurationError>;
      died(error.message, Array.isArray(lines) ? lines : undefined);
    });
    worker.once('exit', (code) => (code === 0 ? resolve(complete) : died(`it ended with ${code}`)));
  });
  return { entry, worker, ending };
}

interface RunnerOptions {
  /** Entry of the worker: a file that calls `performAssigned`. */
  readonly entry: URL;
  readonly selection: Selection;
  /** An existing folder, in which results.jsonl is overwritten. */
  readonly out: string;
  readonly onProgress: (progress: Progress) => void;
}

interface RunOptions extends CheckingOptions {
  readonly opened: OpenedTarget;
  readonly only: readonly string[];
  readonly minJudged: number;
  readonly bail: number | undefined;
  readonly startedAt: number;
  readonly budgetMs: number;
  /** In a rerun, the outcome of each check in the run that it repeats, by id. */
  readonly earlier?: ReadonlyMap<string, Outcome> | undefined;
  /** The baseline: the run that this one is compared with. */
  readonly baseline?: RunResult | undefined;
  /** The kinds of differences from the baseline that fail the run; default: all. */
  readonly failOn?: readonly Gate[] | undefined;
  /** Ends the run early; checks without an outcome by then are listed as interrupted. */
  readonly signal: AbortSignal;
}

/** A worker that is starting up, or is waiting for a target to judge. */
interface Runner {
  /** The plan of the run. Rejects where the suites cannot be loaded. */
  readonly plan: Promise<Plan>;
  /**
   * Resolves to a result with every planned check in it, whatever the target does.
   * @throws ConfigurationError where the journal cannot be written
   */
  readonly run: (options: RunOptions) => Promise<RunResult>;
}

/** Time that the worker has to end by itself once the budget is over. */
const exitTimeoutMs = 3_000;

/** Starts the worker; it can plan while preflight is still running. */
export function startRunner({ entry, selection, out, onProgress }: RunnerOptions): Runner {
  const journal = join(out, 'results.jsonl');
  let progress: Progress = { done: 0, failed: 0, requests: 0 };
  let most = { planned: Number.POSITIVE_INFINITY, bail: undefined as number | undefined };
  const early = Promise.withResolvers<Ending>();
  const link = openLink((next) => {
    progress = next;
    onProgress(next);
    // After the last check, the worker only has its teardown left to do.
    if (next.done === most.planned) early.resolve(complete);
    else if (most.bail !== undefined && next.failed >= most.bail) early.resolve(stoppedAt(most.bail));
  });
  const worker = runInWorker(entry, { selection, link: link.port });
  const unplanned = worker.then(({ missing }): never => {
    throw new Error(missing.detail);
  });
  const plan = Promise.race([link.plan, unplanned]);
  // If the worker ends early, a plan that is awaited rejects; a plan that has arrived stays.
  for (const promise of [unplanned, plan]) promise.catch(() => {});

  return {
    plan,
    async run(options) {
      const { checks, known } = await plan;
      most = { planned: checks.length, bail: options.bail };
      try {
        writeFileSync(journal, '');
      } catch (error) {
        throw unwritten('--out', journal, error);
      }
      link.hand(settingsOf(options, journal));
      const { startedAt, budgetMs, signal } = options;
      const late = overdue(startedAt + budgetMs + exitTimeoutMs, budgetMs);
      const how = await Promise.race([worker, early.promise, interrupted(signal), late]);
      link.close();
      if (how.mistakes) throw new ConfigurationError(how.mistakes);
      const results = readJournal(journal);
      return withSamplesOfDifferences(options, entry, (samples) => {
        const facts = factsOf(options, progress, { known, rerun: selection.again !== undefined });
        const ending = how.ended === 'complete' && signal.aborted ? interruptedEnding : how;
        return assemble(checks, results, ending, { ...facts, samples });
      });
    },
  };
}

/** Samples; each repeats the checks that still differ, so that a check which varies by itself shows in one of them. */
const samplesOfDifferences = 2;

/**
 * Returns the result of a run. First repeats checks that differ from its baseline, since they may vary by themselves.
 * @param assembled makes the result, given the samples
 */
export async function withSamplesOfDifferences(
  options: RunOptions,
  entry: URL,
  assembled: (samples: readonly RunResult[]) => RunResult,
): Promise<RunResult> {
  const { baseline, failOn = gates, signal } = options;
  const first = assembled([]);
  if (baseline === undefined || first.ended !== 'complete') return first;
  const gating = (found: ReturnType<typeof runDifferences>) =>
    [...found].flatMap(([id, { gate }]) => (failOn.includes(gate) ? [id] : []));
  const samples: RunResult[] = [];
  let ids = gating(runDifferences(baseline, first));
  while (ids.length > 0 && samples.length < samplesOfDifferences && !signal.aborted) {
    samples.push(await sampleOf(ids, options, entry));
    ids = gating(steadyDifferences(baseline, first, samples));
  }
  return samples.length === 0 ? first : assembled(samples);
}

/** Runs the checks once more, with another thread, other players and other names. */
async function sampleOf(again: readonly string[], options: RunOptions, entry: URL): Promise<RunResult> {
  const out = temporaryFolder('assay-again-');
  try {
    const { opened } = options;
    const target = { ...opened.target, runId: randomRunId() };
    const runner = startRunner({ entry, selection: { only: [], again }, out, onProgress: () => {} });
    return await runner.run({
      ...options,
      opened: { ...opened, target },
      baseline: undefined,
      bail: undefined,
    });
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** The parts of a result besides its checks. */
export function factsOf(
  options: Pick<
    RunOptions,
    | 'opened'
    | 'startedAt'
    | 'strict'
    | 'readOnly'
    | 'attack'
    | 'minJudged'
    | 'only'
    | 'earlier'
    | 'baseline'
    | 'failOn'
    | 'rerunOut'
    | 'rerunBaseline'
    | 'rate'
    | 'timeoutMs'
  >,
  { requests, leftBehind = [], unmatched = [], incidents = [], latency = {}, noise = {} }: Progress,
  { known, rerun }: { readonly known: readonly string[]; readonly rerun: boolean },
): RunFacts {
  const { startedAt, strict, readOnly, attack, minJudged, only, earlier, baseline, failOn } = options;
  const { rate, timeoutMs } = options;
  const { target, preflight } = options.opened;
  const inVain = [...unmatched, ...unmatchedWords(target.profile ?? {}, known)];
  return {
    target: { embedded: target.embedded, ...target.hosts },
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Date.now() - startedAt,
    seed: target.seed,
    runId: target.runId,
    options: {
      strict,
      readOnly,
      minJudged,
      only,
      rerun,
      ...(target.transport?.insecure && { insecure: true }),
      ...(attack === 'on' && { attack }),
      ...surroundingOptions(options.opened, { rate, timeoutMs }),
    },
    preflight: preflight.lines,
    hints: preflight.hints,
    requests,
    leftBehind,
    ...(inVain.length > 0 && { unmatched: inVain }),
    ...(incidents.length > 0 && { incidents }),
    ...(Object.keys(latency).length > 0 && { latency }),
    ...(Object.keys(noise).length > 0 && { noise }),
    nothingReachable: preflight.nothingReachable,
    rerun: rerunOf(target, options),
    waivers: target.profile?.waivers ?? [],
    expects: target.profile?.expects,
    expectsUntil: target.profile?.expectsUntil,
    known,
    earlier,
    baseline,
    failOn,
  };
}

const ending = (ended: Ending['ended'], reason: Ending['missing']['reason'], detail: string): Ending => ({
  ended,
  missing: { reason, detail },
});

/** The ending of a run that its user stopped. */
export const interruptedEnding = ending('interrupted', 'interrupted', 'the run was interrupted');

const stoppedAt = (bail: number) => ending('bail', 'interrupted', `not asked: --bail ${bail} was reached`);

const interrupted = (signal: AbortSignal) =>
  new Promise<Ending>((resolve) => {
    const settle = () => resolve(interruptedEnding);
    if (signal.aborted) settle();
    signal.addEventListener('abort', settle, { once: true });
  });

const overdue = (at: number, budgetMs: number) =>
  new Promise<Ending>((resolve) => {
    const settle = () =>
      resolve(ending('budget', 'budget', `not ended within the budget of ${budgetMs / 1_000} s`));
    setTimeout(settle, at - Date.now()).unref();
  });

/** The settings of the thread that performs the run. @param journal path of results.jsonl */
export function settingsOf(
  options: CheckingOptions & Pick<RunOptions, 'opened' | 'startedAt' | 'budgetMs'>,
  journal: string,
): RunSettings {
  const { opened, strict, readOnly, attack, attackUntil, rerunOut, rerunBaseline, timeoutMs, rate } = options;
  const { target, preflight, concurrency } = opened;
  const { discovery, unreachable } = preflight;
  return {
    target,
    discovery,
    unreachable,
    journal,
    strict,
    readOnly,
    attack,
    attackUntil,
    rerunOut,
    rerunBaseline,
    timeoutMs,
    concurrency,
    rate,
    deadline: options.startedAt + options.budgetMs,
  };
}
