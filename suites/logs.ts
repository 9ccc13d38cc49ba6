// Checks of log batches: the general rules, and that a small batch is accepted.
import { logs } from '../catalog/areas/logs.ts';
import { clauseById } from '../catalog/clauses/clauses.ts';
import type { Operation } from '../catalog/operation.ts';
import { nobody } from '../engine/http/ask.ts';
import {
  answerText,
  type Exchange,
  isSuccess,
  jsonValue,
  sameHeaders,
  sentJson,
  statusOf,
} from '../engine/http/exchange.ts';
import { inconclusive, type Judgement, notTriggered, pass, violation, warning } from '../engine/judgement.ts';
import { mostMended, refusesBody } from '../engine/players/bodies.ts';
import { type Form, formOf, write } from '../engine/players/body-template.ts';
import { repeatsIn } from '../engine/players/log-batch.ts';
import { complaintsIn } from '../engine/players/refusals/refusals.ts';
import { type Check, check } from '../engine/probe/check.ts';
import type { Context } from '../engine/probe/context.ts';
import { isServerError } from '../engine/probe/matchers/http-fields.ts';
import {
  type Answered,
  answered,
  servedAnswer,
  successfulAnswer,
  whyRefusedPlain,
} from '../engine/probe/prerequisites.ts';
import type { Json } from '../engine/target/profile-validation.ts';
import { isObject } from '../engine/values/json-walk.ts';
import { is2xx } from '../engine/values/status.ts';
import { areaSuite } from './rules/rules.ts';

const batches: readonly Operation[] = Object.values(logs);

/** Two log records as any client might write them: constant, so that every run sends the same. */
const records = [
  {
    timestamp: '2026-01-01T00:00:00.000Z',
    level: 'info',
    type: 'assay',
    event: 'assay',
    message: 'first of two',
  },
  {
    timestamp: '2026-01-01T00:00:01.000Z',
    level: 'info',
    type: 'assay',
    event: 'assay',
    message: 'second of two',
  },
] as const;

/** Likely shapes of a batch, likeliest first, since the document shows none. */
const forms: Readonly<Record<string, readonly Json[]>> = {
  'logs.logsBatch': [{ logs: records }, records, { records }, { batch: records }],
  'logs.analyticsBatch': [{ events: records }, records, { records }, { batch: records }],
};

const acceptsBatch = (operation: Operation): Check =>
  check(operation, 'accepts-batch', clauseById('logs.batches'), 'accepts a small batch', async (context) => {
    const gate = await servedAnswer(operation, context);
    if (context.stated(operation)?.body !== undefined) return ofProfile(operation, gate, context);
    const { taken, broke, last } = await tryBatches(operation, gate, context);
    if (taken) return pass(taken);
    if (broke !== undefined) return violation(expected, `answered ${broke.response?.status}`, broke);
    return inconclusive(
      await whyRefusedPlain(operation, last, context),
      `no form of a batch that we tried was accepted: ${last}`,
    );
  });

interface Tried {
  /** The call with a batch that was accepted. */
  readonly taken?: Exchange;
  /** The last one that was answered with a server error. */
  readonly broke?: Exchange | undefined;
  /** The status of the last answer. */
  readonly last: number;
}

/** Sends batches in the likely forms, then in one that refusals ask for, until one is accepted. */
async function tryBatches(operation: Operation, gate: Answered, context: Context): Promise<Tried> {
  let broke: Exchange | undefined;
  let last = gate.response.status;
  let lead: { readonly form: Form; readonly exchange: Exchange } | undefined;
  for (const form of forms[operation.id] ?? []) {
    const put = answered(await context.ask(operation, { body: JSON.stringify(form) }));
    last = put.response.status;
    if (is2xx(last)) return { taken: put.exchange, last };
    if (isServerError(put.response)) broke = put.exchange;
    // The form that is made from a refusal has one record.
    else if (complaintsIn(put.exchange).length > 0)
      lead ??= { form: formOf(withOneRecord(form), 'guess'), exchange: put.exchange };
  }
  const mended = lead && (await mendedBatch(operation, lead, context));
  if (mended) return { taken: mended, last };
  // The plain call may carry a body that the server's own refusals asked for.
  if (is2xx(gate.response.status) && holdsRecords(gate.exchange)) return { taken: gate.exchange, last };
  return { broke, last };
}

const asksForSession = (status: number) => status === 401 || status === 403;

/**
 * Where an answer says whether a batch was sent before, ids in the batch decide that. Each client chooses its own ids.
 */
