// The flow `logs`: sends batches of several sizes, malformed batches and repeated ones. `logs/batch-body.ts` writes
// them; `logs/counted-records.ts` reads what an answer counts of them.

import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { areas } from '../catalog/catalog.ts';
import { clauseById } from '../catalog/clauses/clauses.ts';
import { effects } from '../catalog/clauses/flows.ts';
import type { Operation } from '../catalog/operation.ts';
import { type Flow, flow } from '../engine/flow/flow.ts';
import type { StepContext } from '../engine/flow/step-context.ts';
import { requireAnswer } from '../engine/flow/why-refused.ts';
import type { Ask } from '../engine/http/ask.ts';
import { type Exchange, isSuccess, sentJson, statusOf } from '../engine/http/exchange.ts';
import { Stop } from '../engine/judgement.ts';
import { mostMended, refusesBody } from '../engine/players/bodies.ts';
import { type Form, formOf, isGuess, write } from '../engine/players/body-template.ts';
import { type LogKind, logBatch, repeatsIn } from '../engine/players/log-batch.ts';
import { isIndex } from '../engine/players/refusals/complaint.ts';
import { complaintsIn } from '../engine/players/refusals/refusals.ts';
import type { Json } from '../engine/target/profile-validation.ts';
import { isObject, leavesOf } from '../engine/values/json-walk.ts';
import { batchForms, bodyWithRecords } from './logs/batch-body.ts';
import {
  countedApart,
  countingPlaces,
  listsOf,
  type Numbers,
  numbersIn,
  partsOf,
} from './logs/counted-records.ts';

const clauses = effects.logs;
const batchesAccepted = clauseById('logs.batches');

/** A kind of batch. */
interface Kind {
  /** Begins the names of the steps. */
  readonly key: string;
  readonly kind: LogKind;
  readonly operation: Operation;
}

/** A batch of one record that was accepted. */
interface FirstBatch {
  /** Writes batches of any size. */
  readonly form: Form;
  readonly ask: Ask;
  readonly status: number;
  /** The numbers in its answer. */
  readonly numbers: Numbers;
}

/** A step without roles: the logging API is called without a session. */
type Anybody = StepContext<never>;

