import { expect, test } from 'vitest';
import { k6Transport } from './k6-transport.ts';

const [base, logs] = ['https://game.example/v2', 'http://logs.example:8080'];
const proxy = 'http://user:word@proxy.example:3128';
const on = (transport: Parameters<typeof k6Transport>[0], platform: NodeJS.Platform = 'linux') =>
  k6Transport(transport, [base, logs], '/private/trusted', platform);

test('nothing special is no proxy of any kind', () => {
  expect(on({})).toEqual({ NO_PROXY: 'game.example,logs.example:8080' });
});

test('unchecked certificates are an option of k6, those to be trusted the only ones of Go', () => {
  expect(on({ insecure: true })).toMatchObject({ K6_INSECURE_SKIP_TLS_VERIFY: 'true' });
  expect(on({ ca: 'PEM' })).toMatchObject({
    SSL_CERT_FILE: '/private/trusted/ca.pem',
    SSL_CERT_DIR: '/private/trusted',
  });
});

test('a host that goes without a proxy is spared', () => {
  expect(on({ proxies: { 'https://game.example': proxy } })).toEqual({
    HTTPS_PROXY: proxy,
    NO_PROXY: 'logs.example:8080',
  });
  expect(on({ proxies: { 'https://game.example': proxy, 'http://logs.example:8080': proxy } })).toEqual({
    HTTPS_PROXY: proxy,
    HTTP_PROXY: proxy,
  });
});

test('what k6 cannot do is a mistake of one line', () => {
  expect(() => on({ ca: 'PEM' }, 'darwin')).toThrow(/^load: TLS_CA: on this system k6 trusts [^\n]+$/);
  const here = { proxies: { 'http://127.0.0.1:8080': proxy } };
  expect(() => k6Transport(here, ['http://127.0.0.1:8080/v2'], '', 'linux')).toThrow(
    /^load: NO_PROXY: "<-loopback>" [^\n]+$/,
  );
});
