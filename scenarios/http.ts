// The flow `http`: ranges of changed files, cached copies that return, and caches that keep what must not be kept.
import { areas } from '../catalog/catalog.ts';
import { ofOthers } from '../catalog/clauses/clause.ts';
import { clauseById } from '../catalog/clauses/clauses.ts';
import { effects } from '../catalog/clauses/flows.ts';
import type { Operation } from '../catalog/operation.ts';
import { sameBytes } from '../engine/compare/content.ts';
import { flow } from '../engine/flow/flow.ts';
import type { StepContext } from '../engine/flow/step-context.ts';
import { ignoreStop } from '../engine/flow/why-refused.ts';
import type { Ask } from '../engine/http/ask.ts';
import { type Exchange, header, isSuccess, statusOf, text } from '../engine/http/exchange.ts';
import { Stop, violation } from '../engine/judgement.ts';
import { strongEtagOf } from '../engine/probe/matchers/http-fields.ts';
import { is5xx } from '../engine/values/status.ts';
import { fetched } from './content/known-content.ts';
import { leaveMark } from './login/session-marks.ts';

const { auth, clientData, general, playerName, utils } = areas;
const clauses = effects.http;

const httpFlow = flow('http', { attack: true });
const step = httpFlow.stepAlone;

/** A violation that takes several requests to show. @param byHand what to send to repeat it */
const inTurns = (expected: string, actual: string, evidence: Exchange, byHand: string): Stop =>
  new Stop({ ...violation(expected, actual, evidence), byHand });

// Parts of a file.
const file = clientData.catalog;

/** Fetches the whole file; ends the step as not triggered where the host sends no parts of it. */
async function inParts(context: StepContext): Promise<Exchange> {
  const whole = await fetched(context, file, 'a game version that may not exist');
  if (whole.response?.wire.coding !== undefined)
    context.notTriggered('the file is sent compressed: ranges count its compressed bytes');
  const part = await context.send(undefined, file, { headers: [['range', 'bytes=0-15']] });
  if (statusOf(part) !== 206) context.notTriggered('it answers a range with the whole file, as it may');
  return whole;
}

const parts = httpFlow.scenario();

parts.step(
  'if-range',
  [file],
  clauseById('rfc9110.if-range'),
  'a part of a file that has changed since is answered with the whole file',
  async (context) => {
    const whole = await inParts(context);
    if (whole.response === undefined || strongEtagOf(whole.response) === undefined)
      context.notTriggered('it sends no strong ETag, so that no client asks with one');
    const headers = [
      ['range', 'bytes=0-15'],
      ['if-range', `"${context.unique('assaystale')}"`],
    ] as const;
    const answer = await context.send(undefined, file, { headers });
    context.expect(
      statusOf(answer) !== 206,
      'the whole file, since the ETag of If-Range is not its own',
      '206, a part of another file than the one the client has the rest of',
      answer,
    );
    if (statusOf(answer) !== 200)
      context.cannotTell('unstable-answers', `200 without If-Range, ${statusOf(answer)} with it`);
  },
);

parts.step(
  'range-end',
  [file],
  clauseById('rfc9110.range-end'),
  'a range that begins at the end of a file is answered 416, or with the whole file',
  async (context) => {
    const whole = await inParts(context);
    const length = whole.response?.body.length ?? 0;
    const answer = await context.send(undefined, file, { headers: [['range', `bytes=${length}-`]] });
    const status = statusOf(answer);
    if (status === 416 || (status === 200 && sameBytes(whole, answer))) return;
    // The file may have been replaced in the meantime.
    const now = await context.send(undefined, file);
    if (!sameBytes(whole, now)) context.cannotTell('unstable-answers', 'the file was replaced meanwhile');
    if (status !== 200 && status !== 206 && !is5xx(status))
      context.cannotTell('unstable-answers', `206 for the beginning of the file, ${status} at its end`);
    const bytes = answer.response?.body.length ?? 0;
    context.expect(
      false,
      `416 or all ${length} bytes to bytes=${length}-`,
      `${status} with ${bytes} bytes`,
      answer,
    );
  },
);

// Checks that replaced content does not come back.

/** The pause between two pairs of reads, in ms, so that machines which are replaced one after another do not count. */
const apartMs = 300;

