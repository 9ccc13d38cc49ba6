// Everything that one run shares, put together once: client, players, context, journal.
import * as module from 'node:module';
import { type Client, createClient } from '../http/client.ts';
import { curl } from '../http/curl.ts';
import { createInFlight } from '../http/limits.ts';
import { createRedactor } from '../http/redact.ts';
import { createPlayers } from '../players/players.ts';
import { loginFault, whyNoSession } from '../players/session-discovery.ts';
import type { Check } from '../probe/check.ts';
import { changingIn, silentProfile } from '../target/profile.ts';
import { createContext, probesAtATime } from './create-context.ts';
import { openJournal } from './journal.ts';
import { type PerformOptions, perform } from './perform.ts';
import { rerunCommand, rerunSettings } from './rerun.ts';
import type { Result } from './result.ts';
import type { Progress, RunSettings } from './run.ts';

export interface Judge {
  /** Performs a check and notes its result in the journal. Never rejects. */
  readonly perform: (check: Check) => Promise<Result>;
  /** Performs a file's checks; returns while the last few still run, so that the next file need not wait for them. */
  readonly performFile: (checks: readonly Check[]) => Promise<void>;
  /** Runs the teardown of scenarios, and reports all findings beside the results of the checks. */
  readonly end: () => Promise<Progress>;
  /** Ends its connections; a process that ends need not ask for it. */
  readonly close: () => void;
}

const { flushCompileCache } = module as { flushCompileCache?: () => void };

const tellEveryMs = 100;

/** So many checks may still run when the next file is begun: enough to keep all connections busy. */
const lowWater = 200;

export interface Expected {
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
  const context = createContext({
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
  });
  const journal = settings.journal === undefined ? undefined : openJournal(settings.journal);
  const again = rerunSettings(target);
  const { strict, readOnly } = settings;
  const alike = { strict, readOnly, jwtAlg: target.jwtAlg, insecure: target.transport?.insecure };
  const options: PerformOptions = {
    strict,
    readOnly,
    omitted: target.profile?.omitted ?? silentProfile.omitted,
    changing: changingIn(target.profile ?? silentProfile),
    record: redactor.record,
    redact: redactor.text,
    rerun: (id) => rerunCommand(again, id, alike),
    curl: ({ request }) =>
      curl(
        request,
        {
          ...players?.secretsIn(request),
          env: target.profile?.variables ?? {},
          redact: redactor.text,
        },
        target.transport,
      ),
  };
  const counts = { done: 0, failed: 0 };
  let begun = 0;
  let waiting: { readonly condition: () => boolean; readonly go: () => void } | undefined;
  const until = (condition: () => boolean) =>
    new Promise<void>((go) => {
      waiting = { condition, go };
      if (condition()) go();
    });
  let leftBehind: readonly string[] | undefined;
  let progressAt = 0;
  const progress = (): Progress => ({
    ...counts,
    requests: client.requests(),
    incidents: context.incidents(),
    ...(leftBehind && { leftBehind, unmatched: context.unmatched(), latency: context.latency() }),
  });
  const tell = () => {
    progressAt = Date.now();
    expected?.onProgress(progress());
  };
  const judge: Judge = {
    close: () => client.close(),
    async end() {
      leftBehind = await context.flows.tearDown();
      journal?.flush();
      return progress();
    },
    async performFile(checks) {
      for (const check of checks) {
        begun += 1;
        void judge.perform(check);
      }
      const most = begun === expected?.planned.size ? 0 : lowWater;
      await until(() => begun - counts.done <= most);
    },
    async perform(check) {
      const result = await perform(check, context, options);
      journal?.write(result);
      if (result.outcome === 'fail' || result.outcome === 'harness-error') counts.failed += 1;
      const last = counts.done + 1 === expected?.planned.size;
      if (last) {
        await judge.end();
        // The worker is ended, not waited for: without this, the next run would compile the same code again.
        flushCompileCache?.();
      }
      counts.done += 1;
      if (last || result.outcome === 'fail' || Date.now() - progressAt > tellEveryMs) tell();
      if (waiting?.condition()) waiting.go();
      return result;
    },
  };
  return judge;
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
