// Checks that nothing which an answer says has happened lies ahead, as a local time that is sent as UTC does.
import { pass, warning } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { skewMs, statedTimes } from '../shared/stated-times.ts';

export const pastTimes: Rule = {
  name: 'past-times',
  title: 'says of nothing that has happened that it lies ahead',
  clause: 'sense.past-times',
  async judge(operation, context) {
    const { exchange, times } = await statedTimes(operation, context, happened, 'has happened');
    const wrong = times.find(({ ahead }) => ahead > skewMs && ahead < zonesMs);
    if (wrong === undefined) return pass(exchange);
    const minutes = Math.round(wrong.ahead / 60_000);
    const seen = `${wrong.name} is ${JSON.stringify(wrong.value)}, ${minutes} minutes after its Date`;
    const cause = 'past-times: ahead of Date';
    return { ...warning('times before that of the answer', seen, exchange), cause };
  },
};

/** What has happened, and when; not what ends, expires or is published, which may lie ahead. */
const happened =
  /^(last)?(created|updated|modified|changed|sent|received|joined|claimed|saved|registered|decayed|completed|redeemed|purchased|acquired)(at|on|time|date|timestamp)$/;

/** No two places on earth are further apart; what lies further ahead stands for "never". */
const zonesMs = 15 * 3_600_000;
