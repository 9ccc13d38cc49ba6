// Everything that one run shares, put together once: client, players, context, journal.
import * as module from 'node:module';
import { behaviourValue, othersData } from '../../catalog/behaviours.ts';
import type { Host } from '../../catalog/operation.ts';
import { usedUp } from '../flow/used-up.ts';
import { createInFlight } from '../http/attempt.ts';
import { type Client, createClient } from '../http/client.ts';
import { curl } from '../http/curl.ts';
import type { Exchange, RecordedExchange, Request } from '../http/exchange.ts';
import { createRedactor, type Secrets } from '../http/redact.ts';
import { type Repetition, script } from '../http/script.ts';
import { inconclusive, type Judgement, notApplicable, pass, violation } from '../judgement.ts';
import { createPlayers } from '../players/players.ts';
import { loginFault, whyNoSession } from '../players/session-discovery.ts';
import { type Check, planned } from '../probe/check.ts';
import type { Context } from '../probe/context.ts';
import { changingIn, silentProfile } from '../target/profile.ts';
import { type SharingLists, sharingOf } from '../target/sharing.ts';
import { whyNoAttack } from './attacks.ts';
import { createContext, probesAtATime } from './create-context.ts';
import { openJournal } from './journal.ts';
import { rerunCommand, rerunSettings } from './rerun.ts';
import type { Result } from './result.ts';
import { resultOf } from './result-of.ts';
import type { Progress, RunSettings } from './run.ts';
import { isWaived } from './waivers.ts';

export interface Judge {
  /** Performs a check and notes its result in the journal. Never rejects. */
  readonly perform: (check: Check) => Promise<Result>;
  /** Performs a file's checks; returns while the last few still run, so that the next file need not wait for them. */
  readonly performFile: (checks: readonly Check[]) => Promise<void>;
  /** Runs the teardown of scenarios, and reports all findings beside the results of the checks. */
  readonly end: () => Promise<Progress>;
  /** Ends its connections; a process that ends need not ask for it. */
  readonly close: () => void;
  /** How often attacks sent several calls at one moment. */
  readonly bursts: () => number;
}

const { flushCompileCache } = module as { flushCompileCache?: () => void };

const tellEveryMs = 100;

/** So many checks may still run when the next file is begun: enough to keep all connections busy. */
const lowWater = 200;

interface Expected {
  /** Ids of the checks there will be. */
  readonly planned: ReadonlySet<string>;
  /** Called now and then, whenever a check fails, and after the last one. */
  readonly onProgress: (progress: Progress) => void;
}

