import { expect, test } from 'vitest';
import { storedLogs } from './logs-sink.ts';

/** Split at white space: there is none in it. */
const script = (text: string) => `${process.execPath} --eval=${text}`;
const printed = (text: string) => storedLogs({ logsSinkCommand: script(text), secrets: ['hidden-secret'] });

test('takes the lines that the command prints, without a shell', async () => {
  expect(await printed('console.log("a\\nb");console.log(typeof(process.stdin))')).toEqual({
    ok: true,
    lines: ['a', 'b', 'object', ''],
  });
});

test('without a command losses cannot be seen', async () => {
  expect(await storedLogs({ secrets: [] })).toEqual({
    ok: false,
    why: 'losses cannot be seen: LOGS_SINK_COMMAND is not set',
  });
});

test('a command that fails is reported with its complaint, and without secrets', async () => {
  const found = await printed('console.error("unreachable:hidden-secret");process.exit(3)');
  expect(found).toMatchObject({ ok: false, why: expect.stringMatching(/exit code 3 and says "unreachable/) });
  expect(JSON.stringify(found)).not.toContain('hidden-secret');
});

test('one that does not exist, and one that prints too much, are named', async () => {
  expect(await storedLogs({ logsSinkCommand: 'no-such-program-here', secrets: [] })).toMatchObject({
    why: expect.stringMatching(/could not be started \(ENOENT\)/),
  });
  expect(await printed('process.stdout.write("x".repeat(17*2**20))')).toMatchObject({
    why: expect.stringMatching(/printed more than 16 MiB/),
  });
});
