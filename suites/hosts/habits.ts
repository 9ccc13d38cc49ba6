// Observes habits of a host that clients come to rely on. Open: nothing here fails.
import { clauseById } from '../../catalog/clauses/clauses.ts';
import type { Operation } from '../../catalog/operation.ts';
import { sameOutline } from '../../engine/compare/content.ts';
import type { Ask } from '../../engine/http/ask.ts';
import { type Exchange, header, membersOf, statusOf } from '../../engine/http/exchange.ts';
import { observed } from '../../engine/judgement.ts';
import { type Check, check } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import { answered, servedAnswer } from '../../engine/probe/prerequisites.ts';
import { askedPath } from '../rules/asked-path.ts';

interface Habit {
  readonly rule: string;
  readonly title: string;
  readonly ask: (operation: Operation, plain: Exchange, context: Context) => Ask;
  readonly describe: (answer: Exchange, plain: Exchange) => string;
}

const comparedTo = (answer: Exchange, plain: Exchange, same: string): string =>
  statusOf(answer) === statusOf(plain) && sameOutline(answer, plain)
    ? `${same} (${statusOf(answer)})`
    : `answered ${statusOf(answer)}`;

/** The path alone changed, its query kept. */
const withPath =
  (change: (path: string) => string): Habit['ask'] =>
  (operation, plain, context) => {
    const [path = '', query] = askedPath(plain, operation, context).split('?', 2);
    return { path: query === undefined ? change(path) : `${change(path)}?${query}` };
  };

/** Letters turned round in the last segment, percent-encoding left as it is. */
const turnCase = (path: string) => {
  const last = path.lastIndexOf('/') + 1;
  const turned = path
    .slice(last)
    .replace(/%..|[a-z]|[A-Z]/g, (at) =>
      at.startsWith('%') ? at : at === at.toLowerCase() ? at.toUpperCase() : at.toLowerCase(),
    );
  return path.slice(0, last) + turned;
};

const table: readonly Habit[] = [
  {
    rule: 'host-case',
    title: 'how the host treats another case in a path',
    ask: withPath(turnCase),
    describe: (answer, plain) => `case of paths: ${comparedTo(answer, plain, 'ignored')}`,
  },
  {
    rule: 'host-trailing-slash',
    title: 'how the host treats a trailing slash',
    ask: withPath((path) => `${path}/`),
    describe: (answer, plain) => `trailing slash: ${comparedTo(answer, plain, 'ignored')}`,
  },
  {
    rule: 'host-options',
    title: 'how the host answers OPTIONS',
    ask: () => ({ method: 'OPTIONS', body: null }),
    describe: (answer) => `OPTIONS: answered ${statusOf(answer)}, ${allowOf(answer)}`,
  },
  {
    rule: 'host-unknown-query',
    title: 'how the host treats a query parameter it does not know',
    ask: () => ({ extraQuery: 'assayUnknown=1' }),
    describe: (answer, plain) => `unknown query parameter: ${comparedTo(answer, plain, 'ignored')}`,
  },
];

const allowOf = (answer: Exchange) => {
  const allow = answer.response && header(answer.response, 'allow');
  if (allow === undefined) return 'without Allow';
  return `Allow: ${membersOf(allow).sort().join(', ')}`;
};

export const habits = (operation: Operation): Check[] =>
  table.map(({ rule, title, ask, describe }) =>
    check(operation, rule, clauseById('open.http'), title, async (context) => {
      const plain = await servedAnswer(operation, context);
      const answer = answered(await context.ask(operation, ask(operation, plain.exchange, context)));
      return observed(describe(answer.exchange, plain.exchange), answer.exchange);
    }),
  );

const tooLarge = `{"assay":"${'x'.repeat(5 * 2 ** 20)}"}`;

/** Whether an answer arrives before the hang-up depends on timing: only a host that always hangs up chose to. */
const mostHangUps = 4;

/**
 * A body of 5 MiB, once per host that takes bodies. A host that answers and hangs up while it is still being sent
 * has answered; one that only hangs up shows that as its behaviour.
 * @param filedUnder the operation the host's findings are filed under
 * @param taker the operation that is sent the body
 */
export const overLarge = (filedUnder: Operation, taker: Operation): Check =>
  check(
    filedUnder,
    'host-over-large-body',
    clauseById('open.http'),
    'how the host treats a body of 5 MiB',
    async (context) => {
      await servedAnswer(taker, context);
      for (let nth = 1; nth <= mostHangUps; nth += 1) {
        const exchange = await context.ask(taker, { as: 'fuzzer', body: tooLarge, nth });
        const early = exchange.error?.partial?.status;
        if (early !== undefined) return observed(`a body of 5 MiB: answered ${early}`, exchange);
        if (exchange.error?.kind === 'reset') continue;
        const answer = answered(exchange);
        return observed(`a body of 5 MiB: answered ${answer.response.status}`, exchange);
      }
      return observed('a body of 5 MiB: the connection is closed');
    },
    { changes: true },
  );
