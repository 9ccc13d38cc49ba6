// Writes the interface as a Postman collection, format 2.1.
import type { Operation } from '../../../catalog/operation.ts';
import { scriptOf, tokens } from '../call-script.ts';
import {
  type AnswerAccess,
  asPlainText,
  captureExpression,
  cookieIn,
  type Draft,
  findSource,
  isSearch,
  jsonText,
  quoted,
} from '../request-draft.ts';
import { hosts, type TargetFacts } from '../target-facts.ts';

const freshValues: Readonly<Record<string, string>> = {
  value: "if (!pm.collectionVariables.get('value')) set('value', 'assay-' + guid().slice(0, 8));",
  unique: "set('unique', guid());",
  now: "set('now', new Date().toISOString());",
};

/** The script before a request: makes its new values, and fails where the token that it needs has no value. */
function preRequest({ uses }: Draft): string[] {
  const made = uses.flatMap((name) => freshValues[name] ?? []);
  const token = uses.find((name) => tokens.includes(name));
  return [
    ...(made.length === 0
      ? []
      : [
          'const set = (name, value) => pm.collectionVariables.set(name, value);',
          "const guid = () => pm.variables.replaceIn('{{$guid}}');",
          ...made,
        ]),
    ...(token === undefined
      ? []
      : [
          `if (!pm.variables.get('${token}'))`,
          `  throw new Error('${token} has no value: give it the JWT of a player');`,
        ]),
  ];
}

/** Reads the cookies of the answer, not those of the jar, which two players would share. */
const cookies =
  'const cookies = pm.response.headers.all().flatMap(({ key, value }) => (/^set-cookie$/i.test(key) ? [value] : []));';

const keep = 'const keep = (name, value) => value === undefined || pm.collectionVariables.set(name, value);';

const answerAccess: AnswerAccess = {
  body: 'answer',
  header: (name) => `pm.response.headers.get(${quoted(name)})`,
  cookie: (name) => cookieIn('cookies', name),
};

/** The script after an answer: checks the status, and keeps the values that later requests need. */
function postmanTest({ accepts, captures }: Draft): string[] {
  const test = accepts
    ? `pm.test('answers ${accepts.join(' or ')}', () => pm.expect(pm.response.code).to.be.oneOf([${accepts.join(', ')}]));`
    : "pm.test('answers 2xx', () => pm.response.to.be.success);";
  if (captures.length === 0) return [test];
  return [
    test,
    'let answer;',
    'try { answer = pm.response.json(); } catch {}',
    ...(captures.some(({ from }) => 'cookie' in from) ? [cookies] : []),
    ...(captures.some(isSearch) ? findSource.split('\n') : []),
    keep,
    ...captures.map((capture) => `keep('${capture.variable}', ${captureExpression(capture, answerAccess)});`),
  ];
}

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/**
 * A collection of the selected operations in an order that works: a folder per chapter of the call script, a request
 * per call, named by its id. Runs unchanged in Newman and Postman once `loginToken` and `otherLoginToken` are given;
 * secrets are variables without a value.
 */
export function catalogPostman(selected: readonly Operation[], facts: TargetFacts): string {
  const { chapters, values, secrets } = scriptOf(selected, facts);
  const sendsCookies = facts.credentials.some(({ sentAs }) => 'cookie' in sentAs);
  const collection = {
    info: {
      name: 'Game backend',
      description: `Give ${secrets.join(', ') || 'nothing'} a value in an environment, and base_url, cdn_url and gamelogs_url that of your server.`,
      schema,
    },
    item: chapters.map(({ title, drafts: own }) => ({ name: title, item: own.map(item) })),
    variable: [
      ...Object.values(hosts).map(({ variable, url }) => ({ key: variable, value: url })),
      ...Object.entries(values).map(([key, value]) => ({ key, value })),
      ...secrets.map((key) => ({ key, value: '' })),
    ],
    // Two players would share the jar, so cookies are sent as headers.
    ...(sendsCookies && { protocolProfileBehavior: { disableCookies: true } }),
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}

function item(draft: Draft) {
  const { name, method, host, path, headers, body } = draft;
  const at = `{{${hosts[host].variable}}}`;
  const [bare = '', query] = path.split('?', 2);
  const before = preRequest(draft);
  return {
    name,
    request: {
      method,
      header: headers.map(([key, value]) => ({ key, value })),
      ...(body && { body: rawBody(body) }),
      url: {
        raw: at + path,
        host: [at],
        path: bare.split('/').slice(1),
        ...(query !== undefined && { query: query.split('&').map(pair) }),
      },
    },
    event: [...(before.length > 0 ? [script('prerequest', before)] : []), script('test', postmanTest(draft))],
  };
}

function rawBody({ template, asText }: NonNullable<Draft['body']>) {
  const raw = asText ? asPlainText(String(template)) : jsonText(template);
  return { mode: 'raw', raw, ...(!asText && { options: { raw: { language: 'json' } } }) };
}

function pair(text: string) {
  const [key = '', value = ''] = text.split('=', 2);
  return { key, value };
}

const script = (listen: string, exec: readonly string[]) => ({
  listen,
  script: { type: 'text/javascript', exec },
});
