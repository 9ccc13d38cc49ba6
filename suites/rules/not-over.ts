// Checks that what an answer gives or offers now has not ended already, by its own words.
import { pass, warning } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { skewMs, statedTimes } from '../shared/stated-times.ts';

export const notOver: Rule = {
  name: 'not-over',
  title: 'gives or offers nothing that is over by its own words',
  clause: 'sense.not-over',
  async judge(operation, context) {
    const { exchange, times } = await statedTimes(operation, context, ending, 'ends');
    // Of several, some may have ended: a list may hold what there was.
    if (times.some(({ ahead }) => ahead > -skewMs)) return pass(exchange);
    const [first] = times;
    const seen = `${first.name} is ${JSON.stringify(first.value)}, before the Date of the answer`;
    return warning('an end that lies ahead', seen, exchange);
  },
};

const ending = /^(ends?|expires?|expiry|expiration|validuntil|validto)(at|on|time|date|timestamp)?$/;