const batchIds = (operation: Operation): Check =>
  check(
    operation,
    'batch-ids',
    clauseById('sense.batch-ids'),
    'takes a batch for no repeat because another player sent its ids',
    async (context) => {
      const { taken } = await tryBatches(operation, await servedAnswer(operation, context), context);
      if (taken === undefined) return inconclusive('needs-body', 'no form of a batch was accepted');
      if (repeatsIn(taken) === undefined)
        return notTriggered('its answer does not say whether a batch came before');
      const anonymous = answered(await context.ask(operation, { as: nobody }));
      if (!asksForSession(anonymous.response.status))
        return notTriggered('it asks nobody for a session, so that it cannot tell senders apart');
      for (const withIds of waysToName(taken)) {
        const send = (name: string, nth: string, as?: string) =>
          context.ask(operation, { body: withIds(name), nth, ...(as !== undefined && { as }) });
        const name = context.flows.unique('assaybatch');
        const [first, again] = [await send(name, 'first'), await send(name, 'again')];
        if (repeatsIn(first) !== 0 || isNew(again)) continue;
        const others = await send(context.flows.unique('assaybatch'), 'first', 'another');
        if (sameHeaders(others, again))
          return inconclusive('needs-players', 'one player alone cannot show whose ids these are');
        if (!isNew(others))
          return inconclusive('needs-body', 'another player cannot send such a batch', others);
        const same = await send(name, 'again', 'another');
        if (isNew(same)) return pass(same);
        const wrong = violation(
          'a batch of its own, as the one before with another id',
          `answered as when its first sender sends it again: ${statusOf(same)}`,
          same,
        );
        return { ...wrong, control: others };
      }
      return notTriggered('it looks at none of the ids that we put into a batch');
    },
  );

/** Whether a batch was accepted as one that was not sent before. */
const isNew = (answer: Exchange): boolean => repeatsIn(answer) === 0;

/** Ways to put a made-up id into the accepted batch: as the id of the batch, or as the id of each record. */
function waysToName(taken: Exchange): readonly ((name: string) => string)[] {
  const sent = sentJson(taken);
  const shown = Object.keys((jsonValue(taken) ?? {}) as object).find((name) => /^batch_?id$/i.test(name));
  const isSnake = /"[a-z]+_[a-z]+":/.test(answerText(taken));
  const ofRecord = (member: string) => (name: string) => {
    const named = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map((record, nth) => (isObject(record) ? { ...record, [member]: `${name}-${nth}` } : record))
        : value;
    const batch = isObject(sent)
      ? Object.fromEntries(Object.entries(sent).map(([list, value]) => [list, named(value)]))
      : named(sent);
    return JSON.stringify(batch);
  };
  const ofBatch = (name: string) => JSON.stringify({ ...(sent as object), [shown ?? 'batchId']: name });
  return [...(isObject(sent) ? [ofBatch] : []), ofRecord(isSnake ? 'event_id' : 'eventId'), ofRecord('id')];
}

/** The exchange of an accepted batch, each try made from the refusal of the one before; undefined without one. */
async function mendedBatch(
  operation: Operation,
  { form: refused, exchange: refusal }: { readonly form: Form; readonly exchange: Exchange },
  context: Context,
): Promise<Exchange | undefined> {
  let [form, exchange]: [Form | undefined, Exchange] = [refused, refusal];
  for (let made = 0; made < mostMended && form !== undefined; made += 1) {
    form = await context.flows.mend(operation, form, exchange);
    const writing = form && write(form, { now: records[0].timestamp, unique: 'assay', value: 'assay' });
    if (!writing?.ok) return undefined;
    const put = answered(await context.ask(operation, writing.written));
    exchange = put.exchange;
    if (is2xx(put.response.status)) return holdsRecords(exchange) ? exchange : undefined;
    if (!refusesBody(exchange)) return undefined;
  }
  return undefined;
}

/** A form with each list cut to its first record. */
const withOneRecord = (form: Json): Json =>
  Array.isArray(form)
    ? form.slice(0, 1)
    : Object.fromEntries(Object.entries(form as object).map(([name, list]) => [name, list.slice(0, 1)]));

const holdsRecords = ({ request }: Exchange): boolean => /\[\s*\{/.test(String(request.body ?? ''));

const expected = 'a small batch is accepted';

/** Judges the plain call where the profile gives its batch: no other batch is known to be right. */
async function ofProfile(operation: Operation, gate: Answered, context: Context): Promise<Judgement> {
  const { exchange, response } = gate;
  const { status } = response;
  if (context.flows.accepts(operation)?.includes(status) ?? is2xx(status)) return pass(exchange);
  if (status === 401 || status === 403)
    return inconclusive(
      await whyRefusedPlain(operation, status, context),
      `the profile's batch is answered ${status}`,
    );
  return violation(expected, `the profile's is answered ${status}`, exchange);
}

/** Where one of the two calls for batches wants a session, the other one does. */
const wantsSession = (operation: Operation): Check =>
  check(
    operation,
    'wants-session',
    clauseById('sense.batches-want-session'),
    'refuses a batch of an anonymous caller, where the other call for batches does',
    async (context) => {
      const missing = context.noSession();
      if (missing !== undefined) return inconclusive('no-session', missing);
      await successfulAnswer(operation, context);
      const without = answered(await context.ask(operation, { as: nobody }));
      if (!isSuccess(without.exchange)) return pass(without.exchange);
      const [other] = batches.filter((each) => each !== operation);
      if (other === undefined) return notTriggered('there is no other call for batches');
      const signedIn = statusOf(await context.ask(other));
      const anonymous = statusOf(await context.ask(other, { as: nobody }));
      if (!refusesCaller.has(anonymous) || refusesCaller.has(signedIn))
        return notTriggered(`${other.id} does not ask who calls either`);
      return warning(
        `a refusal, as ${other.id} gives anonymous callers: ${anonymous}`,
        `${without.response.status}`,
        without.exchange,
      );
    },
  );

const refusesCaller: ReadonlySet<number> = new Set([401, 403]);

const checksOfBatches = [acceptsBatch, batchIds, wantsSession];

export default areaSuite('logs', logs, ...checksOfBatches.flatMap((each) => batches.map(each)));
