import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import { clauseById } from '../../fixtures/catalog/clauses/register.ts';
import type { Operation } from '../../fixtures/catalog/operation.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import { silenced } from '../../fixtures/check/flow/refusal.ts';
import type { Stage } from '../../fixtures/check/flow/stage.ts';
import { Stop } from '../../fixtures/check/flow/stop.ts';
import { statusOf } from '../../fixtures/client/exchange.ts';
import type { Form } from '../../fixtures/players/bodies/form.ts';
import { type LogKind, logBatch } from '../../fixtures/players/bodies/log-batch.ts';
import { batchForms, stretched } from './stretch.ts';

const clauses = effects.logs;
const anyState = open['open.flows'];
const batchesAccepted = clauseById('logs.batches');

interface Batches {
  /** Begins the names of the steps. */
  readonly key: string;
  readonly kind: LogKind;
  readonly operation: Operation;
}

type Anybody = Stage<never>;

/** Batches of one kind: small and large, broken, and sent again. Nobody in particular calls the logging API. */
export function batches(flow: Flow, { key, kind, operation }: Batches): void {
  const { step } = flow.scene();

  /** The call of a batch in that form. */
  const batch = (stage: Anybody, form: Form, count: number) => {
    const writing = stretched(form, logBatch(kind, stage.unique(key), count), () => ({
      now: new Date().toISOString(),
      unique: stage.unique(key),
      value: stage.unique(key),
    }));
    if (writing.ok) return { ...writing.written };
    return stage.cannotTell('needs-body', `the body of ${operation.id} needs ${writing.missing.join(', ')}`);
  };

  const one = step(
    `${key}-one`,
    [operation],
    clauses.one,
    'a batch of one record is accepted',
    async (stage) => {
      let refused: Stop | undefined;
      for (const form of batchForms(stage.forms(operation))) {
        try {
          const answer = await stage.done(undefined, operation, batch(stage, form, 1));
          return { form, status: statusOf(answer) };
        } catch (error) {
          if (!isNeedOfBody(error)) throw error;
          refused = error;
        }
      }
      throw (
        refused ?? stage.cannotTell('needs-body', `no body of ${operation.id} is known that holds a list`)
      );
    },
  );

  step(
    `${key}-fifty`,
    [operation],
    batchesAccepted,
    'a batch of fifty records is accepted',
    async (stage) => {
      const { form } = stage.of(one);
      const said = batch(stage, form, 50);
      await stage.done(undefined, operation, { ...said, mayRefuse: 'a batch of fifty records' });
    },
  );

  for (const [name, count, what] of [
    ['none', 0, 'no records'],
    ['thousand', 1_000, 'a thousand records'],
  ] as const)
    step(
      `${key}-${name}`,
      [operation],
      clauses.anySize,
      `a batch of ${what} is taken or refused, without a server error`,
      async (stage) => {
        const { form } = stage.of(one);
        const answer = await stage.put(undefined, operation, batch(stage, form, count));
        silenced(answer);
        const status = statusOf(answer);
        stage.expect(status < 500, 'an answer that is no server error', `${status}`, answer);
        stage.note(`answered ${status}`);
      },
    );

  step(`${key}-again`, [operation], anyState, 'what the same batch sent again is answered', async (stage) => {
    const said = batch(stage, stage.of(one).form, 2);
    const first = await stage.put(undefined, operation, said);
    silenced(first);
    const again = await stage.put(undefined, operation, said);
    silenced(again);
    stage.observe(`${statusOf(first)}, then ${statusOf(again)}`, again);
  });

  const broken = step(
    `${key}-broken`,
    [operation],
    anyState,
    'what a batch that breaks off in its last record is answered',
    async (stage) => {
      const { body, ...said } = batch(stage, stage.of(one).form, 2);
      await stage.observeAnswer(undefined, operation, { ...said, body: (body ?? '').slice(0, -4) });
    },
  );

  step(
    `${key}-strange-record`,
    [operation],
    anyState,
    'what a batch is answered that holds a text among its records',
    async (stage) => {
      const { form } = stage.of(one);
      const strange = [...logBatch(kind, stage.unique(key), 1), 'assay: no record'];
      const writing = stretched({ ...form, from: 'guess' }, strange, () => ({}));
      if (!writing.ok) return stage.cannotTell('needs-body', 'the batch could not be written');
      await stage.observeAnswer(undefined, operation, writing.written);
    },
  );

  step(
    `${key}-after-broken`,
    [operation],
    clauses.goesOn,
    'a good batch is still accepted after one that was not well-formed',
    async (stage) => {
      const { form, status: before } = stage.of(one);
      stage.of(broken);
      const answer = await stage.put(undefined, operation, batch(stage, form, 1));
      silenced(answer);
      const status = statusOf(answer);
      stage.expect(status === before || status < 300, `${before}, as before`, `${status}`, answer);
    },
  );
}

const isNeedOfBody = (error: unknown): error is Stop =>
  error instanceof Stop && error.judgement.kind === 'inconclusive' && error.judgement.reason === 'needs-body';
