// The flow `logs`: batches of records of several sizes, malformed ones, and repeated ones. `logs/batch-body.ts` writes them;
// `logs/counted-records.ts` reads what an answer counts of them.

import { areas } from '../catalog/catalog.ts';
import { clauseById } from '../catalog/clauses/clauses.ts';
import { effects } from '../catalog/clauses/flows.ts';
import type { Operation } from '../catalog/operation.ts';
import { type Flow, flow } from '../engine/flow/flow.ts';
import { requireAnswer } from '../engine/flow/refusal.ts';
import type { StepContext } from '../engine/flow/step-context.ts';
import type { Ask } from '../engine/http/ask.ts';
import { type Exchange, isSuccess, statusOf } from '../engine/http/exchange.ts';
import { Stop } from '../engine/judgement.ts';
import { mostMended, refusesBody } from '../engine/players/bodies.ts';
import { type Form, formOf } from '../engine/players/body-template.ts';
import { type LogKind, logBatch } from '../engine/players/log-batch.ts';
import { isIndex } from '../engine/players/refusals/complaint.ts';
import { complaintsIn } from '../engine/players/refusals/refusals.ts';
import type { Json } from '../engine/target/profile-validation.ts';
import { isObject } from '../engine/values/json-walk.ts';
import { is2xx } from '../engine/values/status.ts';
import { batchForms, stretched } from './logs/batch-body.ts';
import { isPosition, listsOf, numbersIn, partsOf, saysLeftOut, saysTaken } from './logs/counted-records.ts';

const clauses = effects.logs;
const batchesAccepted = clauseById('logs.batches');

interface Batches {
  /** Begins the names of the steps. */
  readonly key: string;
  readonly kind: LogKind;
  readonly operation: Operation;
}

type Anybody = StepContext<never>;