/** Reads several times. Together with the run's earlier reads, this shows whether replaced content comes back. */
async function readOften(
  context: StepContext,
  role: string | undefined,
  operation: Operation,
): Promise<void> {
  for (const pause of [0, apartMs, apartMs]) {
    if (pause > 0) await context.pause(pause);
    await context.send(role, operation);
    await context.send(role, operation);
  }
}

/** @param inPart true to look for a part of the answer that came back, false for the whole answer */
async function staysReplaced(
  context: StepContext,
  role: string | undefined,
  operation: Operation,
  inPart: boolean,
): Promise<void> {
  await fetched(context, operation, 'a version that may not exist', role);
  await readOften(context, role, operation);
  const [found] = context.cameBack(operation.host).filter(({ place }) => (place !== undefined) === inPart);
  if (found === undefined) return;
  const { url, place, latest, replacedAfterMs, backAfterMs } = found;
  const what = place === undefined ? url : `${place || 'the value'} of ${url}`;
  throw inTurns(
    'content that, once replaced, stays replaced',
    `${what} was one thing, ${replacedAfterMs} ms later another, and ${backAfterMs} ms later the first one again`,
    latest,
    'answers differ in turn: send it several times',
  );
}

step(
  'one-content',
  [file],
  clauses.content,
  'a file of one version has one content, on every connection and machine',
  (context) => staysReplaced(context, undefined, file, false),
);

step(
  'current-version',
  [utils.contentVersion],
  clauses.current,
  'the current version does not go back',
  async (context) => {
    await context.recruit('reader');
    await staysReplaced(context, 'reader', utils.contentVersion, true);
  },
);

// Checks that caches do not keep what one caller sends. Each request has a query of its own, which nobody else sends.
interface Canary {
  readonly what: string;
  readonly ask: (canary: string) => { readonly headers?: Ask['headers']; readonly query?: string };
}

const canaries: readonly Canary[] = [
  {
    what: 'X-Forwarded-Host',
    ask: (canary) => ({
      headers: [
        ['x-forwarded-host', `${canary}.invalid`],
        ['forwarded', `host=${canary}.invalid`],
      ],
    }),
  },
  {
    what: 'X-Original-URL',
    ask: (canary) => ({
      headers: [
        ['x-original-url', `/${canary}`],
        ['x-rewrite-url', `/${canary}`],
      ],
    }),
  },
  { what: 'utm_content', ask: (canary) => ({ query: `&utm_content=${canary}` }) },
];

/** Whether the canary stands anywhere in the answer, headers included. */
const carries = ({ response }: Exchange, canary: string): boolean =>
  response !== undefined &&
  (text(response).includes(canary) || response.headers.some(([, value]) => value.includes(canary)));

/**
 * Sends canaries, then the plain request that a cache may take for the same.
 * @returns why the operation was not tried; undefined where it was
 * @throws a violation where a cache kept what was sent
 */
async function sendCanaries(
  context: StepContext,
  role: string | undefined,
  operation: Operation,
): Promise<string | undefined> {
  const key = () => `assaykey=${context.unique('assaykey')}`;
  const plain = (extraQuery: string) => context.send(role, operation, { extraQuery });
  const control = await plain(key());
  if (!isSuccess(control))
    return `${operation.id} is answered ${statusOf(control)} where its query has a member more`;
  if (Number((control.response && header(control.response, 'age')) ?? 0) > 0)
    return `a cache answers ${operation.id} whatever its query is, and others could meet what is sent`;
  for (const { what, ask } of canaries) {
    const canary = context.unique('assaycanary');
    const own = key();
    const { headers = [], query = '' } = ask(canary);
    const sent = await context.send(role, operation, { extraQuery: own + query, headers });
    const found = await plain(own);
    const byHand = `first sent with ${what} ${canary}, then without: the query is new each time, so that a cache keeps nothing else`;
    if (carries(found, canary))
      throw inTurns(
        `an answer without what another request sent as ${what}`,
        `${operation.id} shows it: ${canary}`,
        found,
        byHand,
      );
    if (isSuccess(sent) || isSuccess(found) || statusOf(found) !== statusOf(sent)) continue;
    if (isSuccess(await plain(key())) && statusOf(await plain(own)) === statusOf(sent))
      throw inTurns(
        `the answer that ${operation.id} has without ${what}`,
        `the ${statusOf(sent)} that the request with ${what} got, kept for the one without`,
        found,
        byHand,
      );
  }
  return undefined;
}

