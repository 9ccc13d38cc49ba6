// Checks that a session, a token or an offer is not already expired when it is given, by the timestamp that it carries.
import { pass, warning } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { skewMs, statedTimes } from '../shared/stated-times.ts';

export const notOver: Rule = {
  name: 'not-over',
  title: 'gives or offers nothing that is already expired',
  clause: 'sense.not-over',
  async judge(operation, context) {
    const { exchange, times } = await statedTimes(operation, context, ending, 'ends');
    // Of several times, some may be past: a list may hold ended offers too.
    if (times.some(({ ahead }) => ahead > -skewMs)) return pass(exchange);
    const [first] = times;
    const seen = `${first.name} is ${JSON.stringify(first.value)}, before the Date of the answer`;
    return warning('an end that lies ahead', seen, exchange);
  },
};

const ending = /^(ends?|expires?|expiry|expiration|validuntil|validto)(at|on|time|date|timestamp)?$/;
