// Polls a condition for a bounded time, since targets may be eventually consistent.
import { type Exchange, statusOf } from '../http/exchange.ts';
import { is2xx } from '../values/status.ts';
import { switchPoint } from '../values/switch-points.ts';

export interface Polled {
  readonly holds: boolean;
  readonly last: Exchange;
  /** How long it took, in milliseconds; 0 where the first read showed it. */
  readonly waitedMs: number;
}

/** 500 ms is seen in the wild; four times that leaves no doubt. */
export const retryBudgetMs = switchPoint(() => 2_000);
const firstPauseMs = 20;
const longestPauseMs = 250;

/** Answers of an eventually consistent target meanwhile: without the value, not found, or not allowed yet. */
const mayChange = (exchange: Exchange) => {
  const status = statusOf(exchange);
  return is2xx(status) || [403, 404, 409, 410].includes(status);
};

/**
 * Looks again and again, with growing pauses, until it holds, or until a look that was asked for near the end of the time
 * has been answered: what was long on its way tells of the moment it was asked for.
 * A look that no waiting mends ends it: no answer, a server error, a refusal of what was sent.
 */
export async function poll(
  look: () => Promise<Exchange>,
  holds: (exchange: Exchange) => boolean,
  withinMs: number = retryBudgetMs(),
): Promise<Polled> {
  const begun = performance.now();
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
    const askedAt = performance.now() - begun;
    const last = await look();
    const passed = performance.now() - begun;
    if (holds(last)) return { holds: true, last, waitedMs: pause === firstPauseMs ? 0 : Math.round(passed) };
    if (!mayChange(last) || askedAt + pause > withinMs)
      return { holds: false, last, waitedMs: Math.round(passed) };
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
