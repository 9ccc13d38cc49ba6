// Records the shape of an operation's answer. Payloads are not documented, so nothing here fails.
import { isGet } from '../../catalog/operation.ts';
import { json, mediaType, type Response } from '../../engine/http/exchange.ts';
import { inconclusive, observed } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { labelledJson } from '../../engine/probe/matchers/json.ts';
import { answered, servedAnswer, whyRefusedPlain } from '../../engine/probe/prerequisites.ts';
import { skeletonOf } from '../../engine/values/json-shape.ts';
import { is5xx } from '../../engine/values/status.ts';
import { quiet } from '../shared/quiet-reads.ts';

export const shape: Rule = {
  name: 'shape',
  title: 'which status and shape its answer has',
  clause: 'open.shape',
  async judge(operation, context) {
    const plain = await servedAnswer(operation, context);
    const reads = isGet(operation) || operation.effect === 'read';
    const { exchange, response } = reads ? answered(await context.ask(operation, quiet(operation))) : plain;
    // A 401 or 403 hides the answer, and no server chooses to answer 5xx.
    const isHidden = response.status === 401 || response.status === 403 || is5xx(response.status);
    if (!isHidden) return observed(shapeOf(response), exchange);
    return inconclusive(
      await whyRefusedPlain(operation, response.status, context),
      `its plain call is answered ${response.status}`,
      exchange,
    );
  },
};

/** `200 {"id":"string"}`, `204 empty`, `200 application/octet-stream`, `200 {"id":"string"} as text/html`. */
function shapeOf(response: Response): string {
  const { status } = response;
  if (response.body.length === 0) return `${status} empty`;
  const body = json(response);
  const type = mediaType(response);
  if (!body.ok) return `${status} ${type ?? 'no type'}`;
  const label = type === undefined || labelledJson(response) ? '' : ` as ${type}`;
  return `${status} ${JSON.stringify(skeletonOf(body.value))}${label}`;
}
