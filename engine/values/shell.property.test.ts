import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { curl } from '../http/curl.ts';
import type { Request } from '../http/exchange.ts';
import { bytesOf, print, remarked, word } from './shell.ts';

/** What a real sh hands to a program as its arguments, each in hex. */
function argumentsOf(words: readonly string[], env: Record<string, string> = {}): string[] {
  const show = `node_eval() { "$NODE" -e 'for (const arg of process.argv.slice(1)) console.log(Buffer.from(arg).toString("hex"))' -- "$@"; }`;
  const { stdout, status, stderr } = spawnSync('sh', ['-c', `${show}; node_eval ${words.join(' ')}`], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, NODE: process.execPath, ...env },
  });
  expect(status, stderr).toBe(0);
  return stdout.split('\n').slice(0, -1);
}

const hex = (text: string) => Buffer.from(text, 'utf8').toString('hex');
/** No argument of any program can hold NUL. */
const anyText = fc
  .string({ unit: 'binary', maxLength: 30 })
  .map((text) => text.toWellFormed().replaceAll('\0', ''));
const shellish = fc
  .array(fc.constantFrom(...'\'"$`\\!*?~#&|;<>(){}[] \n\t\r%@-=aé漢😀\x01\x7f'), { maxLength: 12 })
  .map((parts) => parts.join(''));
const texts = fc.array(fc.oneof(anyText, shellish), { minLength: 40, maxLength: 60 });

test('any text is one word of sh and comes out as it went in', () => {
  fc.assert(
    fc.property(texts, (all) => {
      expect(argumentsOf(all.map((text) => word([{ bytes: bytesOf(text) }])))).toEqual(all.map(hex));
    }),
    // Each case costs a process: a failing case is reported as it is, not made smaller.
    { numRuns: 25, endOnFailure: true, examples: [[['-\x01', '\x01\n\n', '-n', '\\']]] },
  );
});

test('a variable among any text is put in whole, whatever it holds', () => {
  const secret = `it's "a" $secret \`id\` \\ *`;
  fc.assert(
    fc.property(texts, (all) => {
      const words = all.map((text) =>
        word([{ bytes: bytesOf(text) }, { expansion: '$S' }, { bytes: bytesOf(text) }]),
      );
      expect(argumentsOf(words, { S: secret })).toEqual(all.map((text) => hex(text + secret + text)));
    }),
    { numRuns: 10, endOnFailure: true },
  );
});

test('any bytes are printed as they are', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { minLength: 30, maxLength: 50 }), (all) => {
      const latin = all.map((bytes) => Buffer.from(bytes).toString('latin1'));
      const script = latin.map((bytes) => print([{ bytes }])).join('; ');
      const { stdout } = spawnSync('sh', ['-c', script]);
      expect(stdout.toString('latin1')).toBe(latin.join(''));
    }),
    { numRuns: 15, endOnFailure: true },
  );
});

test('a curl command is one command, whatever the request holds', () => {
  const request: fc.Arbitrary<Request> = fc.record({
    method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
    url: shellish.map((text) => `http://127.0.0.1:1/${text}`),
    headers: fc.array(fc.tuple(fc.constantFrom('x-a', 'authorization', 'cookie'), shellish), {
      maxLength: 3,
    }),
    body: fc.oneof(shellish, fc.uint8Array({ maxLength: 30 })),
  });
  // In the place of curl stands a function that must be called just once, and by nothing else.
  const harness = 'curl() { cat >/dev/null; echo called; }';
  fc.assert(
    fc.property(fc.array(request, { minLength: 20, maxLength: 30 }), (all) => {
      const script = all.map((each) => `${curl(each)}\n`).join('');
      const { stdout, stderr } = spawnSync('sh', ['-c', `${harness}\n${script}`], {
        encoding: 'utf8',
        input: '',
      });
      expect([stdout, stderr]).toEqual(['called\n'.repeat(all.length), '']);
    }),
    { numRuns: 15, endOnFailure: true },
  );
});

test('a remark is no part of the command: whatever it holds, the command runs once, and how it ended is reported', () => {
  fc.assert(
    fc.property(texts, (all) => {
      const script = all.map((text) => `${remarked('curl', text)}\necho $?\n`).join('');
      const { stdout, stderr } = spawnSync('sh', ['-c', `curl() { echo called; return 7; }\n${script}`], {
        encoding: 'utf8',
      });
      expect([stdout, stderr]).toEqual(['called\n7\n'.repeat(all.length), '']);
    }),
    { numRuns: 10, endOnFailure: true, examples: [[["it's one", '# $(curl) `curl`']]] },
  );
});

test('a terminal takes a remark: its zsh knows no comments', () => {
  expect(remarked('curl a', "it's b")).toBe(": 'it'\\''s b'; curl a");
});
