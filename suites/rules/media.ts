// Checks that a body labelled JSON is JSON, whatever the status, and that JSON is labelled as elsewhere on its host.
import type { Operation } from '../../catalog/operation.ts';
import { type Exchange, jsonValue, mediaType, type Response } from '../../engine/http/exchange.ts';
import { type Judgement, notTriggered, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import { labelledJson, notJson } from '../../engine/probe/matchers/json.ts';
import { servedAnswer } from '../../engine/probe/prerequisites.ts';
import { isNested } from '../../engine/values/json-walk.ts';
import { is2xx, is3xx } from '../../engine/values/status.ts';
import { switchPoint } from '../../engine/values/switch-points.ts';
import { isHabit } from '../shared/habit.ts';

/** 204, 304 and redirects have no content that a client would parse. */
const hasContent = ({ status }: Response) => status !== 204 && status !== 205 && !is3xx(status);

/**
 * Whether a body claims to be JSON; one that is not labelled JSON need not be. A switch point of its own, so that the
 * prover can remove this guard without a change to other uses of `labelledJson`.
 */
export const claimsJson = switchPoint(labelledJson);

export const media: Rule = {
  name: 'media',
  title: 'a body labelled JSON is one JSON text',
  clause: 'rfc8259.text',
  async judge(operation, context) {
    const { exchange, response } = await servedAnswer(operation, context);
    if (!hasContent(response)) return notTriggered(`${response.status} has no content`);
    const found = notJson(response);
    if (!found) return (await mislabelled(operation, exchange, context)) ?? pass(exchange);
    return claimsJson(response)
      ? violation(found.expected, found.actual, exchange)
      : notTriggered('the body is not labelled JSON');
  },
};

/** Operations that must label JSON as JSON for each that does not. */
const perException = 2;

/** JSON sent as text/html, or with a media type that the host's other JSON answers do not have. */
async function mislabelled(
  operation: Operation,
  exchange: Exchange,
  context: Context,
): Promise<Judgement | undefined> {
  const { response } = exchange;
  // The document names JSON, or the target named a file of JSON.
  const isNamedJson = operation.media === 'json' || /\.json(?:\?|$)/i.test(exchange.request.url);
  if (!isNamedJson || response === undefined || !is2xx(response.status)) return undefined;
  const type = mediaType(response);
  if (type === undefined || claimsJson(response) || !isNested(jsonValue(exchange))) return undefined;
  const wrong = (expected: string) =>
    ({
      ...violation(expected, type, exchange),
      level: 'inferred',
      clause: 'sense.json-label',
      cause: `media: ${type}`,
    }) as const;
  if (type === 'text/html') return wrong('a label that says JSON');
  const { asJson, otherwise, right } = await context.jsonLabels(operation.host);
  if (!isHabit(asJson, otherwise, perException)) return undefined;
  return {
    ...wrong(
      `a label that says JSON, as on ${asJson} of the ${asJson + otherwise} operations of this host that answer with JSON`,
    ),
    // These checks make the calls that show the others' labels.
    seenIn: ['#media'],
    ...(right && { control: right }),
  };
}
