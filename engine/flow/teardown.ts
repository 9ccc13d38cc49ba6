// Undoes what flows changed, and reports what could not be undone apart from every verdict.
import type { Operation } from '../../catalog/operation.ts';
import { type Exchange, statusOf } from '../http/exchange.ts';
import type { CleanUp } from '../probe/context.ts';
import { is2xx } from '../values/status.ts';

const withinMs = 5_000;
const isDone = (status: number) => is2xx(status);
/** Done, or there is nothing there any more. */
const isTornDown = (status: number) => isDone(status) || [404, 409, 410].includes(status);
/** Refused, or held back; a 404 may also be that of an operation that is not served. A host that is silent is left alone. */
const needsAnother = ({ response, held }: Exchange) =>
  response === undefined ? held === true : response.status === 404 || !isTornDown(response.status);

/**
 * Scenarios side by side, each from its last change to its first, for five seconds at most.
 * @returns a line for each that was not put back, sorted
 */
export async function tearDown(cleanUps: readonly CleanUp[]): Promise<string[]> {
  const until = Date.now() + withinMs;
  const left: string[] = [];
  const scenarios = Map.groupBy(cleanUps, ({ scenario }) => scenario);
  const tearDownScenario = async (scenario: string, own: readonly CleanUp[]) => {
    for (const { operation, put, instead } of own) {
      const exchange = Date.now() < until ? await put() : undefined;
      const status = exchange ? statusOf(exchange) : 0;
      const other = exchange && needsAnother(exchange) ? await instead?.() : undefined;
      if (isTornDown(status) || (other && isDone(statusOf(other)))) continue;
      left.push(`${scenario}: ${howEnded(operation, exchange)}`);
    }
  };
  await Promise.all([...scenarios].map(([scenario, own]) => tearDownScenario(scenario, own)));
  return left.sort();
}

function howEnded({ id }: Operation, exchange: Exchange | undefined): string {
  if (exchange === undefined) return `${id} not asked in time`;
  const { error, held } = exchange;
  // A call that was held back did not fail: its message says why it was not sent.
  if (held && error) return error.message;
  return `${id} ${error?.kind ?? `answered ${statusOf(exchange)}`}`;
}
