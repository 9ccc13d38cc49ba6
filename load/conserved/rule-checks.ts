// Checks, once a step has settled, that the rules of the journey hold. Control players, who play no journey, first show
// how the target behaves without load: without them no rule counts as broken. A status alone never breaks a rule.
import type { DeclaredRule, Rule } from '../journeys/journeys.ts';
import type { Effects } from '../k6/effects.ts';
import type { Call, Visit } from '../k6/plan.ts';
import type { Ready } from '../prepare/ready.ts';
import type { Staying } from '../run/script-output.ts';
import { effectOnce } from './holdings.ts';
import { openReading, type Reading } from './reading.ts';
import type { Conserved, Control, ControlInput } from './rule.ts';
import { storedOnce } from './stored.ts';
import { oneMatch, oneParty } from './together.ts';
import { lastWrite, oneHolder } from './writes.ts';

export interface RuleChecks {
  /** The journeys, with recorded calls marked; a refusal that the control players got too is accepted. */
  readonly visits: readonly Visit[];
  begin(): Promise<void>;
  /** @param mark of the step, which its values carry */
  end(effects: readonly Effects[], mark: string, stays: readonly Staying[]): Promise<readonly Conserved[]>;
  /** In the last `staysMs` of a step, players stay in what they entered. */
  readonly staysMs: number;
  close(): void;
}

/** Long enough for some players to stay, and too short to change what is measured. */
const staysMs = 400;

const isOfStaying = ({ kind }: Rule) => kind === 'one-match' || kind === 'one-party';

const operationOf = (rule: Rule) => ('write' in rule ? rule.write : rule.call);

const wordsOf = (rule: Rule): string => {
  const { id } = operationOf(rule);
  const what = {
    'last-write': 'the last write that was acknowledged is read',
    once: 'every acknowledged call has its effect once',
    'one-holder': 'of players who ask for the same, one has it',
    'one-match': 'nobody is in two matches, and everybody who is in one is told',
    'one-party': 'in a party are those who were let in, nobody else, and no more than it takes',
    'stored-once': 'every record that was acknowledged is stored once',
  }[rule.kind];
  return `${id}: ${what}`;
};

/** Makes the controls. Never rejects for what the target does. */
export async function openRuleChecks(
  ready: Pick<Ready, 'target' | 'hosts' | 'visits' | 'data' | 'spare' | 'conserves'>,
  { pause, mark }: { readonly pause: (ms: number) => Promise<void>; readonly mark: string },
): Promise<RuleChecks> {
  const reading = openReading(ready, pause);
  const controls: (DeclaredRule & { readonly control: Control })[] = [];
  /** Refusals that the control players met, and the operations whose calls are recorded, by id. */
  const [refusals, recorded] = [new Map<string, number>(), new Set<string>()];
  let isLookedAt = false;
  for (const { journey, rule } of ready.conserves) {
    const operation = operationOf(rule);
    const calls = ready.visits.find(({ name }) => name === journey)?.calls ?? [];
    const call = calls.find((each) => each.operation === operation);
    if (call === undefined) continue;
    const control = await controlOf(ready, rule, { call, calls }, reading, mark);
    controls.push({ journey, rule, control });
    if (!('check' in control)) continue;
    if (control.refusal !== undefined) refusals.set(operation.id, control.refusal);
    if (isOfStaying(rule)) isLookedAt = true;
    else recorded.add(operation.id);
  }
  return {
    visits: ready.visits.map((visit) => ({
      ...visit,
      calls: visit.calls.map((call) => marked(call, recorded, refusals)),
    })),
    async begin() {
      for (const { control } of controls) if ('check' in control) await control.check.begin?.();
    },
    staysMs: isLookedAt ? staysMs : 0,
    async end(effects, stepMark, stays) {
      const found: Conserved[] = [];
      for (const { journey, rule, control } of controls) {
        const about = { rule: wordsOf(rule), journey };
        const own = effects.filter(({ operation }) => operation === operationOf(rule).id);
        const inside = stays.filter(({ visit }) => ready.visits[visit]?.name === journey);
        found.push({
          ...about,
          ...('check' in control
            ? await control.check.end(own, stepMark, inside)
            : { ...nothing, ...control }),
        });
      }
      return found;
    },
    close: reading.close,
  };
}

const usual2xx = [200, 201, 202, 204];

function marked(call: Call, recorded: ReadonlySet<string>, refusals: ReadonlyMap<string, number>): Call {
  const { id } = call.operation;
  const refusal = refusals.get(id);
  return {
    ...call,
    ...(recorded.has(id) && { keeps: true as const }),
    ...(refusal !== undefined && {
      accepts: [...(call.accepts.length > 0 ? call.accepts : usual2xx), refusal],
      begins: '',
    }),
  };
}

const nothing = { looked: 0, acknowledged: 0, unknown: 0, broken: 0, examples: [] };

async function controlOf(
  { target, data, spare: [one, other] }: Pick<Ready, 'target' | 'data' | 'spare'>,
  rule: Rule,
  { call, calls }: { readonly call: Call; readonly calls: readonly Call[] },
  reading: Reading,
  mark: string,
): Promise<Control> {
  if (rule.kind === 'stored-once') return storedOnce(target, call, data.batches, reading);
  const [first, second] = [one?.[call.as], other?.[call.as]];
  if (first === undefined || second === undefined)
    return { notChecked: 'it takes two players who play no journey, and there are too few' };
  const { groups } = data;
  const about: ControlInput = { reading, call, groups, spare: [first, second], mark };
  const together = { reading, calls, groups, spare: [one ?? [], other ?? []], mark } as const;
  switch (rule.kind) {
    case 'one-match':
      return oneMatch(together, rule);
    case 'one-party':
      return oneParty(together, rule);
    case 'last-write':
      return lastWrite(about, rule);
    case 'one-holder':
      return oneHolder(about, rule);
    case 'once':
      return effectOnce(about);
  }
}
