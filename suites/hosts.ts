// Checks per host: its habits where the document is silent, the form of its errors, and the requirements of HTTP on any
// server.
import { areas } from '../catalog/catalog.ts';
import { clauseById } from '../catalog/clauses/clauses.ts';
import type { Operation } from '../catalog/operation.ts';
import { sameBytes, sameForm } from '../engine/compare/content.ts';
import { reasonOfError } from '../engine/compare/no-answer.ts';
import { type Ask, nobody } from '../engine/http/ask.ts';
import {
  type Exchange,
  header,
  json,
  mediaType,
  membersOf,
  type Response,
  statusOf,
} from '../engine/http/exchange.ts';
import {
  inconclusive,
  type Judgement,
  notTriggered,
  observed,
  pass,
  violation,
  warning,
} from '../engine/judgement.ts';
import { type Check, check, suite } from '../engine/probe/check.ts';
import type { Context } from '../engine/probe/context.ts';
import { etagOf } from '../engine/probe/matchers/http-fields.ts';
import { answered, servedAnswer } from '../engine/probe/prerequisites.ts';
import { isNested } from '../engine/values/json-walk.ts';
import { is5xx } from '../engine/values/status.ts';
import { percentDecoded } from '../engine/values/text.ts';
import { otherMethod } from './rules/other-method.ts';
import { knownVersions, otherVersion } from './rules/own-version.ts';
import { askedPath } from './shared/asked-path.ts';
import { isHabit } from './shared/habit.ts';

// Habits that clients come to rely on, and the form of errors. Open: nothing here fails.

interface Habit {
  readonly rule: string;
  readonly title: string;
  readonly ask: (operation: Operation, plain: Exchange, context: Context) => Ask;
  readonly describe: (answer: Exchange, plain: Exchange) => string;
}

const comparedTo = (answer: Exchange, plain: Exchange): string =>
  sameForm(answer, plain) ? `ignored (${statusOf(answer)})` : `answered ${statusOf(answer)}`;

/** Changes the path of the plain call, and keeps its query. */
const withPath =
  (change: (path: string) => string): Habit['ask'] =>
  (operation, plain, context) => {
    const [path = '', query] = askedPath(plain, operation, context).split('?', 2);
    return { path: query === undefined ? change(path) : `${change(path)}?${query}` };
  };

/** Swaps upper and lower case in the last segment, except in percent-encoding. */
const turnCase = (path: string) => {
  const last = path.lastIndexOf('/') + 1;
  const turned = path
    .slice(last)
    .replace(/%..|[a-z]|[A-Z]/g, (at) =>
      at.startsWith('%') ? at : at === at.toLowerCase() ? at.toUpperCase() : at.toLowerCase(),
    );
  return path.slice(0, last) + turned;
};

const habitTable: readonly Habit[] = [
  {
    rule: 'host-case',
    title: 'how the host treats another case in a path',
    ask: withPath(turnCase),
    describe: (answer, plain) => `case of paths: ${comparedTo(answer, plain)}`,
  },
  {
    rule: 'host-trailing-slash',
    title: 'how the host treats a trailing slash',
    ask: withPath((path) => `${path}/`),
    describe: (answer, plain) => `trailing slash: ${comparedTo(answer, plain)}`,
  },
  {
    rule: 'host-options',
    title: 'how the host answers OPTIONS',
    ask: () => ({ method: 'OPTIONS', body: null }),
    describe: (answer) => `OPTIONS: answered ${statusOf(answer)}, ${allowOf(answer)}`,
  },
  {
    rule: 'host-unknown-query',
    title: 'how the host treats a query parameter it does not know',
    ask: () => ({ extraQuery: 'assayUnknown=1' }),
    describe: (answer, plain) => `unknown query parameter: ${comparedTo(answer, plain)}`,
  },
];

const allowOf = (answer: Exchange) => {
  const allow = answer.response && header(answer.response, 'allow');
  if (allow === undefined) return 'without Allow';
  return `Allow: ${membersOf(allow).sort().join(', ')}`;
};

const habits = (operation: Operation): Check[] =>
  habitTable.map(({ rule, title, ask, describe }) =>
    check(operation, rule, clauseById('open.http'), title, async (context) => {
      const plain = await servedAnswer(operation, context);
      const answer = answered(await context.ask(operation, ask(operation, plain.exchange, context)));
      return observed(describe(answer.exchange, plain.exchange), answer.exchange);
    }),
  );

const tooLarge = `{"assay":"${'x'.repeat(5 * 2 ** 20)}"}`;