/** Adds the steps of one kind of batch: small and large, broken, and sent again. */
function batches(flow: Flow, of: Kind): void {
  const { key, operation } = of;
  const { step, observe } = flow.scenario();

  const one = step(`${key}-one`, [operation], clauses.one, 'a batch of one record is accepted', (context) =>
    firstAccepted(context, of),
  );

  one.step(
    `${key}-fifty`,
    [operation],
    batchesAccepted,
    'a batch of fifty records is accepted',
    async (context, { form }) => {
      const mayRefuse = 'a batch of fifty records';
      await context.mustSucceed(undefined, operation, { ...batch(context, of, form, fifty), mayRefuse });
    },
  );

  one.step(
    `${key}-counted`,
    [operation],
    clauses.counted,
    'an answer that counts the records of a batch counts all of them',
    (context, { form, numbers }) => expectAllCounted(context, of, form, numbers),
  );

  one.step(
    `${key}-compressed`,
    [operation],
    clauses.counted,
    'the answer to a compressed batch counts as many records as that to a plain one',
    async (context, { form, numbers }) => {
      const plain = numbersIn(await send(context, of, batch(context, of, form, 2)));
      const places = [...plain.keys()].filter((place) => plain.get(place) === 2 && numbers.get(place) === 1);
      if (places.length === 0) return context.notTriggered(`${operation.id} does not count what it was sent`);
      const { body, ...ask } = batch(context, of, form, 2);
      const compressed = await send(context, of, {
        ...ask,
        headers: [['content-encoding', 'gzip']],
        body: gzipSync(body ?? ''),
      });
      if (!isSuccess(compressed)) return context.notTriggered('a compressed batch is refused');
      const counted = numbersIn(compressed);
      const wrong = places.find((place) => counted.get(place) !== 2);
      context.expect(wrong === undefined, `2 records at ${wrong}`, `${counted.get(wrong ?? '')}`, compressed);
    },
  );

  for (const [name, count, what] of [
    ['none', 0, 'no records'],
    ['thousand', thousand, 'a thousand records'],
  ] as const)
    one.step(
      `${key}-${name}`,
      [operation],
      clauses.anySize,
      `a batch of ${what} is accepted or refused without a server error`,
      async (context, { form }) => {
        const answer = await send(context, of, batch(context, of, form, count));
        const status = statusOf(answer);
        context.expect(status < 500, 'an answer that is no server error', `${status}`, answer);
        context.note(`answered ${status}`);
      },
    );

  const repeated = observe(
    `${key}-again`,
    [operation],
    'how the server answers when a batch is sent again',
    async (context) => {
      const ask = batch(context, of, context.resultOf(one).form, 2);
      const first = await send(context, of, ask);
      const again = await send(context, of, ask);
      context.observe(`${statusOf(first)}, then ${statusOf(again)}`, again);
      return { first, again };
    },
  );

  repeated.step(
    `${key}-repeat`,
    [operation],
    clauses.repeated,
    'an answer that says whether a batch came before also says so when it is sent again with the same ids',
    async (context, { first, again }) => {
      const [before, after] = [repeatsIn(first), repeatsIn(again)];
      if (before !== 0 || after === undefined)
        return context.notTriggered('no answer says whether a batch came before');
      const sent = holdsIds(first)
        ? { last: again, repeats: after }
        : await sentWithIds(context, of, context.resultOf(one));
      if (sent === undefined) return context.notTriggered('the batch names no id by which it could be known');
      context.expect(
        sent.repeats > 0,
        'a repeat, as the same ids came before',
        'a batch that is new',
        sent.last,
      );
    },
  );

  const broken = observe(
    `${key}-broken`,
    [operation],
    'how the server answers a batch that breaks off in its last record',
    async (context) => {
      const { body, ...ask } = batch(context, of, context.resultOf(one).form, 2);
      await context.observeAnswer(undefined, operation, { ...ask, body: (body ?? '').slice(0, -4) });
    },
  );

  const strange = one.observe(
    `${key}-strange-record`,
    [operation],
    'how the server answers a batch with a plain string among its records',
    async (context, { form }) => {
      const records = [...logBatch(of.kind, context.unique(key), 1), noRecord];
      const writing = written(context, of, { ...form, from: 'guess' }, records);
      if (!writing.ok) return context.cannotTell('needs-body', 'the batch could not be written');
      const answer = await context.observeAnswer(undefined, operation, writing.written);
      return { answer, sent: records.length };
    },
  );

  one.step(
    `${key}-rejected`,
    [operation],
    clauses.rejected,
    'a record that an answer counts as rejected is not counted as accepted too',
    async (context, { numbers }) => {
      const { answer, sent } = context.resultOf(strange);
      const counted = countedApart(answer, sent, numbers);
      if (!counted)
        return context.notTriggered(`${operation.id} does not count what it took and what it left out`);
      const { place, accepted, rejected } = counted;
      context.expect(
        accepted + rejected <= sent,
        `at most ${sent - rejected} at ${place}, since ${rejected} of ${sent} were left out`,
        `${accepted}`,
        answer,
      );
    },
  );

  one.step(
    `${key}-rejected-first`,
    [operation],
    clauses.eachAlone,
    'as many records are taken of a batch whose bad record comes first as of one where it comes last',
    async (context, { form, numbers }) => {
      // The target may take some levels and events only, so both batches have the same.
      const alike = context.unique(key);
      const counted = async (isFirst: boolean) => {
        const good = logBatch(of.kind, context.unique(key), 2, alike);
        const records = isFirst ? [noRecord, ...good] : [...good, noRecord];
        const writing = written(context, of, { ...form, from: 'guess' }, records);
        if (!writing.ok) return context.cannotTell('needs-body', 'the batch could not be written');
        const answer = await send(context, of, writing.written);
        return { answer, counts: countedApart(answer, records.length, numbers) };
      };
      const [last, first] = [await counted(false), await counted(true)];
      if (!last.counts || !first.counts || last.counts.rejected === 0)
        return context.notTriggered(`${operation.id} does not count what it took and what it left out`);
      const { place, accepted } = last.counts;
      const other = first.counts.accepted;
      const isAlike = accepted === other && place === first.counts.place;
      context.expect(isAlike, `${accepted} at ${place}, as where it comes last`, `${other}`, first.answer);
    },
  );

  one.step(
    `${key}-after-broken`,
    [operation],
    clauses.goesOn,
    'a well-formed batch is still accepted after a malformed one',
    async (context, { form, ask, status: before }) => {
      context.resultOf(broken);
      const answer = await send(context, of, batch(context, of, form, 1));
      const isTaken = (status: number) => status === before || status < 300;
      // A refusal of these values may be right, so the batch that was accepted before is sent again.
      const again = refusesBody(answer) ? await send(context, of, ask) : answer;
      const knowsIt = statusOf(again) === 409;
      const isFine = isTaken(statusOf(answer)) || isTaken(statusOf(again)) || knowsIt;
      context.expect(isFine, `${before}, as before`, `${statusOf(again)}`, again);
    },
  );
}

