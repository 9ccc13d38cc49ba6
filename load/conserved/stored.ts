// Checks stored log batches: LOGS_SINK_COMMAND must show every acknowledged record once.
import { storedLogs } from '../../engine/players/logs-sink.ts';
import { counted } from '../../engine/values/text.ts';
import type { Call } from '../k6/plan.ts';
import type { Reading } from './reading.ts';
import { type Control, mostExamples, settle, sumOf } from './rule.ts';

/** The rehearsal sends the first body up to four times, which may all be stored. */
const rehearsed = 4;

/** The id of a record of a run, in a stored line. */
const record = /assaylog-[\w-]+/g;

export function storedOnce(
  target: Parameters<typeof storedLogs>[0],
  { body }: Call,
  batches: Readonly<Record<string, readonly string[]>>,
  reading: Pick<Reading, 'each' | 'pause'>,
): Control {
  if (target.logsSinkCommand === undefined)
    return { notChecked: 'no read shows it: LOGS_SINK_COMMAND is not set' };
  const bodies = body.kind === 'batch' ? (batches[body.of] ?? []) : [];
  const ids = bodies.map((each) => [...new Set(each.match(record))]);
  if (ids.every((each) => each.length === 0)) return { notChecked: 'its records carry no id of ours' };
  /** Calls of all steps together, by body, because a record may be stored late. */
  const sent = bodies.map((_, at) => ({ acknowledged: 0, unknown: at === 0 ? rehearsed : 0 }));
  /** How many copies of a record earlier steps reported as too many; negative where too few. */
  const known = new Map<string, number>();
  let why: string | undefined;

  const counts = async (): Promise<Map<string, number> | undefined> => {
    const stored = await storedLogs(target);
    if (!stored.ok) {
      why = stored.why;
      return undefined;
    }
    const found = new Map<string, number>();
    for (const line of stored.lines)
      for (const id of new Set(line.match(record))) found.set(id, (found.get(id) ?? 0) + 1);
    return found;
  };
  return {
    check: {
      async end(effects) {
        for (const { place, acknowledged, unknown } of effects) {
          const total = sent[place];
          if (total === undefined) continue;
          total.acknowledged += acknowledged;
          total.unknown += unknown;
        }
        const all = effects.flatMap(({ place }) => (ids[place] ?? []).map((id) => ({ id, place })));
        why = undefined;
        let now: ReadonlyMap<string, number> | undefined;
        const storedOf = (id: string) => (now?.get(id) ?? 0) - (known.get(id) ?? 0);
        /** How many copies are stored too many; negative where too few. */
        const surplusOf = ({ id, place }: (typeof all)[number]) => {
          const { acknowledged, unknown } = sent[place] ?? { acknowledged: 0, unknown: 0 };
          const stored = storedOf(id);
          return Math.min(0, stored - acknowledged) + Math.max(0, stored - acknowledged - unknown);
        };
        const isWrong = (each: (typeof all)[number]) => surplusOf(each) !== 0;
        // One reading of the store shows all records.
        const found = await settle<'store', string>(reading, {
          items: ['store'],
          lagMs: 500,
          async read() {
            now = await counts();
            return now && JSON.stringify(all.filter(isWrong).map(({ id }) => storedOf(id)));
          },
          brokenIn: (shown) => (shown.size > 0 && all.some(isWrong) ? ['store'] : []),
        });
        const broken = found.broken.length > 0 ? all.filter(isWrong) : [];
        const isSilent = all.length > 0 && all.every(({ id }) => storedOf(id) === 0);
        const notChecked =
          why ??
          (found.keptChanging ? 'what is stored keeps changing' : undefined) ??
          (isSilent ? 'LOGS_SINK_COMMAND prints none of the records' : undefined);
        const isChecked = notChecked === undefined;
        const examples = broken.slice(0, mostExamples).map(({ id, place }) => {
          const { acknowledged = 0 } = sent[place] ?? {};
          return `${id} was acknowledged ${counted(acknowledged, 'time')} and is stored ${counted(storedOf(id), 'time')}`;
        });
        for (const each of broken) known.set(each.id, (known.get(each.id) ?? 0) + surplusOf(each));
        return {
          looked: isChecked ? all.length : 0,
          acknowledged: sumOf(effects, 'acknowledged'),
          unknown: sumOf(effects, 'unknown'),
          broken: isChecked ? broken.length : 0,
          examples: isChecked ? examples : [],
          ...(notChecked !== undefined && { notChecked }),
        };
      },
    },
  };
}
