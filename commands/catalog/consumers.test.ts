// What Postman, httpyac and k6 make of the exports, counted at the embedded server.
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { catalog, operationById } from '../../catalog/catalog.ts';
import type { Host } from '../../catalog/operation.ts';
import { is2xx } from '../../engine/values/status.ts';
import { consumerScript, isMissing, pythonTool, type Ran, run } from '../../fixtures/kit/programs.ts';
import { fileOf } from '../../fixtures/kit/scratch.ts';
import { tokenOf } from '../../fixtures/kit/test-player.ts';
import { jsonReply } from '../../fixtures/mutants/mutant.ts';
import { startMutatedServer } from '../../fixtures/mutants/serve.ts';
import { makeHosts } from '../../fixtures/reference/server.ts';
import { findK6 } from '../../load/k6-install/build.ts';
import { catalogCommand } from './catalog.ts';

interface CountedServer {
  readonly hosts: Readonly<Record<Host, string>>;
  /** Statuses by operation id, in the order of the answers; `METHOD path` for what is no operation. */
  readonly answers: ReadonlyMap<string, readonly number[]>;
  /** Operations that were answered by 2xx each time. */
  readonly wellAnswered: () => string[];
  /** From now on the main API has this JSON at this path, and does not count who asks for it. */
  readonly publish: (path: string, json: string) => void;
  readonly close: () => void;
}

async function startCountedServer(): Promise<CountedServer> {
  const published = new Map<string, string>();
  const answers = new Map<string, number[]>();
  const { hosts, close } = await startMutatedServer(makeHosts(), () => async (call, forward) => {
    const document = published.get(call.url);
    if (document !== undefined) return jsonReply(JSON.parse(document));
    const reply = await forward();
    const row = call.operation?.id ?? `${call.method} ${call.url}`;
    answers.set(row, [...(answers.get(row) ?? []), reply.status]);
    return reply;
  });
  const wellAnswered = () =>
    Array.from(answers).flatMap(([row, statuses]) =>
      statuses.every((status) => is2xx(status)) ? [row] : [],
    );
  return { hosts, answers, wellAnswered, publish: (path, json) => published.set(path, json), close };
}

const profile = fileURLToPath(new URL('../../fixtures/profiles/reference.json', import.meta.url));
const tokens = [tokenOf('export-main'), tokenOf('export-other')] as const;
const rows = catalog.map(({ id }) => id).sort();

const newman = consumerScript('newman/bin/newman.js');
const httpyac = consumerScript('httpyac/bin/httpyac.js');
const k6 = await findK6(process.env);
const install = 'install it, and name its folder in ASSAY_CONSUMERS';
const withoutNewman = isMissing(newman, `the Postman collection is not run; newman is missing: ${install}`);
const withoutHttpyac = isMissing(httpyac, `the .http file is not run; httpyac is missing: ${install}`);
const withoutK6 = isMissing(k6, 'the k6 script is not run; npm run k6:install, or set K6_BIN');

/** The embedded server, and its URLs under the names of Assay's settings. */
async function counted() {
  const server = await startCountedServer();
  onTestFinished(server.close);
  const { base, cdn, gamelogs } = server.hosts;
  const settings = { BASE_URL: base, CDN_URL: cdn, GAMELOGS_URL: gamelogs, LOGIN_TOKEN: tokens.join(' ') };
  return { server, settings };
}

const exported = (format: string, only: readonly string[] = []) =>
  catalogCommand({ format, profile, only }, '.');

async function postman(
  text: string,
  { BASE_URL, CDN_URL, GAMELOGS_URL }: Record<string, string>,
): Promise<Ran> {
  const given = {
    base_url: BASE_URL,
    cdn_url: CDN_URL,
    gamelogs_url: GAMELOGS_URL,
    loginToken: tokens[0],
    otherLoginToken: tokens[1],
  };
  const variables = Object.entries(given).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);
  const file = fileOf('game.postman_collection.json', text);
  return run(process.execPath, [newman ?? '', 'run', file, ...variables, '--color', 'off']);
}

/** It finds files below the folder that it is run in. */
function http(text: string, settings: Record<string, string>): Promise<Ran> {
  const file = fileOf('game.http', text);
  const args = ['send', basename(file), '--all', '--output', 'none', '--no-color'];
  return run(process.execPath, [httpyac ?? '', ...args], { settings, cwd: dirname(file) });
}

const load = (text: string, settings: Record<string, string>): Promise<Ran> =>
  run(k6 ?? '', ['run', '--quiet', fileOf('game.js', text)], {
    settings: { ...settings, K6_NO_USAGE_REPORT: 'true', K6_AUTO_EXTENSION_RESOLUTION: 'false' },
  });

/** These are whole programs, and the machine may be busy. */
const limitMs = 90_000;

test.skipIf(withoutNewman)(
  'Newman runs the collection: every operation, each answered by 2xx',
  async () => {
    const { server, settings } = await counted();
    const { code, output } = await postman(await exported('postman'), settings);
    expect(server.wellAnswered().sort(), output.slice(-2000)).toEqual(rows);
    expect(code).toBe(0);
  },
  limitMs,
);

test.skipIf(withoutHttpyac)(
  'httpyac runs the .http file: every operation, each answered by 2xx',
  async () => {
    const { server, settings } = await counted();
    const { code, output } = await http(await exported('http'), settings);
    expect(server.wellAnswered().sort(), output.slice(-2000)).toEqual(rows);
    expect(code).toBe(0);
  },
  limitMs,
);

