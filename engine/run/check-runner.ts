// Creates what the checks of one run share (client, players, context, journal), and performs the checks.
import * as module from 'node:module';
import { createInFlight } from '../http/body-limits.ts';
import { mostAtOnce } from '../http/burst.ts';
import { type Client, createClient } from '../http/client.ts';
import { curl } from '../http/curl.ts';
import type { Request } from '../http/exchange.ts';
import { createRedactor, type Secrets } from '../http/redact.ts';
import { script } from '../http/script.ts';
import { createPlayers } from '../players/players.ts';
import { loginFault, whyNoSession } from '../players/sign-in-discovery.ts';
import type { Check } from '../probe/check.ts';
import { changingIn, silentProfile } from '../target/profile.ts';
import { whyNoAttack } from './attacks.ts';
import { createContext, probesAtATime } from './create-context.ts';
import { openJournal } from './journal.ts';
import { type PerformOptions, runCheck } from './perform.ts';
import { rerunOf } from './rerun.ts';
import { isStep, type Result } from './result.ts';
import type { Progress, RunSettings } from './runner.ts';
import { isWaived } from './waivers.ts';

export interface CheckRunner {
  /** Performs a check and notes its result in the journal. Never rejects. */
  readonly perform: (check: Check) => Promise<Result>;
  /** Performs a suite's checks; resolves while the last ones still run, so that the next suite need not wait. */
  readonly performSuite: (checks: readonly Check[]) => Promise<void>;
  /** Runs the teardown of scenarios, and returns the findings that are not results of checks. */
  readonly end: () => Promise<Progress>;
  /** Closes its connections; not needed where the process ends. */
  readonly close: () => void;
  /** The number of bursts that attacks sent. */
  readonly bursts: () => number;
}

const { flushCompileCache } = module as { flushCompileCache?: () => void };

const reportEveryMs = 100;

/** Checks that may still run when the next suite begins: enough to keep all connections busy. */
const lowWater = 200;

interface Expected {
  /** Ids of the checks of this run. */
  readonly planned: ReadonlySet<string>;
  /** Called from time to time, whenever a check fails, and after the last check. */
  readonly onProgress: (progress: Progress) => void;
}