/** Whether a sent batch holds an id of itself or of its records. A form has one where a refusal asked for it. */
const holdsIds = (sent: Exchange): boolean =>
  leavesOf(sentJson(sent)).some(
    ({ name, value }) =>
      /^(batch|event|record|log|entry|message|request|upload)_?(id|key|uuid)$/i.test(name) &&
      typeof value === 'string' &&
      value !== '',
  );

/** Names under which a target may know a record again. */
const idNames = ['eventId', 'id', 'logId', 'recordId', 'messageId', 'uuid'];

/**
 * Sends two records twice with ids that the target reads: it leaves out a record whose ids are no text, and takes one
 * that has the same under another name.
 * @returns undefined where it reads none of them, or does not take the records
 */
async function sentWithIds(
  context: Anybody,
  of: Kind,
  { form, numbers }: FirstBatch,
): Promise<{ readonly last: Exchange; readonly repeats: number } | undefined> {
  if (form.from !== 'guess') return undefined;
  const asking = (records: readonly Json[]) => {
    const writing = written(context, of, form, records);
    return writing.ok ? writing.written : context.cannotTell('needs-body', 'the batch could not be written');
  };
  const recordsWith = (count: number, added: (nth: number) => Readonly<Record<string, Json>>) =>
    logBatch(of.kind, context.unique(of.key), count).map((record, nth) => ({ ...record, ...added(nth) }));
  const named = (names: readonly string[], value: Json) =>
    Object.fromEntries(names.map((name) => [name, value]));
  const takes = (answer: Exchange) =>
    isSuccess(answer) &&
    [...numbersIn(answer)].every(([place, count]) => numbers.get(place) !== 1 || count > 0);
  const noText = await send(context, of, asking(recordsWith(1, () => named(idNames, {}))));
  const other = await send(context, of, asking(recordsWith(1, () => named([context.unique('assay')], {}))));
  if (takes(noText) || !takes(other)) return undefined;
  const ask = asking(recordsWith(2, () => named(idNames, randomUUID())));
  const first = await send(context, of, ask);
  const last = await send(context, of, ask);
  const repeats = repeatsIn(last);
  return takes(first) && repeatsIn(first) === 0 && repeats !== undefined ? { last, repeats } : undefined;
}

const noRecord = 'assay: no record';

const written = ({ unique }: Anybody, { key }: Kind, form: Form, records: readonly Json[]) =>
  bodyWithRecords(form, records, () => ({
    now: new Date().toISOString(),
    unique: unique(key),
    value: unique(key),
  }));

/** The call that sends `count` records in this form; ends the step where the form needs an unknown value. */
function batch(context: Anybody, of: Kind, form: Form, count: number) {
  const writing = written(context, of, form, logBatch(of.kind, context.unique(of.key), count));
  if (writing.ok) return { ...writing.written };
  return context.cannotTell(
    'needs-body',
    `the body of ${of.operation.id} needs ${writing.missing.join(', ')}`,
  );
}

