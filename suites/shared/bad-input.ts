// Makes rules that send bad input, in a body, a path or a query, and expect anything but a server error.
import { areas } from '../../catalog/catalog.ts';
import { type Operation, placeholders } from '../../catalog/operation.ts';
import { storeParameters } from '../../catalog/request-path.ts';
import { type Ask, nobody, own } from '../../engine/http/ask.ts';
import type { Exchange } from '../../engine/http/exchange.ts';
import { inconclusive, type Judgement, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import { breakage } from '../../engine/probe/matchers/http-fields.ts';
import { answered, servedAnswer, whyRefusedPlain } from '../../engine/probe/prerequisites.ts';
import { askedPath } from './asked-path.ts';
import { askPastTemporary } from './repeats.ts';

/** The sender of bad input: never a player whose session or party others need, since a server may accept the input. */
export function fuzzerOf(operation: Operation): string {
  if (operation.ends === 'session') return 'session-ender';
  return operation.ends === 'party' ? 'leaver' : 'fuzzer';
}

/**
 * Sends the input, and passes whether the server accepts or refuses it. A server error or a reset connection is a
 * violation; one that may be temporary counts only when it repeats.
 * @param inUrl whether the bad input is in the URL, where a firewall may reset the connection because of its text
 */
export async function expectNoServerError(
  operation: Operation,
  context: Context,
  ask: Ask,
  inUrl = false,
): Promise<Judgement> {
  const gate = await servedAnswer(operation, context);
  const already = breakage(gate.exchange);
  if (already !== undefined)
    return inconclusive(
      'prerequisite-failed',
      `its plain call is ${already} too, so this says nothing about the input`,
      gate.exchange,
    );
  const exchange = await askPastTemporary(context, operation, ask);
  const broke = breakage(exchange);
  if (
    broke !== undefined &&
    inUrl &&
    exchange.error &&
    (await brokenElsewhere(operation, context, ask, exchange))
  )
    return inconclusive(
      'reset',
      'the connection is broken off on unrouted paths as well: perhaps by a firewall',
      exchange,
    );
  if (broke !== undefined) {
    // An earlier input of the same player may have been kept, and break each of their calls.
    const guard =
      ask.as === nobody ? undefined : breakage(await context.ask(operation, { as: ask.as ?? own, nth: 2 }));
    if (guard !== undefined)
      return inconclusive(
        'prerequisite-failed',
        `the plain call of the player who sends it is ${guard} too, so this says nothing about the input`,
        exchange,
      );
    return violation('taken or refused, but no server error', broke, exchange);
  }
  if (exchange.error?.partial)
    return pass(exchange, `answered ${exchange.error.partial.status}, then closed`);
  const answer = answered(exchange);
  if (answer.response.status === 401 && operation !== areas.auth.login)
    return unseen(operation, context, gate.response.status);
  return pass(exchange, `answered ${answer.response.status}`);
}

/** Whether the same text breaks the connection on an unrouted path too; then the operation is not the cause. */
async function brokenElsewhere(
  operation: Operation,
  context: Context,
  ask: Ask,
  broken: Exchange,
): Promise<boolean> {
  const last = askedPath(broken, operation, context).replace(/^[^?]*\//, '');
  const there = await context.ask(operation, {
    ...(ask.as !== undefined && { as: ask.as }),
    path: `/assayUnrouted/${last}`,
  });
  return there.error?.kind === 'reset' && there.error.partial === undefined;
}

/** The judgement of a 401: the input did not reach the code that it could break. */
async function unseen(operation: Operation, context: Context, plainStatus: number): Promise<Judgement> {
  const detail = 'answered 401 before the input was read';
  return inconclusive(
    plainStatus === 401 ? await whyRefusedPlain(operation, 401, context) : 'needs-players',
    detail,
  );
}

/** @param input what is sent, in words */
export const noServerErrorRule = (name: string, input: string, judge: Rule['judge']): Rule => ({
  name,
  title: `${input} causes no server error`,
  clause: 'sense.no-server-error',
  judge,
});

// Bodies that no client sends on purpose.

export const takesBody = ({ method }: Operation): boolean => method === 'POST' || method === 'PUT';

/** A rule that sends this body. */
export const badBody = (name: string, input: string, ask: Ask): Rule => ({
  ...noServerErrorRule(name, input, (operation, context) =>
    expectNoServerError(operation, context, { as: fuzzerOf(operation), ...ask }),
  ),
  changes: true,
});

// Texts that a server may not expect as a value.

/** Longer than any name, but within a request line that servers should accept (RFC 9112, section 3: 8,000 bytes). */
export const longValue = 'x'.repeat(2_000);

/** Characters of two, three and four bytes in UTF-8, and a letter of two code points. */
export const unicode = 'Zoë-名前-🎲-e\u0301';

/** Every character with a special meaning in a URL, a slash among them. */
export const punctuation = 'a/b 100% +&=?#;"\'<>';

/** Percent-encoding that no UTF-8 text has, as it goes on the wire. */
export const undecodable = '%E0%A4%A';

// Values in the path. Only the last parameter is odd: the real ones before it let the request reach it.

/** The last parameter of a path; undefined where it has none. */
export const lastParameter = ({ path }: Operation): string | undefined =>
  placeholders(path).findLast((name) => !storeParameters.has(name));

/** A rule that puts this value in the place of the last parameter. */
export const badPath = (name: string, input: string, value: string): Rule =>
  noServerErrorRule(name, input, (operation, context) =>
    expectNoServerError(
      operation,
      context,
      { as: fuzzerOf(operation), params: { [lastParameter(operation) ?? '']: value } },
      true,
    ),
  );

// Values in the query.

const isFree = (value: string) => value === '<JWT>' || placeholders(value).length > 0;

/** The query names whose value the caller chooses; where there are none, those of fixed value. */
export function oddNames({ query }: Operation): string[] {
  const names = Object.keys(query);
  const free = names.filter((name) => isFree(query[name] ?? ''));
  return free.length > 0 ? free : names;
}

const parameterOf = ({ query }: Operation, name: string) =>
  placeholders(query[name] ?? '')[0] ?? name.replace('[]', '');

/** Sends refused logins without a session: after a 401, a player's session would be checked. */
export const callerOf = (operation: Operation) =>
  operation === areas.auth.login ? nobody : fuzzerOf(operation);

const askingQuery = (name: string, input: string, askOf: (operation: Operation) => Ask): Rule =>
  noServerErrorRule(name, input, (operation, context) =>
    expectNoServerError(operation, context, { as: callerOf(operation), ...askOf(operation) }, true),
  );

/** A rule that gives all of an operation's query names this value, in one request. */
export const badQuery = (name: string, input: string, value: string): Rule =>
  askingQuery(name, input, (operation) => ({
    params: Object.fromEntries(oddNames(operation).map((each) => [parameterOf(operation, each), value])),
  }));

/** A rule that repeats the query names after the query, with this value, which is not encoded. */
export const queryOnceMore = (name: string, input: string, value: string): Rule =>
  askingQuery(name, input, (operation) => ({
    extraQuery: oddNames(operation)
      .map((each) => `${each.replace('[]', '%5B%5D')}=${value}`)
      .join('&'),
  }));