/** Batches of one kind: small and large, broken, and sent again. Nobody in particular calls the logging API. */
function batches(flow: Flow, { key, kind, operation }: Batches): void {
  const { step, observe } = flow.scenario();

  const written = ({ unique }: Anybody, form: Form, records: readonly Json[]) =>
    stretched(form, records, () => ({
      now: new Date().toISOString(),
      unique: unique(key),
      value: unique(key),
    }));

  /** The call of a batch in that form. */
  const batch = (context: Anybody, form: Form, count: number) => {
    const writing = written(context, form, logBatch(kind, context.unique(key), count));
    if (writing.ok) return { ...writing.written };
    return context.cannotTell(
      'needs-body',
      `the body of ${operation.id} needs ${writing.missing.join(', ')}`,
    );
  };

  const mendedBatch = async (context: Anybody, form: Form, refusal: Exchange) =>
    (await context.mended(operation, form, refusal)) ?? withFixed(form, refusal);

  /**
   * Mends the form until a batch with records of every kind is taken: a value may suit the first record only. The accepted
   * form, where none is.
   */
  async function fitted(context: Anybody, accepted: Form): Promise<Form> {
    let form: Form | undefined = accepted;
    for (let made = 0; form?.from === 'guess' && made < mostMended; made += 1) {
      const answer = requireAnswer(await context.put(undefined, operation, batch(context, form, fifty)));
      if (isSuccess(answer)) return form;
      // What is said of no record in particular is said of how many there are.
      const isOfRecord: boolean = refusesBody(answer) && namesRecord(answer, form);
      const mended: Form | undefined = isOfRecord ? await mendedBatch(context, form, answer) : undefined;
      [form] = batchForms(mended ? [mended] : []);
    }
    return accepted;
  }

  const one = step(
    `${key}-one`,
    [operation],
    clauses.one,
    'a batch of one record is accepted',
    async (context) => {
      let refused: Stop | undefined;
      let refusal: Exchange | undefined;
      /** The first form of which a refusal names a record: the target reads its list. */
      let read: { readonly form: Form; readonly refusal: Exchange } | undefined;
      /** Those that are known, then those that the last refusals ask for. */
      async function* forms() {
        yield* batchForms(context.forms(operation));
        let form: Form | undefined = read?.form ?? formOf({}, 'guess');
        refusal = read?.refusal ?? refusal;
        for (let made = 0; form && made < mostMended; made += 1) {
          form = refusal && (await mendedBatch(context, form, refusal));
          yield* batchForms(form ? [form] : []);
        }
      }
      for await (const form of forms()) {
        try {
          const ask = batch(context, form, 1);
          const answer = await context.done(undefined, operation, ask);
          const fit = await fitted(context, form);
          return { form: fit, ask, status: statusOf(answer), numbers: numbersIn(answer) };
        } catch (error) {
          if (!isNeedOfBody(error)) throw error;
          refused = error;
          const { judgement } = error;
          refusal = judgement.kind === 'inconclusive' ? judgement.evidence : undefined;
          if (refusal && form.from === 'guess' && namesRecord(refusal, form)) read ??= { form, refusal };
        }
      }
      throw (
        refused ?? context.cannotTell('needs-body', `no body of ${operation.id} is known that holds a list`)
      );
    },
  );

  one.step(
    `${key}-fifty`,
    [operation],
    batchesAccepted,
    'a batch of fifty records is accepted',
    async (context, { form }) => {
      const ask = batch(context, form, fifty);
      await context.done(undefined, operation, { ...ask, mayRefuse: 'a batch of fifty records' });
    },
  );

  one.step(
    `${key}-counted`,
    [operation],
    clauses.counted,
    'an answer that counts the records of a batch counts all of them',
    async (context, { form, numbers: one }) => {
      const sent = async (count: number) =>
        requireAnswer(await context.put(undefined, operation, batch(context, form, count)));
      const pair = await sent(2);
      const [two, few] = [numbersIn(pair), await sent(fifty)];
      const exact = [...one.keys()].filter((place) => one.get(place) === 1 && two.get(place) === 2);
      // Grows by one for one record more, and is another number: a count that is wrong, or a position.
      const growing = [...one.keys()].filter(
        (place) => (two.get(place) ?? 0) - (one.get(place) ?? 0) === 1 && !isPosition(place),
      );
      // By its name the number of records that are kept, and not that of batches, which does not grow.
      const named = [...one.keys()].filter(
        (place) => one.get(place) === 1 && saysTaken(place) && (numbersIn(few).get(place) ?? 0) > 1,
      );
      const [counting = []] = [exact, growing, named].filter(({ length }) => length > 0);
      // Of two, since a long list of what was left out may be cut.
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
      if (counting.length === 0 && parts === undefined)
        context.notTriggered(`${operation.id} does not count what it was sent`);
      // What is cut to the most that the target takes at once is cut in the larger one alone.
      const many = await sent(thousand);
      const answered: readonly (readonly [count: number, answer: Exchange])[] = [
        [fifty, few],
        isSuccess(many) ? [thousand, many] : [hundreds, await sent(hundreds)],
      ];
      let hasCounted = counting !== growing || parts !== undefined;
      for (const [count, answer] of answered) {
        const shown = numbersIn(answer);
        const wrong =
          counting === growing
            ? growing.find((place) => (shown.get(place) ?? 0) - (one.get(place) ?? 0) === count - 1)
            : counting.find((place) => (shown.get(place) ?? count) < count);
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
      if (!hasCounted) context.notTriggered(`${operation.id} does not count what it was sent`);
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
        const answer = requireAnswer(await context.put(undefined, operation, batch(context, form, count)));
        const status = statusOf(answer);
        context.expect(status < 500, 'an answer that is no server error', `${status}`, answer);
        context.note(`answered ${status}`);
      },
    );

  observe(
    `${key}-again`,
    [operation],
    'how the server answers when a batch is sent again',
    async (context) => {
      const ask = batch(context, context.of(one).form, 2);
      const first = requireAnswer(await context.put(undefined, operation, ask));
      const again = requireAnswer(await context.put(undefined, operation, ask));
      context.observe(`${statusOf(first)}, then ${statusOf(again)}`, again);
    },
  );

  const broken = observe(
    `${key}-broken`,
    [operation],
    'how the server answers a batch that breaks off in its last record',
    async (context) => {
      const { body, ...ask } = batch(context, context.of(one).form, 2);
      await context.observeAnswer(undefined, operation, { ...ask, body: (body ?? '').slice(0, -4) });
    },
  );

  const strange = one.observe(
    `${key}-strange-record`,
    [operation],
    'how the server answers a batch with a plain string among its records',
    async (context, { form }) => {
      const records = [...logBatch(kind, context.unique(key), 1), 'assay: no record'];
      const writing = written(context, { ...form, from: 'guess' }, records);
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
    async (context, { numbers: one }) => {
      const { answer, sent } = context.of(strange);
      const shown = numbersIn(answer);
      const counted = (isNamed: (place: string) => boolean) =>
        [...shown].filter(([place, value]) => isNamed(place) && value <= sent);
      // A counter of all batches is no count of this one.
      const [accepted, ...others] = counted(saysTaken).filter(([place]) => one.get(place) === 1);
      const listed = [...listsOf(answer)].filter(([place]) => saysLeftOut(place));
      const rejected = [...counted(saysLeftOut), ...listed].filter(
        ([place, value]) => value <= sent && (one.get(place) ?? 0) === 0,
      );
      const most = Math.max(...rejected.map(([, value]) => value));
      // An answer that lists what it left out may read as a refusal, and counts all the same.
      const isCounted = is2xx(statusOf(answer)) && others.length === 0 && rejected.length > 0;
      if (!isCounted || accepted === undefined)
        return context.notTriggered(`${operation.id} does not count what it took and what it left out`);
      const [place, value] = accepted;
      context.expect(
        value + most <= sent,
        `at most ${sent - most} at ${place}, since ${most} of ${sent} were left out`,
        `${value}`,
        answer,
      );
    },
  );

  one.step(
    `${key}-after-broken`,
    [operation],
    clauses.goesOn,
    'a well-formed batch is still accepted after a malformed one',
    async (context, { form, ask, status: before }) => {
      context.of(broken);
      const sent = async (call: Ask) => requireAnswer(await context.put(undefined, operation, call));
      const answer = await sent(batch(context, form, 1));
      const isTaken = (status: number) => status === before || status < 300;
      // A refusal of these values may be right, so the batch that was accepted before is sent again.
      const again = refusesBody(answer) ? await sent(ask) : answer;
      const knowsIt = statusOf(again) === 409;
      const isFine = isTaken(statusOf(answer)) || isTaken(statusOf(again)) || knowsIt;
      context.expect(isFine, `${before}, as before`, `${statusOf(again)}`, again);
    },
  );
}

/** The form where members of a record take no values but those that a refusal lists; undefined where it lists none anew. */
function withFixed(form: Form, refusal: Exchange): Form | undefined {
  const { fixed = [] } = form;
  const listed = complaintsIn(refusal).flatMap(({ path, allowed }) => (allowed && path.at(-1)) ?? []);
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

/** Enough for a server that takes a page at a time. */
const fifty = 50;
const thousand = 1_000;
/** Where a thousand are refused as too many. */
const hundreds = 250;

const isNeedOfBody = (error: unknown): error is Stop =>
  error instanceof Stop && error.reason === 'needs-body';

const { analyticsBatch, logsBatch } = areas.logs;

const logs = flow('logs');
batches(logs, { key: 'logs', kind: 'log', operation: logsBatch });
batches(logs, { key: 'analytics', kind: 'analytics', operation: analyticsBatch });

export default logs.suite();