/** Most tries: it depends on timing whether an answer arrives before a hang-up, so one hang-up shows no choice. */
const mostHangUps = 4;

/**
 * Sends a body of 5 MiB, once per host that takes bodies. The behaviour is the answer, even if the host hangs up while
 * the body is still being sent, or else the hang-up.
 * @param filedUnder the operation the host's findings are filed under
 * @param taker the operation that is sent the body
 */
const overLarge = (filedUnder: Operation, taker: Operation): Check =>
  check(
    filedUnder,
    'host-over-large-body',
    clauseById('open.http'),
    'how the host treats a body of 5 MiB',
    async (context) => {
      await servedAnswer(taker, context);
      for (let nth = 1; nth <= mostHangUps; nth += 1) {
        const exchange = await context.ask(taker, { as: 'fuzzer', body: tooLarge, nth });
        const early = exchange.error?.partial?.status;
        if (early !== undefined) return observed(`a body of 5 MiB: answered ${early}`, exchange);
        if (exchange.error?.kind === 'reset') continue;
        const answer = answered(exchange);
        return observed(`a body of 5 MiB: answered ${answer.response.status}`, exchange);
      }
      return observed('a body of 5 MiB: the connection is closed');
    },
    { changes: true },
  );

const deepest = 3;

/** The error of a path that does not exist, as status, type and the names in it. */
const errorShape = (operation: Operation) =>
  check(
    operation,
    'host-error-shape',
    clauseById('open.errors'),
    'which status and shape an error has',
    async (context) => {
      const plain = await servedAnswer(operation, context);
      const [path = ''] = askedPath(plain.exchange, operation, context).split('?', 1);
      const answer = answered(await context.ask(operation, { path: `${path}/assay-does-not-exist` }));
      return observed(`error: ${sample(answer.response)}`, answer.exchange);
    },
  );

function sample(response: Response): string {
  const body = json(response);
  const type = mediaType(response) ?? 'no type';
  return `${response.status}, ${type}${body.ok ? `, ${names(body.value, deepest)}` : ''}`;
}

/** `{error: {code, message}}`: names sorted, values left out. */
function names(value: unknown, depth: number): string {
  if (Array.isArray(value)) return '[…]';
  if (!isNested(value)) return '';
  const members = Object.keys(value).sort().slice(0, 20);
  const shown = members.map((name) => {
    const below = depth > 1 ? names((value as Record<string, unknown>)[name], depth - 1) : '';
    return below === '' ? name : `${name}: ${below}`;
  });
  return `{${shown.join(', ')}}`;
}

// What HTTP requires of any server.

/** RFC 9110, section 6.6.1: MUST in 2xx, 3xx and 4xx where the server has a clock. */
async function date(operation: Operation, context: Context): Promise<Judgement> {
  const { exchange, response } = await servedAnswer(operation, context);
  if (is5xx(response.status)) return notTriggered(`Date may be missing from a ${response.status}`);
  const sent = header(response, 'date');
  if (sent === undefined) return violation('a Date field', 'none', exchange);
  return Number.isNaN(Date.parse(sent))
    ? violation('a Date field that is a date', JSON.stringify(sent), exchange)
    : pass(exchange);
}

/** Judges the call that the rule `other-method` makes anyway, and one more where that is not answered 405. */
async function allow(operation: Operation, context: Context): Promise<Judgement> {
  await servedAnswer(operation, context);
  const more: Ask =
    operation.method === 'GET'
      ? { as: 'fuzzer', method: 'DELETE' }
      : { as: 'fuzzer', method: 'PATCH', body: '{}' };
  for (const ask of [otherMethod(operation), more]) {
    const other = answered(await context.ask(operation, ask));
    if (other.response.status !== 405) continue;
    const allowed = header(other.response, 'allow');
    return allowed === undefined
      ? violation('405 with the allowed methods in Allow', '405 without Allow', other.exchange)
      : pass(other.exchange, `Allow: ${allowed}`);
  }
  return notTriggered('no 405 was seen');
}

/** Operations of the main API that need a credential on most servers; other rules call them anonymously anyway. */
const guarded: readonly Operation[] = [areas.me.location, areas.general.currencies, areas.players.banStatus];

