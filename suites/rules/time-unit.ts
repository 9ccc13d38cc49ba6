// Checks that the times of one answer count in one unit: seconds or milliseconds.
import { answerLeaves, isSuccess } from '../../engine/http/exchange.ts';
import { notTriggered, pass, warning } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { servedAnswer } from '../../engine/probe/prerequisites.ts';
import { instantOf } from '../../engine/values/instant.ts';
import { letters } from '../../engine/values/text.ts';

export const timeUnit: Rule = {
  name: 'time-unit',
  title: 'counts all of its times in one unit',
  clause: 'sense.time-unit',
  async judge(operation, context) {
    const { exchange } = await servedAnswer(operation, context);
    if (!isSuccess(exchange)) return notTriggered('it is no success');
    const counts = answerLeaves(exchange).filter(
      ({ name, value }) =>
        typeof value === 'number' && instantOf(value) !== undefined && isTime.test(letters(name)),
    );
    const [inSeconds] = counts.filter(({ value }) => instantOf(value) !== value);
    const [inMs] = counts.filter(({ value }) => instantOf(value) === value);
    if (counts.length < 2) return notTriggered('it holds no two times that are numbers');
    if (!inSeconds || !inMs) return pass(exchange);
    const seen = `${inSeconds.pointer} is ${inSeconds.value}, in seconds, and ${inMs.pointer} is ${inMs.value}`;
    return warning('times in one unit', seen, exchange);
  },
};

/** Names of times; not `iat`, a claim of a token that is always in seconds, and not names that state their unit. */
const isTime =
  /^(?!iat$).*(?:at|time|date|timestamp|until|since|expires|expiry|expiration|received|sent|created|updated)$/;
