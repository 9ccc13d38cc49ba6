import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Result } from '../engine/run/result.ts';
import { sampleResult, sampleRun } from '../fixtures/kit/sample-run.ts';
import { scratchFolder } from '../fixtures/kit/scratch.ts';
import { type AcceptOptions, acceptCommand, terminalQuestion } from './accept.ts';

const open = (id: string, behaviour: string, over: Partial<Result> = {}) =>
  sampleResult({ id, outcome: 'observed', level: 'open', behaviour, ...over });

/** What accept makes of a result with these checks and of a profile. */
async function accepted(
  checks: readonly Result[],
  {
    ids = [],
    expects,
    answer,
    more,
    worse,
    ...options
  }: AcceptOptions & {
    ids?: readonly string[];
    expects?: Record<string, string>;
    answer?: string;
    /** What else the profile states. */
    more?: object;
    /** Ids that got worse than the baseline of the run. */
    worse?: readonly string[];
  } = {},
) {
  const folder = scratchFolder();
  const result = join(folder, 'result.json');
  const baseline = { startedAt: '2026-01-01T00:00:00.000Z', runId: 'r', knownFailures: 0, repaired: 0 };
  const run = sampleRun(checks, worse && { baseline: { ...baseline, worse } });
  writeFileSync(result, JSON.stringify(run));
  const profile = join(folder, 'profile.json');
  writeFileSync(profile, JSON.stringify({ name: 'staging', ...more, ...(expects && { expects }) }));
  let printed = '';
  const print = (text: string) => {
    printed += text;
  };
  const ask = answer === undefined ? undefined : async () => ({ text: answer });
  const code = await acceptCommand(
    result,
    ids,
    { profile, ...options },
    { env: {}, cwd: folder, print, ask },
  );
  return { code, printed, written: JSON.parse(readFileSync(profile, 'utf8')) };
}

const full = open('party/full', 'a party of 4 takes no other');

test('writes what a result shows of the named open points, and keeps the rest of the profile', async () => {
  const checks = [full, open('queue/find', 'they find one another')];
  const { code, printed, written } = await accepted(checks, {
    ids: ['party/*'],
    expects: { 'a/b': 'x' },
    yes: true,
  });
  expect(code).toBe(0);
  expect(written).toEqual({
    name: 'staging',
    expects: { 'a/b': 'x', 'party/full': 'at most 4' },
  });
  expect(printed).toContain('party/full\n  will be pinned as "at most 4"');
});

test('a glob leaves out what an operation that was not seen served seems to do, an id does not', async () => {
  const routed = (operation: string, outcome: Result['outcome']) =>
    sampleResult({ id: `${operation}#routed`, operation, outcome });
  const checks = [
    open('party/full', 'a party of 1 takes no other', { operation: ['party.join', 'party.acceptJoin'] }),
    open('party/create-again', '200', { operation: 'party.create' }),
    routed('party.join', 'pass'),
    routed('party.acceptJoin', 'inconclusive'),
    routed('party.create', 'pass'),
  ];
  const all = await accepted(checks, { ids: ['party/*'], yes: true });
  expect(Object.keys(all.written.expects)).toEqual(['party/create-again']);
  expect(all.printed).toContain(
    'Left out: 1 open point of operations that the run did not see served (party/full)',
  );
  const one = await accepted(checks, { ids: ['party/full'], yes: true });
  expect(one.written.expects).toEqual({ 'party/full': 'one alone' });
  expect(one.printed).not.toContain('Left out');
});

test('says that the run had not the profile that is to be written', async () => {
  const warned = /^That run had no profile; with ".*profile\.json" the server may be asked otherwise/;
  const { printed } = await accepted([full], { ids: ['*'], yes: true, more: { words: { game: 'arena' } } });
  expect(printed).toMatch(warned);
  expect((await accepted([full], { ids: ['*'], yes: true, expects: {} })).printed).not.toMatch(warned);
});

test('without ids takes over what changed since the baseline, and what differs from the profile', async () => {
  const failed = sampleResult({
    id: 'queue/find',
    outcome: 'fail',
    level: 'profile',
    behaviour: 'they are told no match in time',
  });
  const changed = open('party/kick', '200', { since: { gate: 'changed', before: '403' } });
  const { written, printed } = await accepted([full, failed, changed], {
    expects: { 'queue/*': 'they find one another' },
    yes: true,
  });
  expect(written.expects).toEqual({
    'party/kick': 'accepted',
    'queue/*': 'they find one another',
    'queue/find': 'no match in time',
  });
  expect(printed).not.toContain('party/full');
});

