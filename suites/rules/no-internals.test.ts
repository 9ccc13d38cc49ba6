import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { nobody } from '../../engine/http/ask.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { internalsShown, noInternals } from './no-internals.ts';

const { create } = areas.party;
const trace = { error: 'x', stack: 'Error: x\n    at handler (/usr/src/app/x.js:12:5)' };

test.each([
  ['plain refusals', () => ({ status: 400, body: { error: 'bad' } }), 'pass'],
  ['nothing refused', () => ({}), 'not-triggered'],
  ['a plain call that shows a trace', ({ as }) => (as ? {} : { status: 500, body: trace }), 'violation'],
  ['a trace for nobody', ({ as }) => (as === nobody ? { status: 401, body: trace } : {}), 'violation'],
  [
    'a trace for a body that is cut off',
    ({ body }) => (body ? { status: 400, body: trace } : {}),
    'violation',
  ],
  ['a success that holds one, as a log might', () => ({ body: trace }), 'not-triggered'],
] as [string, Script, string][])('returns $2 for $0', async (_, script, expected) => {
  expect((await rehearse(noInternals, create, script)).verdict).toBe(expected);
});

test('it asks only where a refusal may be had', async () => {
  const operations = [areas.clientData.catalog, areas.general.config, create];
  const counts = await Promise.all(
    operations.map(async (operation) => (await rehearse(noInternals, operation, () => ({}))).asked.length),
  );
  expect(counts).toEqual([1, 2, 3]);
});

test('asks a host besides the main API anonymously too, where it wants the session', async () => {
  const { logsBatch } = areas.logs;
  const script: Script = ({ as }) => (as === nobody ? { status: 401, body: trace } : {});
  expect((await rehearse(noInternals, logsBatch, script)).verdict).toBe('not-triggered');
  const takesSession = () => true;
  expect((await rehearse(noInternals, logsBatch, script, { takesSession })).verdict).toBe('violation');
});

test('finds a trace in a server error that another check of the run met', async () => {
  const serverErrors = async () => [refusal(JSON.stringify(trace))];
  expect((await rehearse(noInternals, create, () => ({}), { serverErrors })).verdict).toBe('violation');
});

const refusal = (body: string, path = '/api/v1/party', type = 'application/json') =>
  exchangeOf({
    method: 'POST',
    url: `http://target.test${path}`,
    status: 500,
    headers: { 'content-type': type },
    body,
  });

test.each([
  ['JavaScript', 'TypeError: x\n    at handler (/usr/src/app/x.js:12:5)'],
  ['JavaScript', 'Error\n    at async Server.<anonymous> (file:///app/server.ts:3:9)'],
  ['JavaScript', 'Error\n    at node:internal/process/task_queues:95:5'],
  ['Java', 'java.lang.NullPointerException\n\tat com.foo.Bar(Baz.java:12)'],
  ['Java', 'x\n\tat jdk.internal.reflect.Method.invoke(Native Method)'],
  ['Python', 'Traceback (most recent call last):\n  File "/srv/app.py", line 3, in <module>'],
  ['Go', 'panic: boom\n\ngoroutine 1 [running]:\nmain.main()'],
  ['.NET', 'System.Exception: x\n   at Game.Api.Party.Create(String id) in C:\\src\\Party.cs:line 12'],
  ['PHP', 'Fatal error: Uncaught Error in /var/www/html/index.php on line 12'],
  ['PHP', 'Stack trace:\n#0 {main}'],
  ['Ruby', "app/controllers/party.rb:12:in `create'"],
  ['Rust', "thread 'main' panicked at src/main.rs:4:5"],
])('a %s stack trace is found, as text and within JSON', (language, trace) => {
  expect(internalsShown(refusal(trace))?.actual).toContain(`a ${language} stack trace`);
  const wrapped = JSON.stringify({ error: { stack: [trace] } });
  expect(internalsShown(refusal(wrapped))?.actual).toContain(`a ${language} stack trace`);
});

test.each([
  "ENOENT: no such file or directory, open '/var/data/players/1.json'",
  'cannot load file:///home/deploy/game/config.yaml',
  'C:\\inetpub\\wwwroot\\api\\web.config',
  'required by /code/node_modules/fastify/lib/route.js',
  'failed at /app/dist/server.js:12',
])('%s is a path of the server', (text) => {
  expect(internalsShown(refusal(text))?.actual).toContain('a path of the server');
  expect(internalsShown(refusal(JSON.stringify({ message: text })))?.actual).toContain(
    'a path of the server',
  );
});

test.each([
  ['{"error":"not found","path":"/api/v1/party"}'],
  ['{"message":"Parse error on line 1: Unexpected token } in JSON at position 8"}'],
  ['{"message":"Expecting value: line 1 column 8 (char 7)"}'],
  ['{"message":"at least one of (a, b) is needed"}'],
  ['{"see":"https://docs.target.test/home/errors/party.json"}'],
  ['{"choices":"Option A:\\nfoo\\nbar"}'],
  ['<html><link href="/etc/site/style.js"><script src="/app/main.js:1"></script>Not found</html>'],
  ['{"next":"/home/login/again"}'],
  ['{"at":"12:30:45","thread":"main"}'],
  [''],
])('%s shows nothing', (body) => {
  expect(internalsShown(refusal(body))).toBeUndefined();
});

test('a path that was sent may come back', () => {
  const path = '/clientData/home/var/www/catalog.json';
  expect(internalsShown(refusal(`Cannot GET ${path}`, path))).toBeUndefined();
  expect(internalsShown(refusal(`ENOENT: open '/srv/www${path}'`, path))).toBeDefined();
});

test('what stands far into a page is not looked for', () => {
  const trace = 'at run (/srv/app/main.js:10:4)';
  expect(internalsShown(refusal(`${' '.repeat(60_000)}${trace}`))).toBeDefined();
  expect(internalsShown(refusal(`${' '.repeat(70_000)}${trace}`))).toBeUndefined();
  expect(internalsShown(refusal(JSON.stringify(`${' '.repeat(70_000)}${trace}`)))).toBeUndefined();
});