const send = async (context: Anybody, { operation }: Kind, ask: Ask): Promise<Exchange> =>
  requireAnswer(await context.send(undefined, operation, ask));

/**
 * Sends a batch of one record until one is accepted: in the known forms, then in those that the refusals ask for.
 * @throws Stop where none is, with the judgement of the last refusal
 */
async function firstAccepted(context: Anybody, of: Kind): Promise<FirstBatch> {
  const { operation } = of;
  let refused: Stop | undefined;
  let refusal: Exchange | undefined;
  /** The first guess whose refusal names a record, which shows that the target reads its list. */
  let read: Start | undefined;
  /** The first guess whose refusal names any field. */
  let named: Start | undefined;
  const accepted = async (forms: readonly Form[]): Promise<FirstBatch | undefined> => {
    for (const form of batchForms(forms)) {
      try {
        const ask = batch(context, of, form, 1);
        const answer = await context.mustSucceed(undefined, operation, ask);
        const fit = await fitted(context, of, form);
        return { form: fit, ask, status: statusOf(answer), numbers: numbersIn(answer) };
      } catch (error) {
        if (!isNeedOfBody(error)) throw error;
        refused = error;
        const { judgement } = error;
        refusal = judgement.kind === 'inconclusive' ? judgement.evidence : undefined;
        if (!refusal || !isGuess(form)) continue;
        if (namesRecord(refusal, form)) read ??= { form, refusal };
        else if (isObject(form.template) && complaintsIn(refusal).length > 0) named ??= { form, refusal };
      }
    }
    return undefined;
  };
  let found = await accepted(context.forms(operation));
  const empty = formOf({}, 'guess');
  // Mends the form whose refusal says what is missing, then an empty body.
  const starts = [
    async () => read ?? named ?? { form: undefined, refusal: undefined },
    async () => ({ form: empty, refusal: await refusalOf(context, of, empty) }),
  ];
  for (const start of starts) {
    if (found) break;
    let form: Form | undefined;
    ({ form, refusal } = await start());
    for (let made = 0; !found && form && made < mostMended; made += 1) {
      form = refusal && (await mendedBatch(context, of, form, refusal));
      found = await accepted(form ? [form] : []);
      // A body without records is no batch yet: its refusal says what else is missing.
      if (form && batchForms([form]).length === 0) refusal = await refusalOf(context, of, form);
    }
  }
  if (found) return found;
  throw refused ?? context.cannotTell('needs-body', `no body of ${operation.id} is known that holds a list`);
}

/** A form, and how it was refused. */
interface Start {
  readonly form: Form;
  readonly refusal: Exchange;
}

/** The refusal of a form as it stands; undefined where it is accepted or cannot be written. */
async function refusalOf(context: Anybody, of: Kind, form: Form): Promise<Exchange | undefined> {
  const { unique } = context;
  const writing = write(form, {
    now: new Date().toISOString(),
    unique: unique(of.key),
    value: unique(of.key),
  });
  const answer = writing.ok ? await send(context, of, writing.written) : undefined;
  return answer && !isSuccess(answer) ? answer : undefined;
}

/** The form that a refusal asks for; undefined where it asks for nothing new. */
const mendedBatch = async (
  context: Anybody,
  { operation }: Kind,
  form: Form,
  refusal: Exchange,
): Promise<Form | undefined> => (await context.mended(operation, form, refusal)) ?? withFixed(form, refusal);

/**
 * Mends the form until a batch of fifty records is accepted: a value may suit the first record only. Returns the
 * form that it was given where none is.
 */
async function fitted(context: Anybody, of: Kind, accepted: Form): Promise<Form> {
  let form: Form | undefined = accepted;
  for (let made = 0; form && isGuess(form) && made < mostMended; made += 1) {
    const answer = await send(context, of, batch(context, of, form, fifty));
    if (isSuccess(answer)) return form;
    // A refusal that names no record is about the number of records.
    const isOfRecord: boolean = refusesBody(answer) && namesRecord(answer, form);
    const mended: Form | undefined = isOfRecord ? await mendedBatch(context, of, form, answer) : undefined;
    [form] = batchForms(mended ? [mended] : []);
  }
  return accepted;
}

