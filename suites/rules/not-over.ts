// Checks that what an answer gives or offers now has not ended already, by its own words.
import { answerLeaves, header, isSuccess } from '../../engine/http/exchange.ts';
import { notTriggered, pass, warning } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { servedAnswer } from '../../engine/probe/prerequisites.ts';
import { instantOf } from '../../engine/values/instant.ts';
import { letters } from '../../engine/values/text.ts';

export const notOver: Rule = {
  name: 'not-over',
  title: 'gives or offers nothing that is over by its own words',
  clause: 'sense.not-over',
  async judge(operation, context) {
    const { exchange, response } = await servedAnswer(operation, context);
    const now = Date.parse(header(response, 'date') ?? '');
    if (!isSuccess(exchange) || Number.isNaN(now)) return notTriggered('it is no success with a Date');
    const ends = answerLeaves(exchange).flatMap(({ name, value }) => {
      const at = ending.test(letters(name)) ? instantOf(value) : undefined;
      return at === undefined ? [] : [{ name, value, ago: now - at }];
    });
    const [first] = ends;
    if (first === undefined) return notTriggered('it names no time at which something ends');
    // Of several, some may have ended: a list may hold what there was.
    if (ends.some(({ ago }) => ago < skewMs)) return pass(exchange);
    const seen = `${first.name} is ${JSON.stringify(first.value)}, before the Date of the answer`;
    return warning('an end that lies ahead', seen, exchange);
  },
};

const ending = /^(ends?|expires?|expiry|expiration|validuntil|validto)(at|on|time|date|timestamp)?$/;

/** Clocks of several machines may differ by less than this. */
const skewMs = 10 * 60_000;
