// Polls: reads again and again until an answer shows what is waited for.
import { type Exchange, statusOf } from '../http/exchange.ts';
import { is2xx } from '../values/status.ts';
import { switchPoint } from '../values/switch-points.ts';
import { requireAnswer } from './why-refused.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export interface Polled {
  readonly holds: boolean;
  readonly last: Exchange;
  /** How long it took, in milliseconds; 0 where the first read showed it. */
  readonly waitedMs: number;
}

/** How long to poll, in ms: four times the longest lag of 500 ms that real servers show. The prover makes it 0. */
export const pollTimeoutMs = switchPoint(() => 2_000);
const firstPauseMs = 20;
const longestPauseMs = 250;

/** Whether a later read may differ: a target that lags answers 2xx without the value, 403, 404, 409 or 410 at first. */
const mayChange = (exchange: Exchange) => {
  const status = statusOf(exchange);
  return is2xx(status) || [403, 404, 409, 410].includes(status);
};

/**
 * Reads again and again, with growing pauses, until `holds` is true. The time limit counts the moment at which a read
 * is sent, since a slow answer shows the state at that moment. Polling also ends at an answer that waiting cannot
 * change: none, a server error, or a refusal of the request.
 */
export async function poll(
  read: () => Promise<Exchange>,
  holds: (exchange: Exchange) => boolean,
  withinMs: number = pollTimeoutMs(),
): Promise<Polled> {
  const begun = performance.now();
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const askedAt = performance.now() - begun;
    const last = await read();
    const passed = performance.now() - begun;
    if (holds(last))
      return { holds: true, last, waitedMs: pauseMs === firstPauseMs ? 0 : Math.round(passed) };
    if (!mayChange(last) || askedAt + pauseMs > withinMs)
      return { holds: false, last, waitedMs: Math.round(passed) };
    await pause(pauseMs);
  }
}

/** As `poll`; ends the step where the last read got no answer. */
export async function pollAnswered(...polling: Parameters<typeof poll>): Promise<Polled> {
  const polled = await poll(...polling);
  requireAnswer(polled.last);
  return polled;
}