test('writes nothing without a yes', async () => {
  for (const [answer, says] of [
    [undefined, 'Nothing was written: add --yes.'],
    ['', 'Nothing was written.'],
    ['no', 'Nothing was written.'],
  ] as const) {
    const { code, printed, written } = await accepted([full], {
      ids: ['*'],
      ...(answer !== undefined && { answer }),
    });
    expect(code).toBe(1);
    expect(printed).toContain(says);
    expect(written).toEqual({ name: 'staging' });
  }
  expect((await accepted([full], { ids: ['*'], answer: 'y' })).written.expects).toHaveProperty([
    'party/full',
  ]);
});

test('names what got worse than the baseline, which no pin accepts', async () => {
  const worse = ['party/leader-kept'];
  const line = 'Left out: 1 check that got worse than the baseline (party/leader-kept); accept pins';
  expect((await accepted([full], { worse })).printed).toContain(line);
  expect((await accepted([full], { worse, ids: ['*'], yes: true })).printed).not.toContain(line);
});

test('says so where there is nothing to accept', async () => {
  const expects = { 'party/full': 'a party of 4 takes no other' };
  const all = await accepted([full], { expects });
  expect([all.code, all.printed]).toEqual([
    0,
    'Nothing to accept: the profile expects what this result shows.\n',
  ]);
  const named = await accepted([full, open('queue/find', 'x')], {
    ids: ['party/*'],
    expects: { 'party/full': 'at most 4' },
  });
  expect(named.printed).toContain('shows of these open points.');
  expect((await accepted([sampleResult({})])).printed).toContain('The result shows none.');
});

test('without ids counts the open points that no pin holds, and gives the command that pins them', async () => {
  const checks = [full, open('queue/find', 'they find one another'), open('queue/late', 'x')];
  const some = await accepted(checks, { expects: { 'party/*': 'at most 4' } });
  expect(some.code).toBe(0);
  expect(some.printed).toContain('2 of 3 open points are not pinned');
  expect((await accepted([full])).printed).toContain('1 of 1 open point is not pinned');
  const command = /\n {2}npm run accept -- '?\/.+\/result\.json'? '\*' --profile '?\/.+\/profile\.json'?\n$/;
  expect(some.printed).toMatch(command);
});

test.each<[string, readonly string[], string]>([
  ['an unknown id', ['party/ful'], 'did you mean "party/full"'],
  ['a check that is no open point', ['a.b#answers'], 'it is pass'],
])('%s is refused with what is near', async (_, ids, hint) => {
  const checks = [full, sampleResult({ id: 'a.b#answers', outcome: 'pass' })];
  await expect(accepted(checks, { ids, yes: true })).rejects.toThrow(hint);
});

test('a profile has to be named, and to be one', async () => {
  const folder = scratchFolder();
  const result = join(folder, 'result.json');
  writeFileSync(result, JSON.stringify(sampleRun([full])));
  const surroundings = { env: {}, cwd: folder, print: () => {} };
  await expect(acceptCommand(result, [], {}, surroundings)).rejects.toThrow('--profile FILE, or PROFILE');
  writeFileSync(join(folder, 'wrong.json'), '{"expect": {}}');
  const wrong = acceptCommand(result, [], { profile: join(folder, 'wrong.json') }, surroundings);
  await expect(wrong).rejects.toThrow('wrong.json');
  const nowhere = acceptCommand(result, ['*'], { profile: 'no-folder/new.json', yes: true }, surroundings);
  await expect(nowhere).rejects.toThrow(
    '--profile: "no-folder/new.json" stands in a folder that does not exist',
  );
});

test('a profile that is not there is created, after a yes', async () => {
  const folder = scratchFolder();
  const result = join(folder, 'result.json');
  writeFileSync(result, JSON.stringify(sampleRun([full])));
  const path = join(folder, 'new.json');
  let printed = '';
  const print = (text: string) => {
    printed += text;
  };
  const accept = (yes: boolean) =>
    acceptCommand(result, ['*'], { profile: path, yes }, { env: {}, cwd: folder, print });
  expect(await accept(false)).toBe(1);
  expect(existsSync(path)).toBe(false);
  expect(await accept(true)).toBe(0);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ expects: { 'party/full': 'at most 4' } });
  expect(printed).toContain('1 behaviour written into');
});

test('a date until which a pin holds stays with the pins that are not written anew', async () => {
  const until = { behaviour: 'at most 4', until: '2999-12-31' };
  const { written } = await accepted([full, open('queue/find', 'they find one another')], {
    ids: ['queue/*'],
    expects: { 'party/full': until as never },
    yes: true,
  });
  expect(written.expects).toEqual({ 'party/full': until, 'queue/find': 'matched with one another' });
});

test.each([
  ['y\r', { text: 'y' }],
  ['\r', { text: '' }],
  ['\x03', 'interrupted'],
  ['\x04', 'closed'],
])('on a terminal, %j answers the question with %j', async (keys, expected) => {
  const terminal = () => Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} });
  const input = terminal();
  const ask = terminalQuestion(input as never, terminal() as never);
  const answer = ask?.('Write? ');
  input.write(keys);
  expect(await answer).toEqual(expected);
});
