import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sampleCall } from '../../fixtures/kit/sample-step.ts';
import { storedOnce } from './stored.ts';

const batches = {
  log: [0, 1].map((nth) => JSON.stringify([0, 1].map((at) => ({ id: `assaylog-run-${nth}-${at}` })))),
};
const reading = {
  each: async <Item, Result>(items: readonly Item[], act: (item: Item) => Promise<Result>) =>
    Promise.all(items.map(act)),
  pause: async () => {},
};

/** A rule whose store is a file. */
function kept(logsSinkCommand?: string) {
  // The command is split at white space.
  const folder = mkdtempSync(join(tmpdir(), 'assay-stored-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'stored.jsonl');
  writeFileSync(file, '');
  const target = { logsSinkCommand: logsSinkCommand ?? `cat ${file}`, secrets: [] };
  const call = { ...sampleCall, body: { kind: 'batch', of: 'log' } } as const;
  const control = storedOnce(target, call, batches, reading);
  if (!('check' in control)) throw new Error(control.notChecked);
  const store = (...ids: readonly string[]) =>
    writeFileSync(file, `${ids.map((id) => `{"record":"assaylog-run-${id}"}`).join('\n')}\n`);
  const end = (acknowledged: number, unknown = 0) =>
    control.check.end(
      [{ place: 1, as: 0, operation: 'logs.logsBatch', acknowledged, unknown, last: [] }],
      'm',
      [],
    );
  return { store, end };
}

test('records that are stored as often as they were acknowledged are right', async () => {
  const { store, end } = kept();
  store('1-0', '1-1', '1-0', '1-1');
  expect(await end(2)).toMatchObject({ looked: 2, broken: 0, acknowledged: 2 });
  expect(await end(0, 1)).toMatchObject({ broken: 0 });
});

test('a record that is lost, or stored twice, is found once', async () => {
  const { store, end } = kept();
  store('1-0', '1-0', '1-0', '1-1');
  const found = await end(2);
  expect(found).toMatchObject({ looked: 2, broken: 2 });
  expect(found.examples).toEqual([
    'assaylog-run-1-0 was acknowledged 2 times and is stored 3 times',
    'assaylog-run-1-1 was acknowledged 2 times and is stored 1 time',
  ]);
  // The next step is not blamed for it.
  store('1-0', '1-0', '1-0', '1-1', '1-0', '1-1');
  expect(await end(1)).toMatchObject({ broken: 0 });
});

test('what nobody knows of may be stored or not', async () => {
  const { store, end } = kept();
  store('1-0', '1-0', '1-1');
  expect(await end(1, 1)).toMatchObject({ broken: 0 });
});

test('a store that shows none of the records, or that cannot be read, is not checked', async () => {
  const { end } = kept();
  expect(await end(2)).toMatchObject({
    looked: 0,
    broken: 0,
    notChecked: 'LOGS_SINK_COMMAND prints none of the records',
  });
  expect(await kept('/nowhere/at/all').end(2)).toMatchObject({
    looked: 0,
    broken: 0,
    notChecked: expect.stringContaining('could not be started'),
  });
});

test('without a command nothing is known of what was stored', () => {
  expect(storedOnce({ secrets: [] }, sampleCall, {}, reading)).toEqual({
    notChecked: 'no read shows it: LOGS_SINK_COMMAND is not set',
  });
});
