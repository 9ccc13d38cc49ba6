// Reports what a run could not learn, and why: a later run will leave the same inconclusive.
import { catalog } from '../../catalog/catalog.ts';
import { identifierOf, type Operation, parametersOf } from '../../catalog/operation.ts';
import type { InconclusiveReason, Judgement } from '../../engine/judgement.ts';
import type { Check } from '../../engine/probe/check.ts';
import type { Learnt } from './learner.ts';

/** A flow of which steps could not be judged, so that nothing is learnt from them. */
export interface UnjudgedFlow {
  readonly flow: string;
  readonly unjudged: number;
  readonly steps: number;
  /** The most frequent reason, not counting that an earlier step was missing. */
  readonly why?: { readonly reason: InconclusiveReason; readonly detail: string };
}

export interface Unlearnt {
  readonly flows: readonly UnjudgedFlow[];
  /** By id of an operation that is served: the status of its last plain call by a player; 0: not answered. */
  readonly answered: ReadonlyMap<string, number>;
  /** Ids of operations that accepted a body of this run. */
  readonly tookBody: ReadonlySet<string>;
}

/** The flows that were not judged whole, the one with the most open steps first. */
export function unjudgedFlows(
  played: readonly { readonly step: Pick<Check, 'id'>; readonly judgement: Judgement }[],
): UnjudgedFlow[] {
  const flows = Map.groupBy(played, ({ step }) => step.id.split('/', 1)[0] ?? '');
  return Array.from(flows, ([flow, steps]): UnjudgedFlow => {
    const open = steps.flatMap(({ judgement }) => (judgement.kind === 'inconclusive' ? [judgement] : []));
    const first = open.filter(({ reason }) => reason !== 'prerequisite-failed');
    const sorted = [...Map.groupBy(first, ({ detail }) => detail).values()].sort(
      (a, b) => b.length - a.length,
    );
    const why = sorted[0]?.[0];
    return { flow, unjudged: open.length, steps: steps.length, ...(why && { why }) };
  })
    .filter(({ unjudged }) => unjudged > 0)
    .sort((a, b) => b.unjudged - a.unjudged);
}

const mostLines = 5;

/** A few lines by area and by flow; none where all was learnt, nor of captures, which nothing can be added to. */
export function unlearntLines(
  { unlearnt, spoken }: Pick<Learnt, 'unlearnt' | 'spoken'>,
  { operations, parameters }: Readonly<Record<string, unknown>>,
): string[] {
  if (unlearnt === undefined) return [];
  const stated = operations as Readonly<Record<string, { readonly ids?: object; readonly body?: unknown }>>;
  const entries = Object.values(stated);
  const bodiless = [...unlearnt.tookBody].filter((id) => stated[id]?.body === undefined).sort();
  const named = new Set([parameters as object, ...entries.map(({ ids = {} }) => ids)].flatMap(Object.keys));
  const unspoken = catalog.filter(
    ({ id }) => unlearnt.answered.has(id) && (spoken.get(id)?.statuses.total ?? 0) === 0,
  );
  const areas = Array.from(
    Map.groupBy(unspoken, ({ area }) => area),
    ([area, ofArea]) => `  ${area}: ${limited(ofArea.map(toWhy), 4).join(', ')}`,
  );
  const flows = unlearnt.flows.map(
    ({ flow, unjudged, steps, why }) =>
      `  ${flow}: ${unjudged} of ${steps} steps stay inconclusive${why ? ` (${why.reason}: ${why.detail.slice(0, 120)})` : ''}`,
  );
  return [
    ...(bodiless.length === 0
      ? []
      : [
          `no body stated, since it showed no effect or was refused again; a run guesses it, unless you state it: ${bodiless.join(', ')}`,
        ]),
    ...(areas.length === 0
      ? []
      : ['not learnt, since no call of them succeeded:', ...limited(areas, mostLines)]),
    ...(flows.length === 0 ? [] : ['not played whole:', ...limited(flows, mostLines)]),
  ];

  function toWhy(operation: Operation): string {
    const lacking = parametersOf(operation).filter(
      (name) => identifierOf(name) !== undefined && !named.has(name),
    );
    const status = unlearnt?.answered.get(operation.id);
    const remedy =
      lacking.length === 0 ? '' : `, which may want an existing ${lacking.join(', ')} in parameters`;
    return `${operation.id} (${status ? `answered ${status}` : 'not answered'}${remedy})`;
  }
}

const limited = (lines: readonly string[], most: number): readonly string[] =>
  lines.length <= most ? lines : [...lines.slice(0, most), `  and ${lines.length - most} more`];
