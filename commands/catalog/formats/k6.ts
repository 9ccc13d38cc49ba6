// Writes the interface as a k6 script: one function that follows the call order.
import type { Operation } from '../../../catalog/operation.ts';
import { type Script, scriptOf } from '../call-script.ts';
import {
  type AnswerAccess,
  bodyExpression,
  captureExpression,
  cookieIn,
  type Draft,
  encoded,
  findSource,
  initialValue,
  isSearch,
  memberName,
  quoted,
  textExpression,
} from '../request-draft.ts';
import { hosts, type TargetFacts } from '../target-facts.ts';

const answerAccess: AnswerAccess = {
  body: 'answer.body',
  header: (name) => `headerOf(answer, ${quoted(name)})`,
  cookie: (name) => cookieIn('cookiesOf(answer)', name),
};

/** The members of `values` that make a text in the script, by the names in `generated`. */
const generators: Readonly<Record<string, string>> = {
  value: "value: 'assay-' + random()",
  unique: 'get unique() { return random(); }',
  now: 'get now() { return new Date().toISOString(); }',
};

/** Imports, options, hosts, and the values that a player begins with. */
function settings({ values, secrets, generated }: Script): string {
  const players = secrets.filter((name) => /loginToken$/i.test(name));
  const given = secrets.filter((name) => !players.includes(name));
  const members = [
    ...players.map((name, nth) => `${name}: tokens[${tokenIndex(players.length, nth)} % tokens.length]`),
    ...given.map((name) => `${name}: __ENV[${quoted(name)}]`),
    ...Object.entries(values).map(
      ([name, value]) => `${name}: ${initialValue(name, value, (setting) => `__ENV.${setting}`)}`,
    ),
    ...generated.flatMap((name) => generators[name] ?? []),
  ];
  const blocks = [
    [
      `// Run: BASE_URL=… CDN_URL=… GAMELOGS_URL=…${players.length > 0 ? ` LOGIN_TOKEN="${players.map(() => 'JWT').join(' ')}"` : ''} k6 run FILE`,
      "import { check } from 'k6';",
      "import http from 'k6/http';",
    ],
    ["export const options = { vus: 1, iterations: 1, thresholds: { checks: ['rate==1'] } };"],
    Object.values(hosts).map(
      ({ variable, setting, url }) => `const ${variable} = __ENV.${setting} || ${quoted(url)};`,
    ),
    ...(players.length > 0 ? [playerLines(players.length)] : []),
    [
      ...(generated.some((name) => name !== 'now')
        ? ['const random = () => Math.random().toString(36).slice(2, 10);']
        : []),
      'const values = () => ({',
      ...members.map((member) => `  ${member},`),
      '});',
    ],
  ];
  return blocks.map((lines) => lines.join('\n')).join('\n\n');
}

const tokenIndex = (players: number, nth: number) =>
  players === 1 ? '(__VU - 1)' : `(${players} * __VU - ${players - nth})`;

const playerLines = (players: number) => [
  "// Each VU has its own player, so that it does not end another VU's session; VUs share where there are fewer tokens.",
  "const tokens = (__ENV.LOGIN_TOKEN || '').split(/\\s+/).filter((token) => token !== '');",
  '',
  'export function setup() {',
  `  if (tokens.length < ${players}) throw new Error('LOGIN_TOKEN has to hold the ${players === 1 ? 'JWT of a player' : `JWTs of ${players} players, separated by white space`}');`,
  '}',
];

/** `call`: sends a request, checks the status, and returns the parsed body and the headers. */
const callSource = `function call(name, method, url, headers, { json, text, type, accepts } = {}) {
  const isJson = json !== undefined;
  const body = isJson ? JSON.stringify(json) : (text ?? null);
  const typed = body === null ? headers : { ...headers, 'Content-Type': type ?? 'application/json' };
  // Each call has a cookie jar of its own: two players would share that of the VU.
  const response = http.request(method, url, body, { headers: typed, tags: { name }, jar: new http.CookieJar() });
  const isAccepted = accepts ? accepts.includes(response.status) : response.status >= 200 && response.status < 300;
  check(response, { [\`\${name} is answered \${accepts ? accepts.join(' or ') : '2xx'}\`]: () => isAccepted });
  return { body: parsed(response.body), headers: response.headers };
}

function parsed(body) {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}`;