/** Creates the runner. It opens connections as they are needed, and sends nothing before the first check. */
export function openCheckRunner(settings: RunSettings, expected?: Expected): CheckRunner {
  const { target, discovery, timeoutMs, concurrency, rate, deadline, unreachable } = settings;
  const redactor = createRedactor(target.secrets);
  const inFlight = createInFlight({ connections: concurrency + probesAtATime });
  const client = withCallCount(
    createClient({
      ...target.transport,
      timeoutMs,
      concurrency,
      deadline,
      redactor,
      inFlight,
      rate,
    }),
  );
  const players =
    discovery?.kind === 'found' ? createPlayers({ client, target, discovery, redactor }) : undefined;
  const idle = createIdleness(() => goOn());
  const context = createContext({
    settled: idle.settled,
    client,
    beside: client.beside,
    target,
    players,
    noSession: whyNoSession(discovery),
    loginFault: loginFault(discovery),
    unreachable,
    timeoutMs,
    concurrency,
    inFlight,
    planned: expected?.planned,
    readOnly: settings.readOnly,
    // One round of each attack is enough where the user did not ask for attacks.
    attacksBriefly: settings.attack === 'auto',
    attackUntil: settings.attackUntil,
  });
  const journal = settings.journal === undefined ? undefined : openJournal(settings.journal);
  const { strict, readOnly, attack = 'off' } = settings;
  const secretsOf = (request: Request): Secrets => ({
    ...players?.secretsIn(request),
    env: target.profile?.variables ?? {},
    redact: redactor.text,
  });
  const options: PerformOptions = {
    strict,
    readOnly,
    noAttack: whyNoAttack(attack, { target, discovery, rate, readOnly }),
    attackAsked: attack === 'on',
    omitted: target.profile?.omitted ?? silentProfile.omitted,
    changing: changingIn(target.profile ?? silentProfile),
    sharing: target.profile ?? silentProfile,
    record: redactor.record,
    redact: redactor.text,
    outlives: players?.outlive ?? false,
    isPlanned: (id) => expected?.planned.has(id) ?? isStep(id),
    rerun: rerunOf(target, settings),
    curl: ({ request }) => curl(request, secretsOf(request), target.transport),
    script: (repetition, summary) =>
      script(repetition, secretsOf, { summary, transport: target.transport ?? {} }),
  };
  const counts = { done: 0, failed: 0 };
  let begun = 0;
  let attacking = false;
  /** What `performSuite` waits for. */
  let awaited: { readonly condition: () => boolean; readonly go: () => void } | undefined;
  const until = (condition: () => boolean) =>
    new Promise<void>((go) => {
      awaited = { condition, go };
      if (condition()) go();
    });
  const goOn = () => {
    if (awaited?.condition()) awaited.go();
  };
  let leftBehind: readonly string[] | undefined;
  let progressAt = 0;
  const progress = (): Progress => ({
    ...counts,
    requests: client.requests() + context.burstCalls(),
    incidents: context.incidents(),
    ...(leftBehind && {
      leftBehind,
      unmatched: context.unmatched(),
      latency: context.latency(),
      noise: context.noises(),
    }),
  });
  const report = () => {
    progressAt = Date.now();
    expected?.onProgress(progress());
  };
  /** Steps that are under way. */
  const playing = new Set<Promise<Result>>();
  /** Performs a check. With few players, checks that are no steps wait for the steps, which borrow their players. */
  const performInTurn = async (check: Check): Promise<Result> => {
    const isPlayed = isStep(check.id);
    while (context.stepsFirst() && !isPlayed && playing.size > 0) await Promise.all(playing);
    const performing = runCheck(check, context, options);
    if (!isPlayed) return performing;
    playing.add(performing);
    return performing.finally(() => playing.delete(performing));
  };
  const runner: CheckRunner = {
    close: () => client.close(),
    bursts: context.bursts,
    async end() {
      leftBehind = await context.flows.tearDown();
      journal?.flush();
      return progress();
    },
    async performSuite(checks) {
      // Attacks may leave things behind that only attacks may meet, so they wait until all other checks have ended.
      const isAttack = checks.some(({ attack }) => attack);
      if (isAttack && !attacking) {
        await until(() => begun === counts.done);
        client.atMost(mostAtOnce);
      }
      attacking = isAttack;
      for (const check of checks) {
        begun += 1;
        void runner.perform(check);
      }
      const most = begun === expected?.planned.size ? 0 : lowWater;
      await until(() => begun - counts.done - idle.waiting() <= most);
    },
    async perform(check) {
      const isPlayed = isStep(check.id);
      if (isPlayed) context.flows.begins(check);
      const result = await idle.during(() => performInTurn(check));
      if (isPlayed) context.flows.ended(check);
      journal?.write(result);
      const isExcused = () =>
        isWaived(result.id, target.profile?.waivers ?? [], result.startedAt.slice(0, 10));
      if (result.outcome === 'harness-error' || (result.outcome === 'fail' && !isExcused()))
        counts.failed += 1;
      const last = counts.done + 1 === expected?.planned.size;
      if (last) {
        await runner.end();
        // The worker is terminated, so the cache is written here; otherwise the next run would compile all code again.
        flushCompileCache?.();
      }
      counts.done += 1;
      // The listener may end the run at once (--bail), and then reads the journal.
      if (result.outcome === 'fail') journal?.flush();
      if (last || result.outcome === 'fail' || Date.now() - progressAt > reportEveryMs) report();
      goOn();
      return result;
    },
  };
  return runner;
}

/**
 * Lets checks that judge the whole run wait until all other checks have ended.
 * @param waits called when one more check waits, so that further checks may begin
 */
function createIdleness(waits: () => void) {
  let running = 0;
  let waiting: (() => void)[] = [];
  /** Wakes the waiting checks if nothing else runs; in a later turn, since more checks may be about to begin. */
  const wakeWhenIdle = () =>
    setImmediate(() => {
      if (waiting.length === 0 || running > waiting.length) return;
      for (const wake of waiting) wake();
      waiting = [];
    });
  return {
    waiting: () => waiting.length,
    settled: () =>
      new Promise<void>((wake) => {
        waiting.push(wake);
        waits();
        wakeWhenIdle();
      }),
    async during<Value>(work: () => Promise<Value>): Promise<Value> {
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
        wakeWhenIdle();
      }
    },
  };
}

function withCallCount<Own extends Client>(client: Own): Own & { readonly requests: () => number } {
  let requests = 0;
  return {
    ...client,
    requests: () => requests,
    send: (request, options) => {
      requests += 1;
      return client.send(request, options);
    },
  };
}
