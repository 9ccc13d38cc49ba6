// Checks in the target's own store that each acknowledged log record is stored once, although answers were lost.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Operation } from '../../catalog/operation.ts';
import { waitForEffect } from '../../engine/attack/waiting.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import type { Ask } from '../../engine/http/ask.ts';
import type { Cut } from '../../engine/http/cut-off.ts';
import { isSuccess } from '../../engine/http/exchange.ts';
import type { Form } from '../../engine/players/body-template.ts';
import { type LogKind, logBatch } from '../../engine/players/log-batch.ts';
import { batchForms, bodyWithRecords } from '../logs/batch-body.ts';

const { analyticsBatch, logsBatch } = areas.logs;

/** Enough records that the first half of a batch holds the first one whole. */
const recordsPerBatch = 4;
/** Stores fill with delay: the pauses before each read that looks for an acknowledged record, in ms. */
const awaitedMs: readonly number[] = [0, 200, 400, 800, 1_600, 3_000];

/** A batch that was acknowledged, and the ids of its records. */
interface Sent {
  readonly ids: readonly string[];
  readonly cut: Cut | undefined;
}

interface Batch {
  readonly ids: readonly string[];
  readonly ask: Ask;
}

function batchOf(context: StepContext, kind: LogKind, form: Form): Batch {
  const ids = Array.from({ length: recordsPerBatch }, () => context.unique('assaylog'));
  const records = logBatch(kind, ids.join(), recordsPerBatch).map((record, at) => ({
    ...record,
    id: ids[at] ?? '',
  }));
  const writing = bodyWithRecords(form, records, (at) => ({
    now: new Date().toISOString(),
    unique: ids[at] ?? '',
    value: ids[at] ?? '',
  }));
  if (writing.ok) return { ids, ask: { ...writing.written } };
  return context.cannotTell('needs-body', `a batch needs ${writing.missing.join(', ')}`);
}

/** Sends a batch in each form until one is accepted. */
async function firstAccepted(
  context: StepContext,
  kind: LogKind,
  operation: Operation,
): Promise<{ readonly form: Form; readonly sent: Sent }> {
  for (const form of batchForms(context.forms(operation))) {
    const { ids, ask } = batchOf(context, kind, form);
    if (isSuccess(await context.send(undefined, operation, ask)))
      return { form, sent: { ids, cut: undefined } };
  }
  return context.cannotTell('needs-body', `not exercised: no body of ${operation.id} was taken`);
}

async function storedOnce(context: StepContext, kind: LogKind, operation: Operation): Promise<void> {
  const stored = async () => {
    const found = await context.means.storedLogs();
    return found.ok ? found.lines : context.cannotTell('needs-state', `not exercised: ${found.why}`);
  };
  await stored();
  const { form, sent } = await firstAccepted(context, kind, operation);
  const batches: Sent[] = [sent];
  for (const cut of ['in the body', 'at once', 'in the answer'] as const) {
    const { ids, ask } = batchOf(context, kind, form);
    const call = await context.repeatable({ role: undefined, operation, ask });
    await call.cut(cut);
    // Waits until the target has noticed that the caller is gone.
    await waitForEffect(context);
    if (isSuccess(await call.send())) batches.push({ ids, cut });
  }

  const countsIn = (lines: readonly string[]) => (id: string) =>
    lines.filter((line) => line.includes(id)).length;
  let count = countsIn([]);
  for (const ms of awaitedMs) {
    await context.pause(ms);
    count = countsIn(await stored());
    if (batches.every(({ ids }) => ids.every((id) => count(id) > 0))) break;
  }
  const expected = 'every record that was acknowledged, once';
  for (const { ids, cut } of batches) {
    const counts = ids.map(count);
    const lost = counts.filter((times) => times === 0).length;
    const batch = cut === undefined ? 'a batch' : `a batch that was cut ${cut} and sent again`;
    if (lost === counts.length && batches.every((each) => each.ids.every((id) => count(id) === 0)))
      context.cannotTell('needs-state', 'not exercised: LOGS_SINK_COMMAND prints none of the records');
    context.expect(
      lost === 0,
      expected,
      `${lost} of the ${counts.length} records of ${batch} are not stored`,
    );
    const more = counts.filter((times) => times > 1).length;
    // A batch that was sent whole twice may be stored twice. One that was sent once, or cut in its body, may not.
    if (cut === undefined || cut === 'in the body')
      context.expect(
        more === 0,
        expected,
        `${more} of the ${counts.length} records of ${batch} are stored twice`,
      );
    else if (more > 0)
      context.observe('at least once: a batch that is sent again after a cut is stored again');
  }
  context.note(`${batches.length} batches of ${recordsPerBatch} records`);
}

export function logBatches(flow: Flow): void {
  const step = flow.stepAlone;
  for (const [name, kind, operation] of [
    ['logs', 'log', logsBatch],
    ['analytics', 'analytics', analyticsBatch],
  ] as const)
    step(
      name,
      [operation],
      effects.retry.stored,
      `each acknowledged record of a batch of ${operation.id} is stored once, even when its answer was lost`,
      (context) => storedOnce(context, kind, operation),
    );
}
