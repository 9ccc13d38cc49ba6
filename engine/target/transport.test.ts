import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import { makeCertificate } from '../values/certificate.ts';
import type { Environment } from './settings.ts';
import { isLoopback, proxiesFor, secretsIn, transportIn } from './transport.ts';

test.each([
  'http://localhost:8080',
  'http://LOCALHOST',
  'http://api.localhost/x',
  'http://127.0.0.1:1',
  'http://127.9.8.7',
  'http://2130706433',
  'https://[::1]:443',
  'http://[::ffff:127.0.0.1]',
])('%s is this machine', (url) => {
  expect(isLoopback(url)).toBe(true);
});

test.each([
  'http://10.0.0.1',
  'http://localhost.example',
  'http://mylocalhost',
  'http://127.0.0.1.example',
  'http://[::2]',
  'nonsense',
])('%s is not', (url) => {
  expect(isLoopback(url)).toBe(false);
});

const read = (env: Environment, ...hosts: readonly string[]) => {
  const mistakes: string[] = [];
  return { proxies: proxiesFor(env, hosts, mistakes), mistakes };
};
const proxy = 'http://proxy.test:3128';
/** Is this host spared by NO_PROXY? */
const spares = (list: string, host: string) =>
  Object.keys(read({ HTTP_PROXY: proxy, NO_PROXY: list }, host).proxies).length === 0;

test('HTTP_PROXY is for http, HTTPS_PROXY for https, and https without one of its own takes the former', () => {
  const [plain, safe] = ['http://api.test:8080/v1', 'https://cdn.test'];
  expect(read({ HTTP_PROXY: proxy, HTTPS_PROXY: 'https://other.test' }, plain, safe).proxies).toEqual({
    'http://api.test:8080': proxy,
    'https://cdn.test': 'https://other.test',
  });
  expect(read({ HTTP_PROXY: proxy }, safe).proxies).toEqual({ 'https://cdn.test': proxy });
  expect(read({ HTTPS_PROXY: proxy }, plain).proxies).toEqual({});
});

test('a variable in lower case goes before the one in upper case, also where it is set to nothing', () => {
  expect(read({ http_proxy: proxy, HTTP_PROXY: 'http://no.test' }, 'http://api.test').proxies).toEqual({
    'http://api.test': proxy,
  });
  expect(read({ http_proxy: '', HTTP_PROXY: proxy }, 'http://api.test').proxies).toEqual({});
});

test.each([
  ['api.test', 'http://api.test', true],
  ['API.TEST', 'http://api.test', true],
  ['api.test', 'http://eu.api.test', true],
  ['.api.test', 'http://api.test', true],
  ['*.api.test', 'http://eu.api.test', true],
  ['*.api.test', 'http://api.test', false],
  ['api.test', 'http://myapi.test', false],
  ['api.test:8080', 'http://api.test:8080', true],
  ['api.test:8080', 'http://api.test', false],
  ['api.test:443', 'https://api.test', true],
  ['a.test, b.test  c.test', 'http://c.test', true],
  ['*', 'http://api.test', true],
  ['*:80', 'http://api.test:8080', false],
  ['10.0.0.1', 'http://10.0.0.1', true],
  ['[fd00::1]:80', 'http://[fd00::1]', true],
  ['fd00::1', 'http://[fd00::1]:8080', true],
  ['', 'http://api.test', false],
])('NO_PROXY=%s: is %s spared? %s', (list, host, spared) => {
  expect(spares(list, host)).toBe(spared);
});

test('this machine is asked directly, unless NO_PROXY says <-loopback>', () => {
  expect(spares('', 'http://127.0.0.1:8080')).toBe(true);
  expect(spares('api.test,<-loopback>', 'http://localhost:8080')).toBe(false);
});

test.each([
  ['proxy.test:3128', '"proxy.test:3128" is not a URL'],
  ['socks5://proxy.test', '"socks5://proxy.test" is neither http nor https'],
  [
    'socks5://me:geheim@proxy.test',
    'its value (not shown, it may hold a password) is neither http nor https',
  ],
  [
    'http://me:100%@proxy.test',
    'its value (not shown, it may hold a password) has a user or password that is not percent-encoded',
  ],
])('%s is a mistake, reported once, and only where a host would go through it', (value, mistake) => {
  const env = { HTTP_PROXY: value };
  expect(read(env, 'http://a.test', 'http://b.test').mistakes).toEqual([
    `HTTP_PROXY: ${mistake}; expected a URL such as http://proxy.example:3128`,
  ]);
  expect(read(env, 'http://127.0.0.1').mistakes).toEqual([]);
});

function folder(files: Readonly<Record<string, string | Buffer>>): string {
  const path = scratchFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content);
  return path;
}

function transportRead(cwd: string, env: Readonly<Record<string, string>>, insecure = false) {
  const mistakes: string[] = [];
  return { transport: transportIn(env, { cwd, insecure }, ['https://api.test'], mistakes), mistakes };
}

const { cert, key } = makeCertificate('127.0.0.1', Date.now());

test('with nothing set there is nothing special', () => {
  expect(transportRead('/', {})).toEqual({ transport: {}, mistakes: [] });
});

test('TLS_CA is read beside the project, and its certificates alone are kept', () => {
  const cwd = folder({ 'ca.pem': `# ours\n${key}\n${cert}\n${cert}` });
  const { transport, mistakes } = transportRead(cwd, { TLS_CA: ' ca.pem ' });
  expect(mistakes).toEqual([]);
  expect(transport.caFile).toBe('ca.pem');
  expect(transport.ca?.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
  expect(transport.ca).not.toContain('PRIVATE KEY');
});

test.each([
  ['missing.pem', 'does not exist; expected a PEM file of at most 1 MiB'],
  ['folder', 'cannot be read (not a file); expected a PEM file of at most 1 MiB'],
  ['large.pem', 'cannot be read (1048577 bytes); expected a PEM file of at most 1 MiB'],
  ['key.pem', 'holds no PEM certificate; expected "-----BEGIN CERTIFICATE-----"'],
  [
    'der.cer',
    'holds no PEM certificate; expected "-----BEGIN CERTIFICATE-----" (it looks like DER: openssl x509 -inform der -in … -out ca.pem)',
  ],
  ['broken.pem', 'holds a broken certificate (number 2 of 2)'],
])('TLS_CA=%s is a mistake that names the file', (name, mistake) => {
  const cwd = folder({
    'large.pem': Buffer.alloc(1_048_577),
    'key.pem': key,
    'der.cer': Buffer.from([0x30, 0x82, 1, 2]),
    'broken.pem': `${cert}\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----`,
  });
  mkdirSync(join(cwd, 'folder'));
  expect(transportRead(cwd, { TLS_CA: name })).toEqual({
    transport: {},
    mistakes: [`TLS_CA: "${name}" ${mistake}`],
  });
});

test('to check certificates and not to check them is a contradiction', () => {
  const { mistakes } = transportRead(folder({ 'ca.pem': cert }), { TLS_CA: 'ca.pem' }, true);
  expect(mistakes).toEqual([expect.stringMatching(/^--insecure: TLS_CA is set too/)]);
});

test('the password of a proxy is a secret in each form in which it travels', () => {
  const { transport } = transportRead('/', { HTTPS_PROXY: 'http://me:p%40ss@proxy.test:3128' });
  expect(transport.proxies).toEqual({ 'https://api.test': 'http://me:p%40ss@proxy.test:3128' });
  expect(secretsIn(transport)).toEqual(['p%40ss', 'p@ss', Buffer.from('me:p@ss').toString('base64')]);
});
