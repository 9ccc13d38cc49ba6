import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../http/client.ts';
import { createRedactor } from '../http/redact.ts';
import { openTarget } from '../run/open-target.ts';
import { readTarget } from '../target/target.ts';
import { makeCertificate } from '../values/certificate.ts';
import { troubleOf } from './lines.ts';
import { preflight } from './preflight.ts';

const allRoutes = ['/api/v1/auth/v2/publicKey', '/api/v1/me/location', '/api/v1/healthcheck'];

/** A server with a few routes of the main API, or some of them; `serves` none where it is false. */
async function server(
  scheme: 'http' | 'https',
  {
    serves = true,
    routes = allRoutes,
    bornAt = Date.now(),
    prefix = '',
    description = undefined as object | undefined,
  } = {},
) {
  const answer: Parameters<typeof createServer>[1] = ({ url = '' }, response) => {
    const isDescription = description !== undefined && url === '/openapi.json';
    const isRoute = url.startsWith(prefix) && routes.includes(url.slice(prefix.length));
    response.statusCode = isDescription || (serves && isRoute) ? 200 : 404;
    response.end(JSON.stringify(isDescription ? description : {}));
  };
  const made =
    scheme === 'http'
      ? createServer(answer)
      : createTlsServer(makeCertificate('127.0.0.1', bornAt), answer as never);
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    made.closeAllConnections();
    made.close();
  });
  return `127.0.0.1:${(made.address() as AddressInfo).port}`;
}

async function look(env: Readonly<Record<string, string>>) {
  const target = readTarget(env, { cwd: '/' });
  const client = createClient({ ...target.transport, timeoutMs: 2_000, waitBudgetMs: 0 });
  onTestFinished(() => client.close());
  return preflight({ client, target, redactor: createRedactor() });
}

test('a URL that ends in what every path begins with is reported with the one to set', async () => {
  const at = await server('http');
  const { mistakes } = await look({ BASE_URL: `http://${at}/api/v1` });
  expect(mistakes).toEqual([
    `base: nothing of it is served at BASE_URL, and 3 of 3 operations of it that were tried at http://${at} are answered there; the paths of the interface begin with what BASE_URL ends in, so it is sent twice: set BASE_URL=http://${at}`,
  ]);
});

test('a host that answers nothing of the main API but a healthcheck is no main API', async () => {
  const [main, files] = [await server('http'), await server('http', { routes: ['/api/v1/healthcheck'] })];
  const { mistakes } = await look({ BASE_URL: `http://${files}`, CDN_URL: `http://${main}` });
  expect(mistakes).toEqual([
    `base: nothing of it is served at BASE_URL, and 3 of 3 operations of it that were tried at CDN_URL are answered there; set BASE_URL=http://${main}, if that is where it is meant to stand`,
  ]);
});

test('a server that has little yet shows by one operation that its URL ends in what every path begins with', async () => {
  const at = await server('http', { routes: ['/api/v1/healthcheck'] });
  expect((await look({ BASE_URL: `http://${at}/api/v1` })).mistakes).toEqual([
    expect.stringContaining(`1 of 3 operations of it that were tried at http://${at} are answered there`),
  ]);
  const elsewhere = await server('http', { routes: ['/api/v1/healthcheck'], prefix: '/game' });
  expect((await look({ BASE_URL: `http://${elsewhere}/game/other` })).mistakes).toEqual([]);
});

test('a prefix that the description of the API names is reported where operations are answered under it', async () => {
  const described = (prefix: string) => ({
    openapi: '3.1.0',
    paths: { [`${prefix}/api/v1/healthcheck`]: { get: {} } },
  });
  const at = await server('http', { prefix: '/game', description: described('/game') });
  expect((await look({ BASE_URL: `http://${at}` })).mistakes).toEqual([
    `base: nothing of it is served at BASE_URL, and 3 of 3 operations of it that were tried at http://${at}/game are answered there; the description of the API has that before the paths of the interface: set BASE_URL=http://${at}/game`,
  ]);
  const wrong = await server('http', { prefix: '/game', description: described('/other') });
  expect((await look({ BASE_URL: `http://${wrong}` })).mistakes).toEqual([]);
});

test('a server that serves nothing under any prefix is not taken for another', async () => {
  const at = await server('http', { serves: false });
  expect((await look({ BASE_URL: `http://${at}/api/v1` })).mistakes).toEqual([]);
});

