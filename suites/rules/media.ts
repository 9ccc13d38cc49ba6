// Checks that a body labelled JSON is JSON, whatever the status.
import type { Response } from '../../engine/http/exchange.ts';
import { notTriggered, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { labelledJson, notJson } from '../../engine/probe/matchers/json.ts';
import { servedAnswer } from '../../engine/probe/prerequisites.ts';
import { is3xx } from '../../engine/values/status.ts';
import { switchPoint } from '../../engine/values/switch-points.ts';

/** 204, 304 and redirects have no content that a client would parse. */
const hasContent = ({ status }: Response) => status !== 204 && status !== 205 && !is3xx(status);

/** A body that is not labelled JSON need not be JSON. */
export const claimsJson = switchPoint(labelledJson);

export const media: Rule = {
  name: 'media',
  title: 'a body labelled JSON is one JSON text',
  clause: 'rfc8259.text',
  async judge(operation, context) {
    const { exchange, response } = await servedAnswer(operation, context);
    if (!hasContent(response)) return notTriggered(`${response.status} has no content`);
    const found = notJson(response);
    if (!found) return pass(exchange);
    return claimsJson(response)
      ? violation(found.expected, found.actual, exchange)
      : notTriggered('the body is not labelled JSON');
  },
};
