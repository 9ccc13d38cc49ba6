// Writes the interface as one .http file, for httpyac.
import type { Operation } from '../../../catalog/operation.ts';
import { type Script, scriptOf } from '../call-script.ts';
import {
  type AnswerAccess,
  bodyExpression,
  type Capture,
  captureExpression,
  cookieIn,
  type Draft,
  encoded,
  findSource,
  initialValue,
  isSearch,
  jsonText,
  quoted,
} from '../request-draft.ts';
import { hosts, type TargetFacts } from '../target-facts.ts';

/**
 * The selected operations in an order that works. The hosts, the JWTs and other secrets come from the environment, as
 * Assay's own settings do: LOGIN_TOKEN holds the tokens of two players.
 */
export function catalogHttp(selected: readonly Operation[], facts: TargetFacts): string {
  const script = scriptOf(selected, facts);
  const parts = script.chapters.flatMap(({ title, drafts: own }) =>
    own.map(
      (draft, nth) => `${nth === 0 ? `# ==== ${title} ====\n\n` : ''}### ${draft.name}\n${request(draft)}`,
    ),
  );
  return `${[settings(script), ...parts].join('\n\n')}\n`;
}

const tokens: Readonly<Record<string, string>> = {
  loginToken: "(process.env.LOGIN_TOKEN ?? '').split(/\\s+/)[0]",
  otherLoginToken: "(process.env.LOGIN_TOKEN ?? '').split(/\\s+/)[1]",
};
const generators: Readonly<Record<string, string>> = {
  value: "'assay-' + random()",
  unique: 'random()',
  now: 'new Date().toISOString()',
};

/** The block before all requests: values that are set once, and `keep`, which keeps answers from being run as code. */
function settings({ drafts, values, secrets, generated }: Script): string {
  const given = [
    ...Object.values(hosts).map(({ variable, setting, url }) => [
      variable,
      `process.env.${setting} ?? ${quoted(url)}`,
    ]),
    ...secrets.map((name) => [name, tokens[name] ?? `process.env[${quoted(name)}]`]),
    ...Object.entries(values).map(([name, value]) => [
      name,
      initialValue(name, value, (setting) => `process.env.${setting}`),
    ]),
  ];
  const searches = drafts.some(({ captures }) => captures.some(isSearch));
  return [
    '# Run: httpyac send FILE --all, with BASE_URL, CDN_URL, GAMELOGS_URL and LOGIN_TOKEN="JWT JWT" in the environment.',
    '',
    '{{',
    ...(generated.length > 0 ? ['const random = () => Math.random().toString(36).slice(2, 10);'] : []),
    ...given.map(([name, expression]) => `$global.${name} ??= ${expression};`),
    ...generated.map((name) => `$global.${name} ??= ${generators[name]};`),
    '// What a server tells is text, never an expression.',
    'exports.keep = (name, value) => {',
    "  if (value !== undefined) $global[name] = String(value).replaceAll('{{', '');",
    '};',
    ...(searches ? [`exports.find = ${findSource}`] : []),
    '}}',
  ].join('\n');
}

const answerAccess: AnswerAccess = {
  body: 'response.parsedBody',
  header: (name) => `[response.headers[${quoted(name.toLowerCase())}]].flat()[0]`,
  cookie: (name) => cookieIn("response.headers['set-cookie']", name),
};

function request(draft: Draft): string {
  const { method, path, host, headers, body, accepts, captures } = draft;
  const expectedStatus = accepts?.length === 1 ? `?? status == ${accepts[0]}` : accepted(accepts);
  const lines = [
    '# @no-cookie-jar',
    `${method} ${spoken(`{{${hosts[host].variable}}}`)}${spoken(path, encoded)}`,
    ...headers.map(([name, value]) => `${name}: ${spoken(value)}`),
    ...(body ? ['', written(body)] : []),
    '',
    expectedStatus,
    ...(captures.length > 0 ? ['{{', ...captures.map(kept), '}}'] : []),
  ];
  return lines.join('\n');
}

const accepted = (accepts: readonly number[] | undefined) =>
  accepts
    ? `?? js [${accepts.join(', ')}].includes(response.statusCode) == true`
    : '?? js response.statusCode >= 200 && response.statusCode < 300 == true';

const kept = (capture: Capture) =>
  `keep('${capture.variable}', ${captureExpression(capture, answerAccess)});`;

const globally = (name: string) => `$global.${name}`;

/** Writes the variables of a text as httpyac finds them. */
const spoken = (
  text: string,
  put: (name: string, expression: string) => string = (_, expression) => expression,
) => text.replace(/\{\{([A-Za-z]\w*)\}\}/g, (_, name: string) => `{{${put(name, globally(name))}}}`);

/** Writes a body. Text that is not JSON is put in by an expression, since it could hold what begins another request. */
function written({ template, asText }: NonNullable<Draft['body']>): string {
  if (!asText) return spoken(jsonText(template));
  return `{{${bodyExpression(template, globally)}}}`;
}
