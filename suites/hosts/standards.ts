// Checks what HTTP requires of any server, once per host.
import { areas } from '../../catalog/catalog.ts';
import { clauseById } from '../../catalog/clauses/clauses.ts';
import type { Operation } from '../../catalog/operation.ts';
import { reasonOf } from '../../engine/compare/controls.ts';
import { type Ask, nobody } from '../../engine/http/ask.ts';
import { header } from '../../engine/http/exchange.ts';
import { inconclusive, type Judgement, notTriggered, pass, violation } from '../../engine/judgement.ts';
import { type Check, check } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import { answered, servedAnswer } from '../../engine/probe/prerequisites.ts';
import { is5xx } from '../../engine/values/status.ts';
import { otherMethod } from '../rules/other-method.ts';

/** RFC 9110, section 6.6.1: MUST in 2xx, 3xx and 4xx where the server has a clock. */
async function date(operation: Operation, context: Context): Promise<Judgement> {
  const plain = await servedAnswer(operation, context);
  const { exchange, response } = plain;
  if (is5xx(response.status)) return notTriggered(`Date may be missing from a ${response.status}`);
  const sent = header(response, 'date');
  if (sent === undefined) return violation('a Date field', 'none', exchange);
  return Number.isNaN(Date.parse(sent))
    ? violation('a Date field that is a date', JSON.stringify(sent), exchange)
    : pass(exchange);
}

/** The call that the rule `other-method` makes anyway; where it is not answered 405, one more. */
async function allow(operation: Operation, context: Context): Promise<Judgement> {
  await servedAnswer(operation, context);
  const more: Ask =
    operation.method === 'GET'
      ? { as: 'fuzzer', method: 'DELETE' }
      : { as: 'fuzzer', method: 'PATCH', body: '{}' };
  for (const ask of [otherMethod(operation), more]) {
    const other = answered(await context.ask(operation, ask));
    if (other.response.status !== 405) continue;
    const allowed = header(other.response, 'allow');
    return allowed === undefined
      ? violation('405 with the allowed methods in Allow', '405 without Allow', other.exchange)
      : pass(other.exchange, `Allow: ${allowed}`);
  }
  return notTriggered('no 405 was seen');
}

/** Operations of the main API that most servers ask a credential for; their anonymous answers are asked by rules anyway. */
const guarded: readonly Operation[] = [areas.me.location, areas.general.currencies, areas.players.banStatus];

async function challenge(operation: Operation, context: Context): Promise<Judgement> {
  for (const row of operation.host === 'base' ? guarded : [operation]) {
    const { response, ...exchange } = await context.ask(
      row,
      context.takesSession(row.host) ? { as: nobody } : {},
    );
    if (response?.status !== 401) continue;
    const sent = header(response, 'www-authenticate');
    return sent === undefined
      ? violation('401 with a WWW-Authenticate challenge', '401 without one', { ...exchange, response })
      : pass({ ...exchange, response }, sent);
  }
  return notTriggered('no 401 was seen');
}

const afterTheEnd = /^content-after-(head|no-content)\b/;

/** Read without a parser in between, which would forgive. */
const wire =
  (isMine: (finding: string) => boolean, expected: string) =>
  async (operation: Operation, context: Context): Promise<Judgement> => {
    await servedAnswer(operation, context);
    const { findings, failure } = await context.rawProbe(operation.host);
    const found = findings.filter(isMine);
    if (found.length > 0) return violation(expected, found.join('; '));
    return failure === undefined
      ? pass()
      : inconclusive(
          reasonOf[failure.kind],
          `the probe without a parser failed: ${failure.kind}: ${failure.why}`,
        );
  };

type Standard = readonly [rule: string, clause: string, title: string, judge: typeof date, changes: boolean];

const table: readonly Standard[] = [
  ['host-date', 'rfc9110.date', 'the host sends Date', date, false],
  ['host-allow', 'rfc9110.allow', 'the host lists the allowed methods in a 405', allow, true],
  ['host-challenge', 'rfc9110.challenge', 'the host names in a 401 how to sign in', challenge, false],
  [
    'host-framing',
    'rfc9112.framing',
    "the host's messages end where they state",
    wire((finding) => !afterTheEnd.test(finding), 'messages framed as RFC 9112 says'),
    false,
  ],
  [
    'host-no-content',
    'rfc9110.no-content',
    'the host sends nothing after an answer without content',
    wire((finding) => afterTheEnd.test(finding), 'no bytes after HEAD, 204 or 304'),
    false,
  ],
];

export const standards = (operation: Operation): Check[] =>
  table.map(([rule, clause, title, judge, changes]) =>
    check(operation, rule, clauseById(clause), title, (context) => judge(operation, context), { changes }),
  );
