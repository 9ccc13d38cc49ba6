import { afterAll, expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { about, type Mutant, type Mutation, withBody } from '../../fixtures/mutants/mutant.ts';
import { judgeMissedAgain } from './judge-all.ts';
import { openGround, type ProofRow, proverOn } from './prover.ts';

const ground = await openGround('1');
afterAll(ground.close);
const { prove } = proverOn(ground);

const { version } = areas.general;
const twoTexts: Mutation = about(version, async (_, forward) => {
  const answer = await forward({ headers: {} });
  return answer.status === 200 ? withBody(answer, `${answer.body}\n${answer.body}`) : answer;
});
const mutant: Mutant = {
  name: 'two texts',
  wrong: 'It is two JSON texts.',
  clause: 'rfc8259.text',
  operations: [version],
  mutation: twoTexts,
  turns: ['general.version#media'],
};

test('a mutant is found out when all turn that should, and no others', async () => {
  expect(await prove(mutant)).toMatchObject({
    outcome: 'killed',
    turned: ['general.version#media'],
    missed: [],
    collateral: [],
  });
});

test('a mutant survives when one does not turn that should', async () => {
  const row = await prove({ ...mutant, turns: ['general.version#media', 'general.version#head'] });
  expect(row).toMatchObject({ outcome: 'survived', missed: [{ id: 'general.version#head' }] });
});

test('a check that turns and should not is listed apart', async () => {
  expect(await prove({ ...mutant, turns: [] })).toMatchObject({
    outcome: 'killed',
    collateral: [{ id: 'general.version#media', outcome: 'fail' }],
  });
});

test('a check that turns beside its own is no collateral where a reason is given, and has to turn', async () => {
  const why = 'it reads the same two texts.';
  const also = { ...mutant, turns: [], alsoTurns: { 'general.version#media': why } };
  expect(await prove(also)).toMatchObject({
    outcome: 'killed',
    alsoTurned: { 'general.version#media': why },
    collateral: [],
  });
  expect(await prove({ ...also, mutation: () => () => undefined })).toMatchObject({
    outcome: 'survived',
    missed: [{ id: 'general.version#media' }],
  });
});

test('a check that may turn is no collateral, and is not missed where it does not', async () => {
  const may = { ...mutant, turns: [], mayTurn: { 'general.version#media': 'it may.' } };
  expect(await prove(may)).toMatchObject({ outcome: 'killed', collateral: [] });
  expect(await prove({ ...may, mutation: () => () => undefined })).toMatchObject({ missed: [] });
});

test('where flows are asked alone, the proof says why', async () => {
  const flowsAlone = 'single checks do it first.';
  const row = await prove({ ...mutant, turns: [], flowsAlone });
  expect(row).toMatchObject({ turned: [], flowsAlone });
});

test('a mutant survives when a check does not say what it should', async () => {
  const row = await prove({ ...mutant, says: { 'general.version#routed': 'inconclusive catch-all' } });
  expect(row).toMatchObject({
    outcome: 'survived',
    missed: [{ id: 'general.version#routed', outcome: 'pass' }],
  });
});

test('what is observed is held against a mutant too, behaviour by behaviour', async () => {
  const observed = (behaviour: string) => ({
    ...mutant,
    mutation: () => () => undefined,
    turns: [],
    says: { 'party/stranger-read': `observed ${behaviour}` },
  });
  const conforming = 'without the key 200 (shows less), with a wrong one 403, with it 200';
  expect(await prove(observed(conforming))).toMatchObject({ outcome: 'killed', collateral: [] });
  expect(await prove(observed('without the key 403'))).toMatchObject({
    outcome: 'survived',
    missed: [{ id: 'party/stranger-read', why: conforming }],
  });
});

test('where calls never end, the mutant says how long they are waited for', async () => {
  const silent = about(version, () => new Promise(() => {}));
  const says = { 'general.version#routed': 'inconclusive timeout' };
  const row = await prove({ ...mutant, mutation: silent, turns: [], says, timeoutMs: 1_000 });
  expect(row).toMatchObject({ outcome: 'killed', turned: [] });
  expect(row.durationMs).toBeLessThan(30_000);
}, 40_000);

test('only with the profile is what it states held against the target', async () => {
  const enveloped = about(version, async (_, forward) => {
    const answer = await forward({ headers: {} });
    return answer.status === 200 ? withBody(answer, `{"data":${answer.body}}`) : answer;
  });
  const schema = { ...mutant, mutation: enveloped, turns: ['general.version#schema'] };
  expect(await prove(schema)).toMatchObject({ outcome: 'survived' });
  expect(await prove({ ...schema, profile: true })).toMatchObject({ outcome: 'killed', collateral: [] });
});

test('a mutant that is to show in a check that is not there is a mistake', async () => {
  await expect(prove({ ...mutant, turns: ['general.version#no-such-rule'] })).rejects.toThrow(
    'two texts is to show in general.version#no-such-rule',
  );
});

const rowOf = (name: string, outcome: ProofRow['outcome']) => ({ mutant: name, outcome }) as ProofRow;

test('what was missed beside others is asked once more, and its row says so', async () => {
  const asked: string[] = [];
  const rows = await judgeMissedAgain(
    [rowOf('found', 'killed'), rowOf('late', 'survived'), rowOf('missed', 'survived')],
    async (name) => {
      asked.push(name);
      return rowOf(name, name === 'late' ? 'killed' : 'survived');
    },
  );
  expect(asked).toEqual(['late', 'missed']);
  expect(rows).toEqual([
    rowOf('found', 'killed'),
    { ...rowOf('late', 'killed'), askedAgain: true },
    { ...rowOf('missed', 'survived'), askedAgain: true },
  ]);
});

test('where many are missed, others beside them are not why, and none is asked again', async () => {
  const many = Array.from({ length: 17 }, (_, nth) => rowOf(`mutant ${nth}`, 'survived'));
  expect(
    await judgeMissedAgain(many, () => {
      throw new Error('asked again');
    }),
  ).toEqual(many);
});
