import { afterAll, expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { about, type Liar, type Lie, withBody } from '../../fixtures/mutants/mutant.ts';
import { openGround, proverOn } from './prove.ts';

const ground = await openGround('1');
afterAll(ground.close);
const { prove } = await proverOn(ground);

const { version } = areas.general;
const twoTexts: Lie = about(version, async (_, honest) => {
  const answer = await honest({ headers: {} });
  return answer.status === 200 ? withBody(answer, `${answer.body}\n${answer.body}`) : answer;
});
const liar: Liar = {
  name: 'two texts',
  wrong: 'It is two JSON texts.',
  clause: 'rfc8259.text',
  operations: [version],
  lie: twoTexts,
  turns: ['general.version#media'],
};

test('a liar is found out when all turn that should, and no others', async () => {
  expect(await prove(liar)).toMatchObject({
    outcome: 'killed',
    turned: ['general.version#media'],
    missed: [],
    collateral: [],
  });
});

test('a liar survives when one does not turn that should', async () => {
  const row = await prove({ ...liar, turns: ['general.version#media', 'general.version#head'] });
  expect(row).toMatchObject({ outcome: 'survived', missed: [{ id: 'general.version#head' }] });
});

test('a check that turns and should not is told apart', async () => {
  expect(await prove({ ...liar, turns: [] })).toMatchObject({
    outcome: 'killed',
    collateral: [{ id: 'general.version#media', outcome: 'fail' }],
  });
});

test('a liar survives when a check does not say what it should', async () => {
  const row = await prove({ ...liar, says: { 'general.version#routed': 'inconclusive catch-all' } });
  expect(row).toMatchObject({
    outcome: 'survived',
    missed: [{ id: 'general.version#routed', outcome: 'pass' }],
  });
});

test('what is observed is held against a liar too, behaviour by behaviour', async () => {
  const observed = (behaviour: string) => ({
    ...liar,
    lie: () => () => undefined,
    turns: [],
    says: { 'party/stranger-read': `observed ${behaviour}` },
  });
  const honest = 'without the key 200 (shows less), with a wrong one 403, with it 200';
  expect(await prove(observed(honest))).toMatchObject({ outcome: 'killed', collateral: [] });
  expect(await prove(observed('without the key 403'))).toMatchObject({
    outcome: 'survived',
    missed: [{ id: 'party/stranger-read', why: honest }],
  });
});

test('where calls never end, the liar says how long they are waited for', async () => {
  const silent = about(version, () => new Promise(() => {}));
  const says = { 'general.version#routed': 'inconclusive timeout' };
  const row = await prove({ ...liar, lie: silent, turns: [], says, timeoutMs: 1_000 });
  expect(row).toMatchObject({ outcome: 'killed', turned: [] });
  expect(row.durationMs).toBeLessThan(30_000);
}, 40_000);

test('only with the profile is what it states held against the target', async () => {
  const enveloped = about(version, async (_, honest) => {
    const answer = await honest({ headers: {} });
    return answer.status === 200 ? withBody(answer, `{"data":${answer.body}}`) : answer;
  });
  const schema = { ...liar, lie: enveloped, turns: ['general.version#schema'] };
  expect(await prove(schema)).toMatchObject({ outcome: 'survived' });
  expect(await prove({ ...schema, profile: true })).toMatchObject({ outcome: 'killed', collateral: [] });
});

test('a liar that is to show in a check that is not there is a mistake', async () => {
  await expect(prove({ ...liar, turns: ['general.version#no-such-rule'] })).rejects.toThrow(
    'two texts is to show in general.version#no-such-rule',
  );
});