test('a server that answers anything by chance is not taken for the host that was meant', async () => {
  const statuses = [200, 404, 401, 500, 204, 403];
  const [chance, empty] = await Promise.all(
    [true, false].map(async (isChance) => {
      let nth = 0;
      const made = createServer((_, response) => {
        response.statusCode = isChance ? (statuses[nth++ % statuses.length] ?? 200) : 404;
        response.end('{}');
      });
      await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => {
        made.closeAllConnections();
        made.close();
      });
      return `http://127.0.0.1:${(made.address() as AddressInfo).port}`;
    }),
  );
  expect((await look({ BASE_URL: `${empty}/api/v1`, CDN_URL: `${chance}` })).mistakes).toEqual([]);
});

test('a host that answers as another one, of which no URL is given, is called by its kind', async () => {
  const at = await server('http');
  const of = (variable: string) => look({ [variable]: `http://${at}` });
  for (const [variable, kind] of [
    ['CDN_URL', 'the client-data host'],
    ['GAMELOGS_URL', 'the logging API'],
  ] as const) {
    const { lines, hints, mistakes } = await of(variable);
    const host = variable === 'CDN_URL' ? 'cdn' : 'gamelogs';
    const said = `${host}: what answers at ${variable} looks like the main API: 3 of 3 operations of that which were tried are answered, and none of ${kind}; set ${variable} to ${kind}, and BASE_URL=http://${at}`;
    expect(lines).toContain(said);
    expect(hints[0]).toBe(said);
    expect(mistakes).toEqual([]);
  }
  expect((await of('BASE_URL')).hints.join()).not.toMatch(/looks like|check first/);
});

test('a server that answers nothing of the main API is doubted, and its words are not', async () => {
  const at = await server('http', { serves: false });
  const { hints, lines } = await look({ BASE_URL: `http://${at}` });
  const said = `base: nothing that was tried of the main API is answered at BASE_URL, so another server may stand there; check first that http://${at} is the URL of the main API, with its port and path prefix`;
  expect(hints[0]).toBe(said);
  expect(hints.join()).not.toContain('another word');
  // Before the first check, not only after the last one.
  expect(lines[1]).toBe(said);
});

test('https that is asked of an http port is reported with the URL to set', async () => {
  const at = await server('http');
  expect((await look({ BASE_URL: `https://${at}` })).mistakes).toEqual([
    `base: not reached at https://${at} (tls): plain http is spoken there, and BASE_URL says https; set BASE_URL=http://${at}`,
  ]);
});

test('http that is asked of an https port is reported with the URL to set', async () => {
  const at = await server('https');
  const { mistakes } = await look({ BASE_URL: `http://${at}` });
  expect(mistakes).toHaveLength(1);
  expect(mistakes[0]).toContain(`https is spoken there, and BASE_URL says http; set BASE_URL=https://${at}`);
});

test('a certificate that nobody trusted signed is named, with the setting that trusts it', async () => {
  const at = await server('https');
  const { lines, mistakes, unreachable } = await look({ BASE_URL: `https://${at}` });
  const why =
    'nobody whom this machine trusts has signed its certificate; name the one to trust with TLS_CA=FILE (PEM), or look at none (--insecure)';
  expect(lines[0]).toBe(`base: not reached at https://${at} (tls): ${why}`);
  expect(unreachable).toEqual({ base: why });
  expect(mistakes).toEqual([]);
});

test('a certificate of another name is reported as that', () => {
  const message = 'GET https://a/: Host: a. is not in the names of b (ERR_TLS_CERT_ALTNAME_INVALID)';
  expect(troubleOf({ host: 'base', reachable: false, error: 'tls', message })).toContain(
    'its certificate is issued for another name; give the URL with that name',
  );
});

test('an expired certificate is named, and is no mistake in a URL', async () => {
  const at = await server('https', { bornAt: Date.now() - 30 * 86_400_000 });
  const { lines, mistakes } = await look({ BASE_URL: `https://${at}` });
  expect(lines.join('\n')).toContain('its certificate has expired; renew it');
  expect(mistakes).toEqual([]);
});

test('a run does not begin with a URL that is surely another', async () => {
  const at = await server('http');
  const opening = openTarget({ env: { BASE_URL: `http://${at}/api/v1` }, cwd: '/' });
  await expect(opening).rejects.toThrow(`set BASE_URL=http://${at}`);
});
