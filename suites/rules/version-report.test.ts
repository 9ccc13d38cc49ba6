import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { type Answer, rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { versionReport } from './version-report.ts';

const { general, utils } = areas;

test.each<[Operation, Answer, string]>([
  [general.version, { body: { version: '1.2.3' } }, 'pass'],
  [general.version, { body: {} }, 'violation'],
  [general.version, { body: { ok: true } }, 'violation'],
  [general.checkClientVersion, { body: { ok: true } }, 'pass'],
  [utils.contentVersion, { status: 204 }, 'violation'],
  [utils.contentVersionOf, { body: [] }, 'violation'],
])('$id of %j: %s', async (operation, answer, expected) => {
  expect((await rehearse(versionReport, operation, () => answer)).judgement.kind).toBe(expected);
});

test.each<[Operation, unknown, string]>([
  [general.version, { status: 'OK' }, 'warning'],
  [general.version, { requestId: '4bf92f3577b34da6a3ce929d0e0e4736' }, 'warning'],
  [utils.contentVersion, { error: { code: 'NO_VERSION' } }, 'warning'],
  [general.checkClientVersion, { status: 'OK' }, 'pass'],
  [general.checkClientVersion, { error: 'which version?' }, 'needs-body'],
  [general.checkClientVersion, {}, 'needs-body'],
])('nonsense does not pass: $id of %j: %s', async (operation, body, expected) => {
  expect((await rehearse(versionReport, operation, () => ({ body }))).verdict).toBe(expected);
});

test('a value that differs in each answer is no version', async () => {
  const own =
    (nthOf: (nth: number) => number): Script =>
    ({ nth = 1 }) => ({ body: { build: `b${nthOf(nth)}` } });
  const verdictOf = async (nthOf: (nth: number) => number) =>
    (await rehearse(versionReport, general.version, own(nthOf))).verdict;
  expect(await verdictOf((nth) => nth)).toBe('warning');
  expect(await verdictOf((nth) => nth % 2)).toBe('pass');
});

test('what a body of ours is answered is no warning, and one that the profile states is', async () => {
  const facts = { stated: () => ({ body: { version: '1' } }) };
  const script: Script = () => ({ body: { error: 'outdated' } });
  expect((await rehearse(versionReport, general.checkClientVersion, script, facts)).verdict).toBe('warning');
});

test('a version pattern that nobody gave may be answered with anything', async () => {
  const ambientGiven = new Set(['gameVersion']);
  for (const body of [{}, { status: 'OK' }, { error: 'no such pattern' }])
    expect(
      (await rehearse(versionReport, utils.contentVersionOf, () => ({ body }), { ambientGiven })).verdict,
    ).toBe('unknown-resource');
});

test('a pattern that nobody knows may honestly have no version', async () => {
  const { judgement } = await rehearse(versionReport, utils.contentVersionOf, () => ({ body: [] }), {
    unknownIds: async () => ['versionPattern'],
  });
  expect(judgement).toMatchObject({ reason: 'unknown-resource' });
});

test.each<[string, unknown, boolean, string]>([
  ['versions of several patterns whatever is asked', { available: ['7.4.0', '7.5.1'] }, true, 'warning'],
  ['them where a pattern that no version has is refused', { available: ['7.4.0', '7.5.1'] }, false, 'pass'],
  ['one version, which may be that of the server', { version: '7.5.1' }, true, 'pass'],
  ['versions of one pattern', { available: ['7.5.0', '7.5.1'] }, true, 'pass'],
])('a pattern that is answered with %s', async (_, body, forAll, expected) => {
  const { verdict } = await rehearse(versionReport, areas.utils.contentVersionOf, ({ params }) =>
    params?.versionPattern === 'assay-no-such-version' && !forAll ? { status: 404 } : { body },
  );
  expect(verdict).toBe(expected);
});