async function challenge(operation: Operation, context: Context): Promise<Judgement> {
  for (const each of operation.host === 'base' ? guarded : [operation]) {
    const { response, ...exchange } = await context.ask(
      each,
      context.takesSession(each.host) ? { as: nobody } : {},
    );
    if (response?.status !== 401) continue;
    const sent = header(response, 'www-authenticate');
    return sent === undefined
      ? violation('401 with a WWW-Authenticate challenge', '401 without one', { ...exchange, response })
      : pass({ ...exchange, response }, sent);
  }
  return notTriggered('no 401 was seen');
}

/** RFC 9110, section 12.5.3: a server SHOULD send no coding that the client does not list. */
async function identity(operation: Operation, context: Context): Promise<Judgement> {
  await servedAnswer(operation, context);
  const { exchange, response } = answered(
    await context.ask(operation, { headers: [['accept-encoding', 'identity']] }),
  );
  const { coding } = response.wire;
  return coding === undefined || coding === 'identity'
    ? pass(exchange)
    : warning('content without a coding, as the client asks', `Content-Encoding: ${coding}`, exchange);
}

const afterTheEnd = /^content-after-(head|no-content)\b/;

/** Judges the raw bytes, since a parser would tolerate mistakes. */
const wire =
  (isMine: (finding: string) => boolean, expected: string) =>
  async (operation: Operation, context: Context): Promise<Judgement> => {
    await servedAnswer(operation, context);
    const { findings, failure } = await context.rawProbe(operation.host);
    const found = findings.filter(isMine);
    if (found.length > 0) return violation(expected, found.join('; '));
    return failure === undefined
      ? pass()
      : inconclusive(
          reasonOfError[failure.kind],
          `the probe without a parser failed: ${failure.kind}: ${failure.why}`,
        );
  };

type Standard = readonly [rule: string, clause: string, title: string, judge: typeof date, changes: boolean];

const standardTable: readonly Standard[] = [
  ['host-date', 'rfc9110.date', 'the host sends Date', date, false],
  ['host-allow', 'rfc9110.allow', 'the host lists the allowed methods in a 405', allow, true],
  ['host-challenge', 'rfc9110.challenge', 'the host names in a 401 how to sign in', challenge, false],
  ['host-identity', 'rfc9110.identity', 'the host leaves content uncoded for who asks so', identity, false],
  [
    'host-framing',
    'rfc9112.framing',
    "the host's messages end where they state",
    wire((finding) => !afterTheEnd.test(finding), 'messages framed as RFC 9112 says'),
    false,
  ],
  [
    'host-no-content',
    'rfc9110.no-content',
    'the host sends nothing after an answer without content',
    wire((finding) => afterTheEnd.test(finding), 'no bytes after HEAD, 204 or 304'),
    false,
  ],
];

const standards = (operation: Operation): Check[] =>
  standardTable.map(([rule, clause, title, judge, changes]) =>
    check(operation, rule, clauseById(clause), title, (context) => judge(operation, context), { changes }),
  );

// What good sense asks of a host with files.

const files = Object.values<Operation>(areas.clientData);
/** Fewest differing files with one tag that are a finding: fewer may share it by chance. */
const fewestSharing = 5;

/**
 * Finds one ETag on files that differ. RFC 9110, section 8.8.1, lets several resources share a validator, such as that
 * of a release: a tag is right if it names the version in the paths, or if no dates show that the files changed at
 * different times. A weak tag is judged like a strong one, since If-None-Match compares both alike (section 13.1.2),
 * and files of different content are not equivalent either. The run reads all files anyway.
 */
async function etagPerFile(context: Context): Promise<Judgement> {
  const read = await Promise.all(
    files.map(async (file) => {
      if ((await context.routed(file)).served !== true) return [];
      const exchange = await context.ask(file);
      const tag = exchange.response?.status === 200 ? etagOf(exchange.response) : undefined;
      return tag === undefined ? [] : [{ file, exchange, tag }];
    }),
  );
  const tagged = read.flat();
  if (tagged.length < fewestSharing)
    return notTriggered(`fewer than ${fewestSharing} files of cdn have an ETag`);
  for (const [tag, sharing] of Map.groupBy(tagged, (each) => each.tag)) {
    const differing = sharing
      .filter(({ file, exchange }) => !namesVersion(tag, file, exchange))
      .map(({ exchange }) => exchange)
      .filter((file, nth, all) => !all.slice(0, nth).some((earlier) => sameBytes(earlier, file)));
    const [one, other] = differing;
    if (!one || !other || differing.length < fewestSharing) continue;
    if (mayNameRelease.test(tag) && !haveOwnDates(differing)) continue;
    const seen = `${tag} for ${differing.length} files that differ, such as ${pathIn(one)} and ${pathIn(other)}`;
    return { ...violation('ETags that differ as the files do', seen, other), control: one };
  }
  return (await sharedByVersions(tagged, context)) ?? pass(undefined, `${tagged.length} files have an ETag`);
}

