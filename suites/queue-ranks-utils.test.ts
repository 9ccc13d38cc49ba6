import { expect, test } from 'vitest';
import { rehearseCheck } from '../fixtures/kit/rule-rehearsal.ts';
import utils from './queue-ranks-utils.ts';

const versions = ['8.9.1', '8.10.0', '8.10.1'];

/** What is answered without a pattern, and with one. */
const judged = async (current: string, ofPattern: string, listed: readonly string[] = versions) =>
  (
    await rehearseCheck(utils.checks, 'version-order', ({ params }) => ({
      body: params === undefined ? { version: current, listed } : { version: ofPattern },
    }))
  ).judgement;

test('the highest by number is right, and so is a lower one that is not the highest as text', async () => {
  expect(await judged('8.10.1', '8.10.1')).toMatchObject({ kind: 'pass' });
  expect(await judged('8.10.0', '8.10.0')).toMatchObject({ kind: 'not-applicable' });
});

test('the highest as text is wrong, with a pattern and without', async () => {
  expect(await judged('8.10.1', '8.9.1')).toMatchObject({ kind: 'violation', actual: '8.9.1' });
  expect(await judged('8.9.1', '8.10.1')).toMatchObject({ kind: 'violation', actual: '8.9.1' });
  expect(await judged('9.9.0', '10.1.2', ['9.9.0', '10.1.2'])).toMatchObject({ actual: '9.9.0' });
});

test('versions that are in one order as text and as numbers decide nothing', async () => {
  expect(await judged('8.2.0', '8.1.0', ['8.1.0', '8.2.0'])).toMatchObject({ kind: 'not-applicable' });
});