async function expectNoneKept(
  context: StepContext,
  role: string | undefined,
  operations: readonly Operation[],
) {
  const whyNot = await Promise.all(operations.map((operation) => sendCanaries(context, role, operation)));
  const tried = operations.filter((_, at) => whyNot[at] === undefined);
  if (tried.length === 0) context.cannotTell('needs-state', `not exercised: ${whyNot[0]}`);
  context.note(
    `${canaries.map(({ what }) => what).join(', ')} tried on ${tried.map(({ id }) => id).join(', ')}`,
  );
}

step(
  'canary',
  [general.config],
  clauses.unkeyed,
  'what one caller sends beside a request of the main API is in no answer to another',
  async (context) => {
    await context.recruit('caller');
    await expectNoneKept(context, 'caller', [general.config, auth.publicKey, utils.contentVersion]);
  },
);

step(
  'canary-files',
  [file],
  clauses.unkeyed,
  'what one caller sends beside a request for a file is in no answer to another',
  (context) => expectNoneKept(context, undefined, [file]),
);

// Checks that no cache keeps one player's answer for the next caller.
const personal: readonly Operation[] = [playerName.get, general.currencies, general.inventories];

interface Way {
  readonly what: string;
  /** The call, at an address that nobody has asked before. */
  readonly call: (operation: Operation, word: string) => readonly [Operation, Ask];
}

const ways: readonly Way[] = [
  { what: 'its own path', call: (operation, word) => [operation, { extraQuery: `assaykey=${word}` }] },
  {
    what: 'its path with a file name after it',
    call: (operation, word) => [{ ...operation, path: `${operation.path}/${word}.json` }, {}],
  },
];

step(
  'cached-player',
  [general.currencies],
  ofOthers(clauses.own, 'mixed up'),
  "a player's answer is not served to the next player, nor to an anonymous caller",
  async (context) => {
    await context.recruit('owner', 'visitor');
    const own = await ownValues(context);
    const reads = [...personal, ...own.operations];
    const tried = await Promise.all(reads.map((operation) => notServedOn(context, operation, own.values)));
    if (!tried.includes(true))
      context.cannotTell('needs-state', 'not exercised: no read names the player who asks');
  },
);

/** Values that are the owner's alone, and the read that shows what they wrote. */
async function ownValues(context: StepContext) {
  const id = context.player('owner').id;
  const values = id === undefined ? [] : [id];
  try {
    const { value, operation } = await leaveMark(context, 'owner');
    return { values: [...values, value], operations: [operation] };
  } catch (error) {
    ignoreStop(error);
    return { values, operations: [] };
  }
}

/** Expects that no cache shows the owner's values to others. Returns whether an answer showed the owner one. */
async function notServedOn(context: StepContext, operation: Operation, values: readonly string[]) {
  let isTried = false;
  for (const { what, call } of ways) {
    const made = call(operation, context.unique('assaykey'));
    const mine = await context.send('owner', ...made);
    const value = values.find((each) => isSuccess(mine) && context.mentions(mine, each));
    if (value === undefined) continue;
    isTried = true;
    for (const [who, role] of [
      ['the next player', 'visitor'],
      ['somebody without a session', undefined],
    ] as const) {
      const theirs = await context.send(role, ...made);
      if (!isSuccess(theirs) || !context.mentions(theirs, value)) continue;
      // A value that also shows at an address that the owner never asked does not come from a cache.
      const fresh = await context.send(role, ...call(operation, context.unique('assaykey')));
      if (isSuccess(fresh) && context.mentions(fresh, value)) continue;
      // Nor does a value that is gone on repeat: players who share what they write see one's value, then another's.
      const again = await context.send(role, ...made);
      if (!isSuccess(again) || !context.mentions(again, value)) continue;
      throw inTurns(
        `${operation.id} of ${who} without what belongs to the player who asked before`,
        `asked by ${what} after its owner, it shows ${who} the owner's ${value}; at a new address it does not`,
        theirs,
        'first asked by one player, then by another at the same address',
      );
    }
  }
  return isTried;
}

export default httpFlow.suite();
