// Checks that nothing which an answer says has happened lies ahead, as a local time that is sent as UTC does; west of
// Greenwich such a time lies behind, which shows where the thing was created just now.
import { pass, warning } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { letters } from '../../engine/values/text.ts';
import { skewMs, statedTimes } from '../shared/stated-times.ts';

export const pastTimes: Rule = {
  name: 'past-times',
  title: 'says of nothing that has happened that it lies ahead',
  clause: 'sense.past-times',
  async judge(operation, context) {
    const { exchange, times } = await statedTimes(operation, context, happened, 'has happened');
    const made = times.filter(({ name }) => created.test(letters(name)));
    // Where something in it was made now, what was made before is another thing.
    const isNew = exchange.response?.status === 201 && made.length === 1 && made[0]?.isOwn;
    const wrong = times.find(
      (each) =>
        (each.ahead > skewMs && each.ahead < zonesMs) ||
        (isNew && each === made[0] && isZoneBehind(each.ahead)),
    );
    if (wrong === undefined) return pass(exchange);
    const minutes = Math.round(wrong.ahead / 60_000);
    const stated = `${wrong.name} is ${JSON.stringify(wrong.value)}`;
    if (minutes < 0)
      return warning(
        'the time at which it was created',
        `${stated}, ${-minutes} minutes before its Date`,
        exchange,
      );
    const seen = `${stated}, ${minutes} minutes after its Date`;
    const cause = 'past-times: ahead of Date';
    return { ...warning('times before that of the answer', seen, exchange), cause };
  },
};

/** What has happened, and when; not what ends, expires or is published, which may lie ahead. */
const happened =
  /^(last)?(created|updated|modified|changed|sent|received|joined|claimed|saved|registered|decayed|completed|redeemed|purchased|acquired)(at|on|time|date|timestamp)$/;

/** Of these, when the thing that a 201 is about was made. */
const created = /^created(at|on|time|date|timestamp)$/;

/** Zones differ by quarters of an hour. */
const quarterMs = 15 * 60_000;
const exactMs = 3_000;

/** Whether a time is behind by what two zones differ by. */
const isZoneBehind = (ahead: number): boolean =>
  ahead < -skewMs &&
  ahead > -zonesMs &&
  Math.abs(ahead - quarterMs * Math.round(ahead / quarterMs)) < exactMs;

/** No two places on earth are further apart; what lies further ahead stands for "never". */
const zonesMs = 15 * 3_600_000;