test.skipIf(withoutHttpyac)(
  'httpyac does not run what a server reports',
  async () => {
    const { server, settings } = await counted();
    const login = `/api/v1/auth/provider/storefront/login?token=${tokens[0]}`;
    server.publish(login, JSON.stringify({ token: '{{process.exit(7)}}' }));
    const { code } = await http(await exported('http', ['match.create']), settings);
    expect(server.answers.get('match.create')).toEqual([401]);
    expect(code).not.toBe(7);
  },
  limitMs,
);

test.skipIf(withoutK6)(
  'k6 runs the script: every operation, each answered by 2xx',
  async () => {
    const { server, settings } = await counted();
    const { code, output } = await load(await exported('k6'), settings);
    expect(server.wellAnswered().sort(), output.slice(-2000)).toEqual(rows);
    expect(code).toBe(0);
  },
  limitMs,
);

test.skipIf(withoutK6)(
  'a selection runs by itself, with the calls that it needs',
  async () => {
    const { server, settings } = await counted();
    const { code } = await load(await exported('k6', ['party.acceptJoin', 'messages.claim']), settings);
    expect(code).toBe(0);
    expect(server.wellAnswered().sort()).toEqual(
      [
        'auth.login',
        'messages.claim',
        'messages.list',
        'party.acceptJoin',
        'party.create',
        'party.join',
      ].sort(),
    );
  },
  limitMs,
);

test.skipIf(withoutK6)(
  'k6 reports an answer that was not accepted, by its operation',
  async () => {
    const { settings } = await counted();
    const { code, output } = await load(await exported('k6', ['match.get']), {
      ...settings,
      BASE_URL: settings.CDN_URL,
    });
    expect(output).toContain('✗ match.get is answered 200');
    expect(code).toBe(99);
  },
  limitMs,
);

// What two validators and Schemathesis make of the OpenAPI document.
const openapiConsumersProfile = fileURLToPath(
  new URL('../../fixtures/profiles/reference.json', import.meta.url),
);
const given = [
  ['without a profile', {}],
  ['with one', { profile: openapiConsumersProfile }],
] as const;
const openapiConsumersExported = (options: { readonly profile?: string }) =>
  catalogCommand({ format: 'openapi', ...options }, '.');

const python = pythonTool('openapi-spec-validator');
const schemathesis = pythonTool('schemathesis');
const node = consumerScript('@seriousme/openapi-schema-validator/package.json');
const withoutPython = isMissing(
  python,
  'OpenAPI is not validated by openapi-spec-validator; name its python in ASSAY_PYTHON',
);
const withoutNode = isMissing(
  node,
  'OpenAPI is not validated in Node; name the folder of the validator in ASSAY_CONSUMERS',
);
const withoutSchemathesis = isMissing(
  schemathesis,
  'Schemathesis does not read OpenAPI; name its python in ASSAY_PYTHON',
);

test.skipIf(withoutPython)(
  'openapi-spec-validator finds it valid, with and without a profile',
  async () => {
    const files = await Promise.all(
      given.map(async ([, options]) => fileOf('openapi.json', await openapiConsumersExported(options))),
    );
    const { code, output } = await run(python ?? '', files);
    expect(output.match(/: OK$/gm), output.slice(-2000)).toHaveLength(2);
    expect(code).toBe(0);
  },
  limitMs,
);

test.skipIf(withoutNode).each(given)(
  '@seriousme/openapi-schema-validator finds it valid %s',
  async (_, options) => {
    const entry = createRequire(node ?? import.meta.url).resolve('@seriousme/openapi-schema-validator');
    const { Validator } = await import(pathToFileURL(entry).href);
    const { valid, errors } = await new Validator().validate(
      JSON.parse(await openapiConsumersExported(options)),
    );
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  },
);

interface Server {
  readonly variables: Record<string, { default: string }>;
}

/** The document with the hosts of this server as defaults, as somebody who has it would write them. */
async function documentFor(hosts: Readonly<Record<string, string>>): Promise<string> {
  const document = JSON.parse(await openapiConsumersExported({ profile: openapiConsumersProfile }));
  const paths = Object.values<{ servers?: Server[] }>(document.paths);
  for (const server of [...document.servers, ...paths.flatMap(({ servers = [] }) => servers)] as Server[])
    for (const [name, variable] of Object.entries(server.variables))
      variable.default = hosts[name.replace('_url', '')] ?? '';
  return JSON.stringify(document);
}

test.skipIf(withoutSchemathesis)(
  'Schemathesis reads it and sends each of its 180 operations',
  async () => {
    const server = await startCountedServer();
    onTestFinished(server.close);
    const { base } = server.hosts;
    // The main API is where the document comes from; for the others Schemathesis looks at a path's servers.
    server.publish('/openapi.json', await documentFor(server.hosts));
    const { code, output } = await run(schemathesis ?? '', [
      ...['run', `${base}/openapi.json`],
      ...['--phases', 'examples,fuzzing', '--max-examples', '1', '--mode', 'positive', '--seed', '1'],
      ...[
        '--checks',
        'not_a_server_error',
        '--generation-database',
        'none',
        '--warnings',
        'off',
        '--no-color',
      ],
    ]);
    expect(output).toMatch(/Selected: 180\/180\s+Tested: 180/);
    expect(code).toBe(0);
    const operations = Array.from(server.answers.keys(), operationById).filter(
      (operation) => operation !== undefined,
    );
    expect(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size).toBe(180);
  },
  limitMs,
);
