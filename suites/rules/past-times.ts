// Checks that no past event of an answer has a time in the future, as a local time sent as UTC may have. West of
// Greenwich such a time is too early instead, which shows where the resource was created just now.
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
    // Only a time of the new resource itself has to be now: parts of it may be older.
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

/** Names of times of past events; not of ends, expiries or publications, which may be in the future. */
const happened =
  /^(last)?(created|updated|modified|changed|sent|received|joined|claimed|saved|registered|decayed|completed|redeemed|purchased|acquired)(at|on|time|date|timestamp)$/;

/** Names of the time at which the resource of a 201 was created. */
const created = /^created(at|on|time|date|timestamp)$/;

/** Time zones differ by quarters of an hour. */
const quarterMs = 15 * 60_000;
const exactMs = 3_000;

/** Whether a time is too early by the difference of two time zones. */
const isZoneBehind = (ahead: number): boolean =>
  ahead < -skewMs &&
  ahead > -zonesMs &&
  Math.abs(ahead - quarterMs * Math.round(ahead / quarterMs)) < exactMs;

/** More than any time zone differs from UTC; a time further in the future means "never". */
const zonesMs = 15 * 3_600_000;