/** Opens connections and the journal as they are needed; nothing is sent before a check asks. */
export function openJudge(settings: RunSettings, expected?: Expected): Judge {
  const { target, discovery, timeoutMs, concurrency, rate, deadline, unreachable } = settings;
  const redactor = createRedactor();
  for (const secret of target.secrets) redactor.learn(secret);
  const inFlight = createInFlight({ connections: concurrency + probesAtATime });
  const client = counted(
    createClient({
      ...target.transport,
      timeoutMs,
      concurrency,
      deadline,
      redactor,
      inFlight,
      ...(rate !== undefined && { rate }),
    }),
  );
  const players =
    discovery?.kind === 'found' ? createPlayers({ client, target, discovery, redactor }) : undefined;
  const idle = createIdleness(() => goOn());
  const context = createContext({
    settled: idle.settled,
    client,
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
    // Who did not ask for attacks waits for one round of each.
    attacksBriefly: settings.attack === 'auto',
  });
  const journal = settings.journal === undefined ? undefined : openJournal(settings.journal);
  const again = rerunSettings(target);
  const { strict, readOnly, attack = 'off' } = settings;
  const alike = { strict, readOnly, jwtAlg: target.jwtAlg, insecure: target.transport?.insecure };
  const secretsOf = (request: Request): Secrets => ({
    ...players?.secretsIn(request),
    env: target.profile?.variables ?? {},
    redact: redactor.text,
  });
  const options: PerformOptions = {
    strict,
    readOnly,
    noAttack: whyNoAttack(attack, { target, discovery, rate }),
    attackAsked: attack === 'on',
    omitted: target.profile?.omitted ?? silentProfile.omitted,
    changing: changingIn(target.profile ?? silentProfile),
    sharing: target.profile ?? silentProfile,
    record: redactor.record,
    redact: redactor.text,
    outlives: players?.outlive ?? false,
    isPlanned: (id) => expected?.planned.has(id) ?? id.includes('/'),
    rerun: ({ id, attack }) => rerunCommand(again, id, { ...alike, attack }),
    curl: ({ request }) => curl(request, secretsOf(request), target.transport),
    script: (repetition, story) =>
      script(repetition, secretsOf, { story, transport: target.transport ?? {} }),
  };
  const counts = { done: 0, failed: 0 };
  let begun = 0;
  let attacking = false;
  let waiting: { readonly condition: () => boolean; readonly go: () => void } | undefined;
  const until = (condition: () => boolean) =>
    new Promise<void>((go) => {
      waiting = { condition, go };
      if (condition()) go();
    });
  const goOn = () => {
    if (waiting?.condition()) waiting.go();
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
  const tell = () => {
    progressAt = Date.now();
    expected?.onProgress(progress());
  };
  /** Steps that are under way. */
  const playing = new Set<Promise<Result>>();
  /** With few players, single checks wait for the steps, which borrow theirs. */
  const performInTurn = async (check: Check): Promise<Result> => {
    const isStep = check.id.includes('/');
    while (context.stepsFirst() && !isStep && playing.size > 0) await Promise.all(playing);
    const performing = perform(check, context, options);
    if (!isStep) return performing;
    playing.add(performing);
    return performing.finally(() => playing.delete(performing));
  };
  const judge: Judge = {
    close: () => client.close(),
    bursts: context.bursts,
    async end() {
      leftBehind = await context.flows.tearDown();
      journal?.flush();
      return progress();
    },
    async performFile(checks) {
      // What attacks leave behind must not be met by anything but attacks, which have players of their own.
      const isAttack = checks.some(({ attack }) => attack);
      if (isAttack && !attacking) await until(() => begun === counts.done);
      attacking = isAttack;
      for (const check of checks) {
        begun += 1;
        void judge.perform(check);
      }
      const most = begun === expected?.planned.size ? 0 : lowWater;
      await until(() => begun - counts.done - idle.waiting() <= most);
    },
    async perform(check) {
      const isStep = check.id.includes('/');
      if (isStep) context.flows.begins(check);
      const result = await idle.during(() => performInTurn(check));
      if (isStep) context.flows.ended(check);
      journal?.write(result);
      const isExcused = () =>
        isWaived(result.id, target.profile?.waivers ?? [], result.startedAt.slice(0, 10));
      if (result.outcome === 'harness-error' || (result.outcome === 'fail' && !isExcused()))
        counts.failed += 1;
      const last = counts.done + 1 === expected?.planned.size;
      if (last) {
        await judge.end();
        // The worker is ended, not waited for: without this, the next run would compile the same code again.
        flushCompileCache?.();
      }
      counts.done += 1;
      // Who hears of it may end the run at once (--bail), and reads the journal then.
      if (result.outcome === 'fail') journal?.flush();
      if (last || result.outcome === 'fail' || Date.now() - progressAt > tellEveryMs) tell();
      goOn();
      return result;
    },
  };
  return judge;
}

/**
 * Lets checks wait until all others have ended: what they judge is what the whole run has seen.
 * @param waits called when one more waits, so that further checks may begin
 */
function createIdleness(waits: () => void) {
  let running = 0;
  let waiting: (() => void)[] = [];
  /** Looks again later: the scheduler may be about to begin more checks. */
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

function counted(client: Client): Client & { readonly requests: () => number } {
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

export interface PerformOptions {
  readonly strict: boolean;
  readonly readOnly: boolean;
  /** Operations the profile leaves out, with its reason. */
  readonly omitted: ReadonlyMap<string, string>;
  /** Operations that the profile marks as changing. */
  readonly changing: ReadonlySet<string>;
  /** Whose data the profile calls private or shared. */
  readonly sharing: SharingLists;
  readonly record: (exchange: Exchange) => RecordedExchange;
  readonly curl: (exchange: Exchange) => string;
  /** The script that repeats what one request cannot. */
  readonly script?: (repetition: Repetition, story: string) => string | undefined;
  /** The command that runs one check again. */
  readonly rerun: (check: Pick<Check, 'id' | 'attack'>) => string;
  /** Why the run attacks nothing; undefined where it does. */
  readonly noAttack?: string | undefined;
  /** Attacks were asked for: one that cannot be made is inconclusive, and not just left out. */
  readonly attackAsked?: boolean;
  /** The players existed before this run: what they can do once may be done. */
  readonly outlives: boolean;
  /** Whether the run lists a result of this check. */
  readonly isPlanned: (id: string) => boolean;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
}

/** Performs a check. Never rejects: an exception is a defect of Assay, and becomes a harness-error. */
export async function perform(check: Check, context: Context, options: PerformOptions): Promise<Result> {
  const startedAt = new Date();
  const begun = performance.now();
  try {
    const unasked = notToRun(check, context, options);
    if (unasked !== undefined) check.passOver?.(context);
    const judgement = unasked ?? (await check.run(context));
    // A step knows its own players.
    const used =
      options.outlives && judgement.kind === 'inconclusive' && check.id.includes('#')
        ? usedUp(judgement, check.operations)
        : undefined;
    const owned = asOwned(used ?? reasonOfLoss(judgement, check, context), check, options.sharing);
    return finish(resultOf(check, owned, options));
  } catch (error) {
    return finish({ outcome: 'harness-error', detail: options.redact(oneLine(error)) });
  }

  function finish(parts: Pick<Result, 'outcome'> & Partial<Result>): Result {
    return {
      ...planned(check),
      ...parts,
      rerun: options.rerun(check),
      startedAt: startedAt.toISOString(),
      durationMs: Math.round((performance.now() - begun) * 10) / 10,
    };
  }
}

function notToRun(
  check: Check,
  context: Context,
  { readOnly, omitted, changing, noAttack }: PerformOptions,
): Judgement | undefined {
  for (const { id } of check.operations) {
    const reason = omitted.get(id);
    if (reason !== undefined) return notApplicable('left-out', `the profile leaves ${id} out: ${reason}`);
  }
  const hosts = hostsOf(check);
  const absent = hosts.find((host) => !context.given(host));
  if (absent !== undefined) return notApplicable('host-not-given', `no URL was given for the ${absent} host`);
  if (readOnly && (check.changes || check.operations.some(({ id }) => changing.has(id))))
    return notApplicable('read-only', 'it may change the target, and --read-only was asked for');
  if (check.attack && noAttack !== undefined) return notApplicable('attack-off', noAttack);
  const never = first(hosts, context.unreachable);
  if (never !== undefined) return inconclusive('unreachable', never);
  const why = first(hosts, context.lost);
  return why === undefined ? undefined : inconclusive('target-lost', why);
}

const hostsOf = ({ operations }: Check) => [...new Set(operations.map(({ host }) => host))];

/** The first line that `tell` has for one of the hosts. */
const first = (hosts: readonly Host[], tell: (host: Host) => string | undefined) =>
  hosts.map(tell).find((line) => line !== undefined);

const mayMeanLoss = new Set(['timeout', 'reset', 'unreachable', 'interrupted']);

/** A check whose request was held back because its host is lost says so, not how that one request ended. */
function reasonOfLoss(judgement: Judgement, check: Check, context: Context): Judgement {
  if (judgement.kind !== 'inconclusive') return judgement;
  if (judgement.reason === 'unknown-resource') return withoutMainApi(judgement, context);
  if (judgement.reason === 'auth-wall' || judgement.reason === 'no-session')
    return ofWall(judgement, hostsOf(check), context);
  if (!mayMeanLoss.has(judgement.reason)) return judgement;
  const hosts = hostsOf(check);
  const why = first(hosts, context.lost);
  // A host that was never reached cannot be lost.
  return why === undefined || first(hosts, context.unreachable) !== undefined
    ? judgement
    : inconclusive('target-lost', why);
}

/** What is seen of another player's data fails where the profile calls it private, and is no finding where it is shared. */
function asOwned(judgement: Judgement, { id, operations, clause }: Check, lists: SharingLists): Judgement {
  const isSeen =
    judgement.kind === 'observed'
      ? behaviourValue(id, judgement.behaviour) === othersData
      : judgement.kind === 'violation' && clause.othersData !== undefined && judgement.clause === undefined;
  if (!isSeen) return judgement;
  const sharing = sharingOf(lists, [id, ...operations.map((each) => each.id)]);
  if (sharing === 'private') {
    if (judgement.kind === 'violation') return { ...judgement, level: 'profile' };
    if (judgement.kind !== 'observed') return judgement;
    const expected = "nothing of another player's data, which the profile calls private";
    return { ...violation(expected, judgement.behaviour, judgement.evidence), level: 'profile' };
  }
  if (sharing === 'shared' && judgement.kind === 'violation' && clause.othersData === 'asked for')
    return pass(judgement.evidence, `${judgement.actual}, which the profile calls shared`);
  return judgement;
}

/** Adds to a refusal by another host what that host does with the session, which shows the remedy. */
function ofWall(
  judgement: Extract<Judgement, { readonly kind: 'inconclusive' }>,
  [host, ...others]: readonly Host[],
  { wall }: Context,
): Judgement {
  if (host === undefined || host === 'base' || others.length > 0) return judgement;
  return { ...judgement, detail: `${judgement.detail}; ${wall(host)}` };
}

/** Identifiers come from the main API: an unknown resource while that host is away is caused by the host. */
function withoutMainApi(judgement: Judgement, context: Context): Judgement {
  const never = context.unreachable('base');
  const why = never ?? context.lost('base');
  if (why === undefined) return judgement;
  const detail = `the main API gives its identifiers, and is away: ${why}`;
  return inconclusive(never === undefined ? 'target-lost' : 'unreachable', detail);
}

function oneLine(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return text
    .split('\n')
    .slice(0, 4)
    .map((line) => line.trim())
    .join(' ‖ ');
}
