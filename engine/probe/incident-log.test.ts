import { expect, test } from 'vitest';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { createIncidentLog } from './incident-log.ts';

const answer = (status = 200) => exchangeOf({ status });

test('a silence is described by what was answered last and what was put first of all that was not', () => {
  const incidentLog = createIncidentLog();
  const config = incidentLog.begin('general.config');
  const poison = incidentLog.begin('party.create');
  incidentLog.answered(config, answer());
  const later = incidentLog.begin('me.location');
  incidentLog.unanswered(later);
  incidentLog.unanswered(poison);
  expect(incidentLog.silence()).toBe(
    'stopped answering after general.config (answered 200); first left without an answer: party.create, me.location',
  );
});

test('a cut is named that a silence follows, and not one that many answers followed', () => {
  const incidentLog = createIncidentLog();
  incidentLog.answered(incidentLog.begin('general.config'), answer());
  incidentLog.cutOff('POST /api/v1/party');
  incidentLog.unanswered(incidentLog.begin('me.location'));
  expect(incidentLog.silence()).toMatch(
    /^stopped answering after general\.config \(answered 200\), and just after an attack had cut .* POST \/api\/v1\/party/,
  );
  for (let nth = 0; nth < 6; nth += 1) incidentLog.answered(incidentLog.begin('general.config'), answer());
  expect(incidentLog.silence()).not.toContain('cut');
});

test('calls that are still under way count as unanswered, and many are named by the first three', () => {
  const incidentLog = createIncidentLog();
  for (const name of ['a.a', 'b.b', 'a.a', 'c.c', 'd.d', 'e.e']) incidentLog.begin(name);
  expect(incidentLog.silence()).toBe(
    'stopped answering from the first call on; first left without an answer: a.a, b.b, c.c and 2 more',
  );
});

test('does not name calls that were answered or never sent', () => {
  const incidentLog = createIncidentLog();
  incidentLog.unanswered(incidentLog.begin('party.create'));
  const withheld = incidentLog.begin('me.location');
  incidentLog.answered(incidentLog.begin('general.config'), answer());
  incidentLog.withdrawn(withheld);
  incidentLog.unanswered(incidentLog.begin('match.create'));
  expect(incidentLog.silence()).toMatch(/left without an answer: match\.create$/);
});

const brokenSince = (sound: number, broken: number, ending: number[] = []) => {
  const incidentLog = createIncidentLog();
  for (let nth = 0; nth < sound; nth++) incidentLog.answered(incidentLog.begin('general.config'), answer());
  const poison = incidentLog.begin('party.create');
  const beside = incidentLog.begin('me.location');
  incidentLog.answered(beside, answer(500));
  incidentLog.answered(poison, answer(500));
  for (let nth = 2; nth < broken; nth++) incidentLog.answered(incidentLog.begin('me.location'), answer(500));
  for (const status of ending) incidentLog.answered(incidentLog.begin('me.location'), answer(status));
  return incidentLog.brokenSince();
};

test('from where on a host answered nothing but 5xx is decided by the calls that were under way together then', () => {
  expect(brokenSince(20, 40)).toBe(
    'answered 5xx to everything from party.create or me.location on (40 answers in a row)',
  );
});

test('a sound answer to a call from before the series of 5xx does not end the series', () => {
  const incidentLog = createIncidentLog();
  for (let nth = 0; nth < 20; nth++) incidentLog.answered(incidentLog.begin('general.config'), answer());
  const slow = incidentLog.begin('me.location');
  incidentLog.answered(incidentLog.begin('party.create'), answer(500));
  incidentLog.answered(slow, answer());
  for (let nth = 1; nth < 40; nth++) incidentLog.answered(incidentLog.begin('general.config'), answer(500));
  expect(incidentLog.brokenSince()).toBe(
    'answered 5xx to everything from party.create on (40 answers in a row)',
  );
});

test.each([
  ['it always did', brokenSince(19, 40)],
  ['it were few', brokenSince(20, 39)],
  ['one of the last answers is none', brokenSince(20, 60, [404])],
  ['it announces an outage', brokenSince(20, 60, [503])],
])('and not where %s', (_, found) => {
  expect(found).toBeUndefined();
});
