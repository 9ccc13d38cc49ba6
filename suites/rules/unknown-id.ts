// Records how a call answers for an id that nobody has, since the document shows no errors. Two answers warn: an error
// with a success status, on a host that answers its other errors with 4xx; and a party or match that is shown where the
// other calls refuse such an id.

import { areas, catalog } from '../../catalog/catalog.ts';
import { isGet, type Operation } from '../../catalog/operation.ts';
import { ignoreStop } from '../../engine/flow/why-refused.ts';
import { type Exchange, json, statusOf } from '../../engine/http/exchange.ts';
import { observed, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import { answered, servedAnswer } from '../../engine/probe/prerequisites.ts';
import { noSuchId } from '../../engine/values/nonexistent.ts';
import { askedPathAlone } from '../shared/asked-path.ts';
import { fuzzerOf, lastParameter } from '../shared/bad-input.ts';
import { isHabit } from '../shared/habit.ts';

/** Operations that must refuse with 4xx for each that does not. */
const perException = 4;

export const unknownId: Rule = {
  name: 'unknown-id',
  title: 'how it answers for an id that nobody has',
  clause: 'open.errors',
  async judge(operation, context) {
    const unknown = answered(await withUnknownId(operation, context));
    const { status } = unknown.response;
    // A 200 that is not JSON may be a general not-found page.
    const isShown = status === 200 && json(unknown.response).ok;
    if (isShown && isResource(operation) && (await othersRefuse(operation, context)))
      return {
        ...violation('a refusal, as of the other calls with such an id', `${status}`, unknown.exchange),
        level: 'inferred',
        clause: 'sense.unknown-id',
        seenIn: ['#unknown-id'],
      };
    if (!unknown.response.refuses) return observed(String(status), unknown.exchange);
    const { asRefusal, asSuccess } = await context.refusalStatuses(operation.host);
    if (!isHabit(asRefusal, asSuccess, perException)) return observed(String(status), unknown.exchange);
    return {
      ...violation(
        `a 4xx, as on ${asRefusal} of the ${asRefusal + asSuccess} operations of this host that report an error in the body`,
        `${status} with an error`,
        unknown.exchange,
      ),
      level: 'inferred',
      clause: 'sense.refusal-status',
      // These checks make the calls that show how the others refuse.
      seenIn: ['#answers', '#unknown-id', '#malformed-body', '#private'],
    };
  },
};

const { match, party } = areas;

/** Writes that change nothing for an id that nobody has. */
const harmlessWrites: readonly Operation[] = [
  match.quit,
  party.update,
  party.delete,
  party.invite,
  party.setPlayerState,
];

/** Whether an operation is called with an id that nobody has: it has an id in its path, and then changes nothing. */
export const takesUnknownId = (operation: Operation): boolean =>
  harmlessWrites.includes(operation) ||
  (isGet(operation) &&
    operation.host === 'base' &&
    Object.keys(operation.identifiers).some((name) => operation.path.includes(`{${name}}`)));

/** Calls the operation with an id of the same form that nobody has. */
async function withUnknownId(operation: Operation, context: Context): Promise<Exchange> {
  const { exchange } = await servedAnswer(operation, context);
  const name = lastParameter(operation) ?? '';
  const at = operation.path.split('/').indexOf(`{${name}}`);
  const asked = askedPathAlone(exchange, operation, context).split('/')[at] ?? '';
  const params = { [name]: noSuchId(decodeURIComponent(asked)) };
  return context.ask(operation, { params, ...(!isGet(operation) && { as: fuzzerOf(operation) }) });
}

/** Whether the answer is the resource that the id names, so that there is nothing to show without it. */
const isResource = (operation: Operation) => operation === match.get || operation === party.get;

/** Whether nearly all other calls refuse such an id. Their own checks make the same calls, so none is added. */
async function othersRefuse(operation: Operation, context: Context): Promise<boolean> {
  const others = catalog.filter((other) => other !== operation && takesUnknownId(other));
  const statuses = await Promise.all(
    others.map(async (other) => {
      const answer = await withUnknownId(other, context).catch(ignoreStop);
      return answer ? statusOf(answer) : 0;
    }),
  );
  const refused = statuses.filter((status) => status >= 400 && status < 500).length;
  return (
    refused >= fewestRefused && refused >= perException * statuses.filter((status) => status === 200).length
  );
}

const fewestRefused = 4;
