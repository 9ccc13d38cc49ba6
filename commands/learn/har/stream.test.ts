import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { entryOf } from '../../../fixtures/kit/scratch.ts';

const MiB = 1024 * 1024;
const probe = fileURLToPath(new URL('./stream.probe.ts', import.meta.url));

test('64 MiB are learnt from in a fraction of the memory that they would take', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'stream-'));
  try {
    const path = join(folder, 'large.har');
    const entries = write(path, 64 * MiB);
    const output = execFileSync(process.execPath, ['--max-old-space-size=80', probe, path], {
      timeout: 100_000,
      // Loops over bytes take five times longer while they are counted for coverage.
      env: { ...process.env, NODE_V8_COVERAGE: undefined },
    });
    const { peakMiB, ...counts } = JSON.parse(String(output)) as { peakMiB: number };
    expect(counts).toEqual({ entries, skipped: 0, unread: 0 });
    expect(peakMiB).toBeLessThan(230);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Parties with long bodies, each of another player; returns the number of entries. */
function write(path: string, bytes: number): number {
  const file = openSync(path, 'w');
  const padding = 'x'.repeat(100_000);
  let written = writeSync(file, '{"log":{"entries":[');
  let entries = 0;
  for (; written < bytes; entries++) {
    const answers = { partyId: `party-${entries}`, members: [{ playerName: `Name ${entries}` }], padding };
    const call = { method: 'POST', url: 'http://127.0.0.1/api/v1/party', sends: { open: true }, answers };
    written += writeSync(file, `${entries > 0 ? ',' : ''}${JSON.stringify(entryOf(call))}`);
  }
  writeSync(file, ']}}');
  closeSync(file);
  return entries;
}
