// A call that is taken and never answered, while its host answers others.
import { catalog } from '../../catalog/catalog.ts';
import type { Host, Operation } from '../../catalog/operation.ts';
import { isUnanswered, silenceOf } from '../../engine/compare/with-controls.ts';
import type { Exchange } from '../../engine/http/exchange.ts';
import { inconclusive, type Judgement, warning } from '../../engine/judgement.ts';
import type { Context } from '../../engine/probe/context.ts';

/** Who waited less accuses nobody of never answering, whatever the deadline of the run. */
const leastMs = 4_000;
/** An answer takes so many times as long as others of its host only where it does not come. */
const farBeyond = 4;

/**
 * Asks once more what was not answered, after a path that nobody serves: two deadlines that pass while the host answers
 * are no coincidence. One that is not far beyond what others took may honestly pass.
 */
export async function unanswered(
  operation: Operation,
  context: Context,
  first: Exchange,
): Promise<Judgement> {
  const beside = await context.ask(operation, { path: '/assayUnrouted' });
  const again = silenceOf(beside) ? undefined : await context.ask(operation, { nth: 2 });
  const gone = context.lost(operation.host);
  if (gone !== undefined) return inconclusive('target-lost', gone, first);
  const message = first.error?.message ?? 'no answer';
  if (again === undefined || !isUnanswered(again)) {
    const then = again?.response ? `; answered ${again.response.status} when asked again` : '';
    return inconclusive('timeout', `${message}${then}`, first);
  }
  // Where many do not answer each is given less time: what others waited for this operation counts as well.
  const waitedMs = Math.max(first.durationMs, again.durationMs, context.inVain(operation));
  const usualMs = Math.max(beside.durationMs, usualOf(operation.host, context));
  if (waitedMs < Math.max(leastMs, farBeyond * usualMs)) return inconclusive('timeout', message, first);
  // No sentence bounds the time, and a long poll may hold its answer back for longer than anybody waits here.
  return warning(
    'an answer with success (2xx)',
    `no answer in ${inSeconds(waitedMs)}, nor in ${inSeconds(again.durationMs)} when asked again (--timeout waits longer)`,
    first,
  );
}

const inSeconds = (ms: number) => `${Math.floor(ms / 1_000)} s`;

/** The time in ms within which three in four of the host's operations always answered; 0 where none has. */
function usualOf(host: Host, { latency }: Context): number {
  const figures = latency();
  const longest = catalog
    .filter((row) => row.host === host)
    .flatMap(({ id }) => figures[id]?.[4] ?? [])
    .sort((a, b) => a - b);
  return longest[Math.ceil(0.75 * longest.length) - 1] ?? 0;
}
