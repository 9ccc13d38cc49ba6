import { expect, test } from 'vitest';
import { createProgress } from './progress.ts';

/** A progress with a clock of its own; `written` holds each write. */
function started(isTerminal: boolean, over: { total?: number; columns?: number } = {}) {
  const clock = { ms: 5000 };
  const written: string[] = [];
  const columns = over.columns ?? 80;
  const stream = { columns, write: (text: string) => written.push(text) };
  const progress = createProgress({ stream, total: over.total ?? 2000, isTerminal, now: () => clock.ms });
  const tickAt = (ms: number, done: number, failed = 0) => {
    clock.ms = 5000 + ms;
    progress.tick({ done, failed });
  };
  return { progress, written, tickAt };
}

test('on a terminal one line is redrawn', () => {
  const { written, tickAt } = started(true);
  tickAt(100, 500, 3);
  tickAt(1200, 1000, 1004);
  expect(written).toEqual([
    '\r\x1b[2K[######..................] 500 of 2,000 checks · 3 failed · 0.1 s',
    '\r\x1b[2K[############............] 1,000 of 2,000 checks · 1,004 failed · 1.2 s',
  ]);
});

test('on a terminal it is drawn at most ten times a second', () => {
  const { written, tickAt } = started(true);
  for (let ms = 0; ms <= 1000; ms += 1) tickAt(ms, ms);
  expect(written).toHaveLength(10);
});

test('a narrow terminal gets a line that does not wrap', () => {
  const { written, tickAt } = started(true, { columns: 40 });
  tickAt(100, 1999);
  expect(written[0]?.replace('\r\x1b[2K', '')).toHaveLength(39);
});

test('done takes the line away', () => {
  const { progress, written } = started(true);
  progress.done();
  expect(written).toEqual(['\r\x1b[2K']);
});

test('elsewhere there are plain lines, at most one every two seconds', () => {
  const { written, tickAt } = started(false);
  for (let ms = 0; ms <= 7000; ms += 10) tickAt(ms, ms / 10, 1);
  expect(written).toEqual([
    '200 of 2,000 checks · 1 failed · 2 s\n',
    '400 of 2,000 checks · 1 failed · 4 s\n',
    '600 of 2,000 checks · 1 failed · 6 s\n',
  ]);
});

test('a run of nothing is drawn too', () => {
  const { written, tickAt } = started(true, { total: 0 });
  tickAt(100, 0);
  expect(written[0]).toContain('[........................] 0 of 0 checks');
});
