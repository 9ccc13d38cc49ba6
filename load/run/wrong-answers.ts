// Counts wrong and missing answers by operation and kind.
import type { FirstWrong } from '../k6/tally.ts';

export interface WrongAnswers {
  /** Id of the operation. */
  readonly operation: string;
  /** The status in digits (`404`, `5xx`), or in words what was wrong: `timeout`, `wrong body`. */
  readonly answer: string;
  readonly count: number;
  /** When the first of them came, in s since the load began, and how its answer begins. */
  readonly since?: number;
  readonly sample?: Pick<FirstWrong, 'status' | 'body' | 'request'>;
}

/** More rows than these are counted in a last one. */
const mostNamed = 40;
const mostInText = 4;
const others = 'others';

/** `status 404` is `404`. */
export const answerOf = (kind: string): string =>
  kind === 'body' ? 'wrong body' : kind.startsWith('status ') ? kind.slice('status '.length) : kind;

/** One row for each operation and answer, the most frequent first; bounded. */
export function wrongAnswers(all: Iterable<WrongAnswers>): WrongAnswers[] {
  const rows = new Map<string, WrongAnswers>();
  for (const row of all) {
    const { operation, answer, count } = row;
    if (count <= 0) continue;
    const key = `${operation} ${answer}`;
    rows.set(key, { operation, answer, count: count + (rows.get(key)?.count ?? 0) });
  }
  const sorted = [...rows.values()].sort(
    (a, b) =>
      Number(a.operation === others) - Number(b.operation === others) ||
      b.count - a.count ||
      (`${a.operation} ${a.answer}` < `${b.operation} ${b.answer}` ? -1 : 1),
  );
  if (sorted.length <= mostNamed) return sorted;
  const rest = sum(sorted.slice(mostNamed - 1));
  return [...sorted.slice(0, mostNamed - 1), { operation: others, answer: others, count: rest }];
}

/** `queue.cancel 404 x 80, party.create 500 x 4`. */
export function wrongText(rows: readonly WrongAnswers[]): string {
  const shown = rows.slice(0, mostInText).map(({ operation, answer, count }) => {
    return operation === others ? `${count} others` : `${operation} ${answer} x ${count}`;
  });
  const rest = sum(rows.slice(mostInText));
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
}

/** How many answers the rows count. */
export const sum = (rows: readonly WrongAnswers[]) => rows.reduce((all, { count }) => all + count, 0);