/** Most files that are read under another version; several, since many do not change with the version. */
const mostOfOther = 6;

interface Tagged {
  readonly file: Operation;
  readonly exchange: Exchange;
  readonly tag: string;
}

/** The finding that a file which differs under another version has the same tag there; undefined without one. */
async function sharedByVersions(tagged: readonly Tagged[], context: Context): Promise<Judgement | undefined> {
  const ofVersion = tagged.filter(({ file }) => file.path.includes('{gameVersion}'));
  const known = await knownVersions(context);
  for (const one of ofVersion.slice(0, mostOfOther)) {
    const gameVersion = otherVersion(known, versionIn(one.file, one.exchange));
    if (gameVersion === undefined) return undefined;
    const other = await context.ask(one.file, { params: { gameVersion } });
    const { response } = other;
    if (response?.status !== 200 || etagOf(response) !== one.tag || sameBytes(one.exchange, other)) continue;
    const isOfAll = tagged.some(({ tag, exchange }) => tag === one.tag && !sameBytes(exchange, one.exchange));
    if (isOfAll && !haveOwnDates([one.exchange, other])) continue;
    const seen = `${one.tag} for ${pathIn(one.exchange)} and for ${pathIn(other)}, which differ`;
    return { ...violation('ETags that differ as the files do', seen, other), control: one.exchange };
  }
  return undefined;
}

/** A tag of one or two characters names no release. */
const mayNameRelease = /"[^"]{3}/;

const haveOwnDates = (files: readonly Exchange[]): boolean =>
  new Set(files.flatMap(({ response }) => (response && header(response, 'last-modified')) || [])).size > 1;

const pathIn = ({ request }: Exchange) => new URL(request.url).pathname;

/** The version in a file's path, or its pattern. Counted from the end: a host may have a folder. */
function versionIn({ path }: Operation, read: Exchange): string | undefined {
  const segments = path.split('/');
  const at = segments.findIndex((segment) => /^\{(gameVersion|versionPattern)\}$/.test(segment));
  if (at < 0) return undefined;
  const version = pathIn(read)
    .split('/')
    .at(at - segments.length);
  return version && (percentDecoded(version) ?? version);
}

const namesVersion = (tag: string, file: Operation, read: Exchange): boolean => {
  const version = versionIn(file, read);
  return version !== undefined && version !== '' && tag.includes(version);
};

/** Finds refusals in text, or with a 2xx, where the host's other refusals are objects with a 4xx: another handler makes them. */
const refusalsAlike = (operation: Operation): Check =>
  check(
    operation,
    'host-refusals',
    clauseById('sense.refusal-form'),
    'the host refuses in one form',
    async (context) => {
      const { inJson, inText, inSuccess } = await context.refusalForms(operation.host);
      if (!isHabit(inJson, 0, 1)) return notTriggered('few operations refuse with an object');
      if (inSuccess) {
        const { operations, exchange } = inSuccess;
        const expected = `a 4xx, as ${inJson} operations of the host refuse`;
        const seen = `${statusOf(exchange)} that says it is no success, on ${operations} operations that refuse with a 4xx as well`;
        return { ...violation(expected, seen, exchange), seenIn: ['#answers'] };
      }
      if (inText === undefined) return pass(undefined, `${inJson} operations refuse with an object`);
      const { status, operations, exchange } = inText;
      const expected = `an object, as ${inJson} operations of the host refuse`;
      const seen = `${status} with a text, on ${operations} operations`;
      return { ...violation(expected, seen, exchange), seenIn: ['#answers'] };
    },
  );

/** The operation that each host's findings are filed under. */
const representatives: readonly Operation[] = [
  areas.general.healthcheck,
  areas.clientData.catalog,
  areas.logs.logsBatch,
];

export default suite('hosts', [
  ...representatives.flatMap((operation) => [
    ...habits(operation),
    ...standards(operation),
    errorShape(operation),
  ]),
  check(
    areas.clientData.catalog,
    'host-etag',
    clauseById('sense.etag-per-file'),
    'files that differ do not share one ETag',
    etagPerFile,
  ),
  refusalsAlike(areas.general.healthcheck),
  overLarge(areas.general.healthcheck, areas.general.checkClientVersion),
  overLarge(areas.logs.logsBatch, areas.logs.logsBatch),
]);