const headerSource = `function headerOf(answer, name) {
  const found = Object.entries(answer.headers).find(([each]) => each.toLowerCase() === name.toLowerCase());
  return found?.[1];
}`;

/** Several Set-Cookie fields come as one, joined by commas. */
const cookieSource = `function cookiesOf(answer) {
  return answer.headers['Set-Cookie']?.split(/, (?=[^;=]+=)/);
}`;

/** A script for stock k6 that calls each selected operation once and checks its status; its user changes `options`. */
export function catalogK6(selected: readonly Operation[], facts: TargetFacts): string {
  const script = scriptOf(selected, facts);
  const { chapters, drafts } = script;
  const body = chapters.map(({ title, drafts: own }) =>
    [`  // ${title}`, ...own.flatMap(callLines)].join('\n'),
  );
  const captures = drafts.flatMap((draft) => draft.captures);
  const helpers = [
    callSource,
    ...(captures.some(isSearch) ? [findSource] : []),
    ...(captures.some(({ from }) => 'header' in from) ? [headerSource] : []),
    ...(captures.some(({ from }) => 'cookie' in from) ? [cookieSource] : []),
  ];
  const main = [
    'export default function () {',
    '  const v = values();',
    '  let answer;',
    '',
    body.join('\n\n'),
    '}',
  ];
  return `${[settings(script), signatures(drafts), main.join('\n'), ...helpers].join('\n\n')}\n`;
}

const variable = (name: string) => `v.${name}`;
const names = { main: 'asMain', other: 'asOther', nobody: 'asNobody' };
const nameOf = ({ signedBy }: Draft) => names[signedBy ?? 'nobody'];
const isType = (name: string) => name === 'Content-Type';

/** One function for the headers of each caller: `asMain`, `asOther`, `asNobody`. */
function signatures(drafts: readonly Draft[]): string {
  const used = new Map(drafts.map((draft) => [nameOf(draft), draft.headers]));
  return Array.from(used, ([name, headers]) => {
    const members = headers
      .filter(([header]) => !isType(header))
      .map(([header, text]) => {
        return `${memberName(header, variable)}: ${textExpression(text, variable)}`;
      });
    return members.length === 0
      ? `const ${name} = () => ({});`
      : `const ${name} = (v) => ({ ${members.join(', ')} });`;
  }).join('\n');
}

/** The lines of one call: the call itself, then what is captured from its answer. */
function callLines(draft: Draft): string[] {
  const { name, method, host, path, body, accepts, captures } = draft;
  const address = textExpression(path, (each) => encoded(each, variable(each)));
  const url = `${hosts[host].variable} + ${address}`;
  const details = [
    ...(body ? [bodyArgument(body)] : []),
    ...(accepts ? [`accepts: [${accepts.join(', ')}]`] : []),
  ];
  const rest = details.length === 0 ? '' : `, { ${details.join(', ')} }`;
  const call = `call('${name}', '${method}', ${url}, ${nameOf(draft)}(v)${rest});`;
  return captures.length === 0
    ? [`  ${call}`]
    : [
        `  answer = ${call}`,
        ...captures.map(
          (capture) => `  v.${capture.variable} = ${captureExpression(capture, answerAccess)};`,
        ),
      ];
}

function bodyArgument({ template, contentType, asText }: NonNullable<Draft['body']>): string {
  const type = contentType === 'application/json' ? '' : `, type: ${textExpression(contentType, variable)}`;
  return `${asText ? 'text' : 'json'}: ${bodyExpression(template, variable)}${type}`;
}
