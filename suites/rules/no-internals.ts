// Checks that refusals show no internals of the server: the plain call where it is refused, two wrong calls, and every
// server error that the run met.

import type { Operation } from '../../catalog/operation.ts';
import { maskEchoes } from '../../engine/compare/compare.ts';
import { type Ask, nobody } from '../../engine/http/ask.ts';
import { type Exchange, json, type Response, text } from '../../engine/http/exchange.ts';
import { notTriggered, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import type { MatcherFinding } from '../../engine/probe/matchers/http-fields.ts';
import { servedAnswer } from '../../engine/probe/prerequisites.ts';
import { isNested } from '../../engine/values/json-walk.ts';
import { switchPoint } from '../../engine/values/switch-points.ts';
import { fuzzerOf, takesBody } from '../shared/bad-input.ts';
import { malformed } from './malformed-body.ts';

/** Two wrong calls: one without a credential, and the one whose exchange `malformed-body` judges. */
const provocations = (operation: Operation, { takesSession }: Context): Ask[] => [
  ...(takesSession(operation.host) ? [{ as: nobody }] : []),
  ...(takesBody(operation) ? [{ as: fuzzerOf(operation), ...malformed }] : []),
];

export const noInternals: Rule = {
  name: 'no-internals',
  title: 'its refusals show no stack trace and no file path of the server',
  clause: 'sense.no-internals',
  async judge(operation, context) {
    const plain = await servedAnswer(operation, context);
    const further = await Promise.all(
      provocations(operation, context).map((ask) => context.ask(operation, ask)),
    );
    const refusals = [plain.exchange, ...further].filter(
      ({ response }) => response && response.status >= 400,
    );
    const own = refusals.find(internalsShown);
    const shown = own ?? (await context.serverErrors(operation)).find(internalsShown);
    const found = shown && internalsShown(shown);
    if (found)
      return {
        ...violation(found.expected, found.actual, shown),
        ...(own === undefined && { seenIn: [operation.area] }),
      };
    return refusals.length === 0 ? notTriggered('nothing was refused') : pass(refusals.at(-1));
  },
};

/** Characters of a body that are searched: a stack trace comes early. */
const mostCharacters = 65_536;

const traces: readonly (readonly [language: string, pattern: RegExp])[] = [
  [
    'JavaScript',
    /\bat (?:async )?[\w.$<>[\] ]{1,80} \([^()\s]{1,200}:\d+:\d+\)|\bat (?:file:\/\/|node:|\/)[^\s()"]{1,200}:\d+:\d+/,
  ],
  [
    'Java',
    /\bat [\w$.]{1,200}\.[\w$<>]{1,80}\((?:[\w$]{1,80}\.(?:java|kt|scala|groovy):\d+|Native Method|Unknown Source)\)/,
  ],
  ['Python', /Traceback \(most recent call last\)|File "[^"]{1,200}", line \d+/],
  ['Go', /goroutine \d+ \[[\w ,]{1,40}\]|\.go:\d+ \+0x[0-9a-f]+|panic: runtime error/],
  [
    '.NET',
    /\bat [\w.`<>[\]]{1,200}\([^()]{0,200}\) in [^\n]{1,200}:line \d+|\bat (?:System|Microsoft)\.[\w.`<>[\]]{1,200}\(/,
  ],
  ['PHP', /Stack trace:\s{0,80}(?:<br ?\/?>)?\s{0,80}#0 |\.php(?:<\/b>)? on line (?:<b>)?\d+/],
  ['Ruby', /\.rb:\d+:in [`']/],
  ['Rust', /thread '[^']{1,80}' panicked at/],
];

const file = String.raw`\.(?:[cm]?[jt]sx?|py|rb|php|java|go|cs|rs|kt|scala|exs?|jar|dll|so|json|ya?ml|conf|ini|sql|log|db|sqlite)\b`;
const folder = '/(?:usr|home|var|opt|srv|root|etc|tmp|mnt|Users|private|workspace)/';
const notInUrl = String.raw`(?<![\w.~%-]|:/)`;
const places: readonly RegExp[] = [
  new RegExp(`${notInUrl}${folder}(?:[\\w.@+-]{1,80}/){0,20}[\\w.@+-]{1,80}${file}`),
  // A value that was sent, below a folder of the server.
  new RegExp(`${notInUrl}${folder}[\\w.@+-]{1,80}(?:/[\\w.@+-]{1,80}){0,20}‹(?:path|target)›`),
  new RegExp(String.raw`${notInUrl}/(?:[\w.@+-]{1,80}/){1,20}[\w.@+-]{1,80}${file}:\d+`),
  /\/node_modules\/[\w.@/-]{1,200}/,
  /\b[A-Z]:\\(?:[\w.$ -]{1,80}\\){1,20}[\w.$-]{1,80}/,
];

/** Links of a page name URLs, not files of the server. */
const links = /\b(?:src|href|action|content)\s*=\s*["'][^"']{0,500}["']/gi;

/** The first stack trace or server path in an answer's body; values that were sent and come back do not count. */
export const internalsShown = switchPoint(function internalsShown(
  exchange: Exchange,
): MatcherFinding | undefined {
  const { request, response } = exchange;
  if (!response || response.body.length === 0) return undefined;
  const body = maskEchoes(wordsOf(response), request).replace(links, '');
  const expected = 'a refusal that shows no stack trace and no path of the server';
  for (const [language, pattern] of traces) {
    const [found] = pattern.exec(body) ?? [];
    if (found !== undefined) return { expected, actual: `a ${language} stack trace: ${short(found)}` };
  }
  for (const pattern of places) {
    const [found] = pattern.exec(body) ?? [];
    if (found !== undefined) return { expected, actual: `a path of the server: ${short(found)}` };
  }
  return undefined;
});

/** The body as a reader sees it; for JSON its texts, unescaped, so that `\n` is a line break. */
function wordsOf(response: Response): string {
  const parsed = json(response);
  if (!parsed.ok) return text(response).slice(0, mostCharacters);
  const open: unknown[] = [parsed.value];
  let words = '';
  while (open.length > 0 && words.length < mostCharacters) {
    const value = open.pop();
    if (typeof value === 'string') words += `${value}\n`;
    else if (isNested(value)) open.push(...Object.values(value).slice(0, 1_000));
  }
  return words.slice(0, mostCharacters);
}

const short = (found: string) => JSON.stringify(found.length > 100 ? `${found.slice(0, 100)}…` : found);
