import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { inconclusive, notTriggered, observed, violation } from '../judgement.ts';
import { usedUp } from './used-up.ts';

const { general, party, playerName } = areas;
const refused = (status: number) => exchangeOf({ status });
const used = { kind: 'observed', behaviour: 'already used' };

test.each([
  ['a purchase', general.purchase, 409, used],
  ['a purchase that may be wrong', general.purchase, 404, undefined],
  ['what can be done as often as one likes', party.create, 409, undefined],
])('of %s, a refusal that may be honest', (_, operation, status, expected) => {
  const found = usedUp(inconclusive('needs-state', 'refused', refused(status)), [operation]);
  expect(found).toEqual(expected && { ...expected, evidence: refused(status) });
});

test('a violation may be a refusal in more words, but not that of a name', () => {
  const broken = violation('a gift', 'none', refused(422));
  expect(usedUp(broken, [general.redeem])).toMatchObject(used);
  expect(usedUp(broken, [playerName.set])).toBeUndefined();
});

test('nothing else is used up', () => {
  expect(usedUp(inconclusive('needs-body', 'refused', refused(409)), [general.purchase])).toBeUndefined();
  expect(usedUp(inconclusive('needs-state', 'nothing was seen'), [general.purchase])).toBeUndefined();
  expect(usedUp(observed('200'), [general.purchase])).toBeUndefined();
  expect(usedUp(notTriggered('no'), [general.purchase])).toBeUndefined();
  expect(usedUp(observed('200'), [])).toBeUndefined();
});
