// Repeats calls that meet a server error and that no check judges: controls, sign-ins, the preflight's questions. An
// error that does not come again (`passingErrors` in results) shows nothing of what was asked, but that the host fails
// at random.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../http/client.ts';
import { type Exchange, statusOf } from '../http/exchange.ts';
import { isServerFault } from '../values/status.ts';

/** The transient errors of one host. Plain data. */
export interface PassingErrors {
  /** Calls that were made, without their repeats. */
  readonly calls: number;
  /** The calls that met a server error, and another answer when they were repeated. */
  readonly errors: number;
}

export interface ErrorRepeats {
  /**
   * Makes a call, and repeats it while the answer is a server error, at most three times. A host whose errors keep
   * coming back is believed: its later calls are not repeated.
   * @param host calls of one host share what is known of it
   */
  readonly past: (host: string, put: () => Promise<Exchange>) => Promise<Exchange>;
  readonly of: (host: string) => PassingErrors;
}

/** Pauses before each repeat, in ms. Where one call in three fails by chance, 1 in 81 fails in all four attempts. */
const pausesMs = [0, 50, 200] as const;
/** After this many calls in a row that kept their error through all repeats, no call of the host is repeated. */
const enoughKept = 3;

export function createErrorRepeats(
  pause: (ms: number) => Promise<unknown> = (ms) => sleep(ms),
): ErrorRepeats {
  const hosts = new Map<string, HostTally>();
  const tallyOf = (host: string) => {
    const known = hosts.get(host) ?? { calls: 0, errors: 0, keptInTurn: 0, repeated: Promise.resolve() };
    hosts.set(host, known);
    return known;
  };
  const repeat = async (
    known: HostTally,
    first: Exchange,
    put: () => Promise<Exchange>,
  ): Promise<Exchange> => {
    if (known.keptInTurn >= enoughKept) return first;
    for (const ms of pausesMs) {
      await pause(ms);
      const again = await put();
      if (again.response === undefined) return first;
      if (mayBeRandomFault(again)) continue;
      known.errors += 1;
      known.keptInTurn = 0;
      return again;
    }
    known.keptInTurn += 1;
    return first;
  };
  return {
    async past(host, put) {
      const known = tallyOf(host);
      known.calls += 1;
      const first = await put();
      if (!mayBeRandomFault(first)) return first;
      // Repeats run one at a time, so that a broken host is recognised after three, however many calls fail at once.
      const repeated = known.repeated.then(() => repeat(known, first, put));
      known.repeated = repeated.catch(() => {});
      return repeated;
    },
    of(host) {
      const { calls, errors } = tallyOf(host);
      return { calls, errors };
    },
  };
}

interface HostTally {
  calls: number;
  errors: number;
  keptInTurn: number;
  /** Ends with the latest repeat. */
  repeated: Promise<unknown>;
}

/** Whether a fault is worth repeating: 501 is a definite answer, and 503 announces itself as temporary. */
const mayBeRandomFault = (exchange: Exchange) =>
  isServerFault(statusOf(exchange)) && statusOf(exchange) !== 503;

/** The same client, which repeats calls that meet a server error: for calls that no check judges. */
export const withErrorRepeats = (client: Client, repeats = createErrorRepeats()): Client => ({
  ...client,
  send: (request, options) => repeats.past(new URL(request.url).origin, () => client.send(request, options)),
});