/** Sends batches of several sizes, and expects that what their answers count grows with them. */
async function expectAllCounted(context: Anybody, of: Kind, form: Form, one: Numbers): Promise<void> {
  const sent = (count: number) => send(context, of, batch(context, of, form, count));
  const doesNotCount = `${of.operation.id} does not count what it was sent`;
  const pair = await sent(2);
  const few = await sent(fifty);
  const counting = countingPlaces({ one, two: numbersIn(pair), many: numbersIn(few) });
  // Reads a batch of two, since an answer may cut a long list of what was left out.
  const parts = partsOf(pair, { sent: 2, ofOne: one });
  if (parts) {
    const [accepted, rejected] = parts;
    context.expect(
      accepted + rejected === 2,
      'two records, taken and left out together',
      `${accepted} taken and ${rejected} left out`,
      pair,
    );
  }
  if (counting.places.length === 0 && parts === undefined) context.notTriggered(doesNotCount);
  // A target that drops the records beyond its maximum does so in the larger batch alone.
  const many = await sent(thousand);
  const answered: readonly (readonly [count: number, answer: Exchange])[] = [
    [fifty, few],
    isSuccess(many) ? [thousand, many] : [hundreds, await sent(hundreds)],
  ];
  let hasCounted = !counting.onlyGrow || parts !== undefined;
  for (const [count, answer] of answered) {
    const shown = numbersIn(answer);
    const wrong = counting.places.find((place) =>
      counting.onlyGrow
        ? (shown.get(place) ?? 0) - (one.get(place) ?? 0) === count - 1
        : (shown.get(place) ?? count) < count,
    );
    hasCounted ||= wrong !== undefined;
    const others = [...shown.values(), ...listsOf(answer).values()];
    const isAccountedFor = others.includes(count - (shown.get(wrong ?? '') ?? count));
    context.expect(
      !isSuccess(answer) || wrong === undefined || isAccountedFor,
      `${count} records at ${wrong}, or how many were left out`,
      `${shown.get(wrong ?? '')}`,
      answer,
    );
  }
  if (!hasCounted) context.notTriggered(doesNotCount);
}

/**
 * The form with more `fixed` fields, which keep their guessed value in every record: those whose allowed values a
 * refusal lists, and missing ones, which a realistic record may lack. Undefined where it names no further field.
 */
function withFixed(form: Form, refusal: Exchange): Form | undefined {
  const { fixed = [] } = form;
  const listed = complaintsIn(refusal).flatMap(
    ({ path, allowed, isMissing }) => ((allowed || isMissing) && path.at(-1)) || [],
  );
  const all = [...new Set([...fixed, ...listed])];
  return all.length > fixed.length ? { ...form, fixed: all } : undefined;
}

/** Whether a refusal names a record in the list of the form. */
const namesRecord = (refusal: Exchange, { template }: Form): boolean =>
  complaintsIn(refusal).some(({ path }) => {
    const [list = '', at] = Array.isArray(template) ? ['', ...path] : path;
    const isList = Array.isArray(template) || (isObject(template) && Object.hasOwn(template, list));
    return isList && path.length > 1 && isIndex(at);
  });

/** Enough to notice a server that keeps only a page of a batch. */
const fifty = 50;
const thousand = 1_000;
/** Sent where a thousand records are refused. */
const hundreds = 250;

const isNeedOfBody = (error: unknown): error is Stop =>
  error instanceof Stop && error.reason === 'needs-body';

const { analyticsBatch, logsBatch } = areas.logs;

const logs = flow('logs');
batches(logs, { key: 'logs', kind: 'log', operation: logsBatch });
batches(logs, { key: 'analytics', kind: 'analytics', operation: analyticsBatch });

export default logs.suite();
