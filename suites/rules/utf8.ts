// Checks that JSON, and text labelled UTF-8, is UTF-8, whatever the status.
import { parametersOf } from '../../catalog/operation.ts';
import { header, isSuccess, type Response } from '../../engine/http/exchange.ts';
import { notTriggered, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { holdsJson, notUtf8 } from '../../engine/probe/matchers/json.ts';
import { servedAnswer } from '../../engine/probe/prerequisites.ts';

const saysUtf8 = (response: Response) =>
  /;\s*charset\s*=\s*"?utf-?8\b/i.test(header(response, 'content-type') ?? '');

const inLanguage: ReadonlySet<string> = new Set(['language', 'locale']);
/** A language whose texts have letters beyond ASCII, which English texts may lack. */
const accented = 'fr';

export const utf8: Rule = {
  name: 'utf8',
  title: 'JSON and text labelled UTF-8 are UTF-8',
  clause: 'rfc8259.utf8',
  async judge(operation, context) {
    const { exchange, response } = await servedAnswer(operation, context);
    if (response.body.length === 0) return notTriggered('the body is empty');
    if (!saysUtf8(response) && !holdsJson(response))
      return notTriggered('the body is neither JSON nor labelled UTF-8');
    const found = notUtf8(response);
    if (found) return violation(found.expected, found.actual, exchange);
    const name = parametersOf(operation).find((each) => inLanguage.has(each));
    if (name === undefined) return pass(exchange);
    const other = await context.ask(operation, { params: { [name]: accented } });
    const inOther = other.response && isSuccess(other) ? notUtf8(other.response) : undefined;
    return inOther ? violation(inOther.expected, inOther.actual, other) : pass(exchange);
  },
};
