// Defines how a file of `scenarios/` declares its scenarios: a group of actors, and steps one after another.
import type { Clause } from '../../catalog/clauses/clause.ts';
import { undocumented } from '../../catalog/clauses/open.ts';
import { type Operation, parametersOf } from '../../catalog/operation.ts';
import type { Exchange } from '../http/exchange.ts';
import {
  inconclusive,
  type Judgement,
  type Prerequisite,
  pass,
  type ScenarioCall,
  Stop,
} from '../judgement.ts';
import type { Form } from '../players/body-template.ts';
import type { Player } from '../players/players.ts';
import { type Check, leftOutOf, type Operations, type Suite, suite } from '../probe/check.ts';
import type { Context } from '../probe/context.ts';
import { whyOmitted } from '../target/profile.ts';
import { takenIn } from './attack-context.ts';
import type { Taken } from './bodies-to-try.ts';
import { excused } from './excuse.ts';
import { seenAmong, withSequence } from './how-seen.ts';
import { createShownPlaces, type ShownPlaces } from './places.ts';
import type { Guessed } from './send-with-body.ts';
import { type Again, createStepContext, type StepContext } from './step-context.ts';
import { isGuessed, needsValue, requireServed } from './why-refused.ts';

/** A step that others may build on; its value is what its run returned. */
export interface Step<Value> {
  readonly name: string;
  /** Never set: it only carries the type. */
  readonly value?: Value;
}

/** A step of a scenario, with what is built on it. */
interface BaseStep<Role extends string, Value> extends Step<Value> {
  /** Adds a step that builds on this one, and passes its value on where it returns nothing itself. */
  readonly step: AddStep<Role, Value>;
  /** Adds a step that changes nothing: several in a row are played side by side. */
  readonly readOnlyStep: AddStep<Role, Value>;
  readonly observe: AddObservation<Role, Value>;
}

type StepOperations = readonly [Operation | Operations, ...(Operation | readonly Operation[])[]];

export interface ScenarioBuilder<Role extends string> {
  /** Makes a precondition of the steps after it. Other scenarios judge it, so it is no check of its own. */
  readonly prepare: <Value>(
    what: string,
    run: (stepContext: StepContext<Again<Role>>) => Promise<Value>,
  ) => BaseStep<Role, Value>;
  /**
   * Adds a step, played after those before it, whatever became of them.
   * @param operations what the step judges, filed under the first; a nested list holds reads that it can do without
   * where the profile leaves them out
   * @param run returns what later steps may use; methods of the step context throw a Stop where the step cannot go on
   */
  readonly step: AddStep<Role, undefined>;
  /** Adds a step that asserts nothing: it records what the server does where the document is silent. */
  readonly observe: AddObservation<Role, undefined>;
}

type AddStep<Role extends string, Before> = <Value>(
  name: string,
  operations: StepOperations,
  clause: Clause,
  title: string,
  run: (stepContext: StepContext<Again<Role>>, before: Before) => Promise<Value>,
) => BaseStep<Role, Value extends void ? Before : Value>;

type AddObservation<Role extends string, Before> = <Value>(
  name: string,
  operations: StepOperations,
  title: string,
  run: (stepContext: StepContext<Again<Role>>, before: Before) => Promise<Value>,
) => BaseStep<Role, Value extends void ? Before : Value>;

export interface Flow {
  /** Adds a scenario with players of its own, one per role; the scenarios of a flow are played side by side. */
  readonly scenario: <const Role extends string>(...actors: readonly Role[]) => ScenarioBuilder<Role>;
  /** Adds a step that is a scenario of its own and has no players until it recruits them. */
  readonly stepAlone: ScenarioBuilder<string>['step'];
  /** The flow's checks, in the order in which their steps were written. */
  readonly suite: () => Suite;
}

/**
 * Makes the checks of a flow.
 * @param scenarios in the order in which their checks are listed and they get players
 */
export function flowSuite(
  name: string,
  scenarios: readonly ((flow: Flow) => void)[],
  options?: Parameters<typeof flow>[1],
): Suite {
  const made = flow(name, options);
  for (const scenario of scenarios) scenario(made);
  return made.suite();
}

/**
 * Makes a flow; the ids of its steps are `NAME/STEP`.
 * @param options `attack`: its steps run after everything else, on players of their own, and only with `--attack`
 */
export function flow(name: string, { attack = false }: { readonly attack?: boolean } = {}): Flow {
  const checks: Check[] = [];
  let scenarios = 0;
  const made: Flow = {
    scenario(...actors) {
      scenarios += 1;
      const scenario: Scenario = { purpose: `${name} ${scenarios}`, attack, actors, steps: [] };
      const runs = new WeakMap<Context, Run>();
      const runIn = (context: Context) => {
        const run = runs.get(context) ?? begin(scenario, context);
        runs.set(context, run);
        return run;
      };
      const add = (
        step: string,
        needed: StepOperations,
        clause: Clause,
        title: string,
        run: StepRun,
        onlyReads = false,
      ): BaseStep<string, never> => {
        const at = scenario.steps.length;
        const operations = needed.flat() as unknown as Operations;
        const dispensable = needed.filter((each): each is Operations => Array.isArray(each)).flat();
        const id = `${name}/${step}`;
        scenario.steps.push({ id, name: step, operations, dispensable, clause, run, onlyReads });
        checks.push({
          id,
          title,
          operations,
          ...(dispensable.length > 0 && { dispensable }),
          rule: step,
          clause,
          level: clause.level,
          ...(attack && { attack: true as const }),
          // A step that is run alone also plays the steps before it. An attack that only reads may still fill a cache.
          get changes() {
            if (attack) return true;
            return scenario.steps.some(({ operations }) =>
              operations.some(({ effect }) => effect !== 'read'),
            );
          },
          run: (context) => runIn(context).stepAt(at),
          passOver: (context) => runIn(context).without(at),
        });
        return base(step);
      };
      const base = (before: string): BaseStep<string, never> => {
        const adding =
          (onlyReads: boolean): AddStep<string, never> =>
          (step, needed, clause, title, run) => {
            const given = async (context: StepContext) => {
              const value = context.resultOf<never>({ name: before });
              return (await run(context, value)) ?? value;
            };
            return add(step, needed, clause, title, given, onlyReads);
          };
        const step = adding(false);
        return {
          name: before,
          step,
          readOnlyStep: adding(true),
          observe: (name, needed, ...rest) => step(name, needed, undocumented, ...rest),
        };
      };
      return {
        prepare(what, run) {
          scenario.steps.push({ name: what, operations: [], run: run as StepRun });
          return base(what);
        },
        step: (step, needed, clause, title, run) => add(step, needed, clause, title, run as StepRun),
        observe: (step, needed, title, run) => add(step, needed, undocumented, title, run as StepRun),
      };
    },
    stepAlone: (...step) => made.scenario<string>().step(...step),
    suite: () => suite(name, checks),
  };
  return made;
}

type StepRun = (stepContext: StepContext) => Promise<unknown>;

export interface ScenarioStep {
  /** The id of its check; undefined where the step only prepares. */
  readonly id?: string;
  readonly name: string;
  /** The operations that it judges; empty where it only prepares. */
  readonly operations: readonly Operation[];
  /** The operations among them that it can do without. */
  readonly dispensable?: readonly Operation[];
  /** Undefined where it only prepares. */
  readonly clause?: Clause;
  readonly run: StepRun;
  /** It changes nothing, so neighbouring steps that only read may be played at the same time. */
  readonly onlyReads?: boolean;
}

interface Scenario {
  /** The key under which it gets players whom no other scenario plays. */
  readonly purpose: string;
  readonly attack: boolean;
  readonly actors: readonly string[];
  readonly steps: ScenarioStep[];
}

/** The state of a scenario in one run. */
export interface Played {
  readonly purpose: string;
  /** When it began, in ms by `performance.now()`. */
  readonly begunAt: number;
  /** It is an attack, and ends once the time that all attacks share is over. */
  readonly attack?: boolean;
  readonly people: Map<string, Player>;
  /** Some of them may have played in another scenario or run. */
  readonly playedBefore: boolean;
  /** Why the state of its players may come from another scenario or check; undefined where nothing suggests that. */
  readonly trace: () => string | undefined;
  /** The values that steps returned, by step name; a step that did not pass has none. */
  readonly values: Map<string, unknown>;
  /** How each step ended, by step name. */
  readonly endings: Map<string, Prerequisite>;
  /** The calls of its players, in the order of the answers. */
  readonly calls: ScenarioCall[];
  /** Calls that may change something and that the target accepted, in the order of the answers. */
  readonly writes: {
    /** The role of the caller. */
    readonly by: string;
    /** The operation's id. */
    readonly operation: string;
    readonly exchange: Exchange;
  }[];
  /** For each read, the role of its caller, and how many writes came before it. */
  readonly reads: Map<Exchange, { readonly by: string; readonly writes: number }>;
  /** The name of the step that is being played. */
  readonly step: string;
  /** Id of the check to run in order to play this step: its own, or where it only prepares, that of the next check. */
  readonly checkId: string | undefined;
  /** Operations that accepted a guessed body: where they may not have read it, a missing effect is no failure. */
  readonly guessed: Guessed;
  /** Operations that refused a guessed body: they read bodies, so they have read the one that they accept. */
  readonly refusing: Set<string>;
  readonly taken: Taken;
  /** Ids that the target's own answers gave. */
  readonly named: Set<string>;
  /** The places where answers showed values before. */
  readonly shownPlaces: ShownPlaces;
}

/** A scenario in one run. */
interface Run {
  /** Gives the judgement of the nth step, once those before it have been played. */
  readonly stepAt: (at: number) => Promise<Judgement>;
  /** Skips the nth step: the scenario ends without it. */
  readonly without: (at: number) => void;
}

function begin(scenario: Scenario, context: Context): Run {
  const steps: Promise<Judgement>[] = [];
  let actors: Promise<Played | Judgement> | undefined;
  /** Indexes of the steps that were played or skipped. */
  const done = new Set<number>();
  let isOver = false;

  /** Ends the scenario after the last step that the run asks for, so that its players are free again. */
  const endIfLast = (played: Played): void => {
    const isAsked = ({ id }: ScenarioStep) => id !== undefined && context.flows.asked(id);
    if (isOver || scenario.steps.some((step, at) => isAsked(step) && !done.has(at))) return;
    isOver = true;
    context.flows.over(scenario.purpose, [...played.people.values()]);
  };

  const stepAt = (at: number): Promise<Judgement> => {
    const known = steps[at];
    if (known) return known;
    const made = perform(at);
    steps[at] = made;
    return made;
  };

  /** Indexes of the steps to play before the nth: the last one that writes and, if the nth writes, the reads since. */
  const before = (at: number): readonly number[] => {
    const { onlyReads } = scenario.steps[at] as ScenarioStep;
    const last = scenario.steps.slice(0, at).findLastIndex((step) => !step.onlyReads);
    const beside = Array.from({ length: at - 1 - last }, (_, nth) => last + 1 + nth);
    return [...(last < 0 ? [] : [last]), ...(onlyReads ? [] : beside)];
  };

  const perform = async (at: number): Promise<Judgement> => {
    // An earlier step reports its own failure; this one is played all the same.
    await Promise.allSettled(before(at).map(stepAt));
    actors ??= assemble(scenario, context);
    const together = await actors;
    if ('kind' in together) return together;
    const step = scenario.steps[at] as ScenarioStep;
    const { calls } = together;
    // Steps that run side by side get a copy each, since their calls mixed are no sequence.
    const checkId = scenario.steps.slice(at).find(({ id }) => id !== undefined)?.id;
    const played = { ...together, step: step.name, checkId, calls: step.onlyReads ? [...calls] : calls };
    const ends = (judgement: Judgement) =>
      played.endings.set(step.name, {
        step: step.id ?? step.name,
        ...(step.clause && { clause: step.clause }),
        judgement,
      });
    ends(inconclusive('prerequisite-failed', 'Assay itself failed in it'));
    try {
      const judgement = await playStep(step, scenario, played, context);
      ends(judgement);
      return judgement;
    } finally {
      done.add(at);
      endIfLast(played);
    }
  };

  return {
    stepAt,
    without(at) {
      done.add(at);
      void actors?.then(
        (played) => 'kind' in played || endIfLast(played),
        () => {},
      );
    },
  };
}

async function assemble(scenario: Scenario, context: Context): Promise<Played | Judgement> {
  const found = {
    purpose: scenario.purpose,
    begunAt: performance.now(),
    attack: scenario.attack,
    values: new Map(),
    endings: new Map(),
    calls: [],
    writes: [],
    reads: new Map(),
    step: '',
    checkId: undefined,
    guessed: new Map(),
    refusing: new Set<string>(),
    taken: scenario.attack ? takenIn(context.flows) : new Map<string, Form>(),
    named: new Set<string>(),
    shownPlaces: createShownPlaces(),
  };
  if (scenario.actors.length === 0)
    return { people: new Map(), playedBefore: false, trace: () => undefined, ...found };
  const why = context.noSession();
  if (why !== undefined) return inconclusive('no-session', why);
  const people = await context.flows.actors(scenario.actors.length, scenario.purpose);
  if (!people.ok) return inconclusive('needs-players', people.why);
  return {
    people: new Map(scenario.actors.map((role, nth) => [role, people.players[nth] as Player])),
    playedBefore: people.playedBefore ?? false,
    trace: () =>
      people.trace ??
      (people.players.some(({ shared }) => shared) ? 'single checks play its people too' : undefined),
    ...found,
  };
}

async function playStep(
  step: ScenarioStep,
  scenario: Scenario,
  played: Played,
  context: Context,
): Promise<Judgement> {
  const omitted = leftOutOf(step, context.flows.omitted);
  if (omitted !== undefined) return inconclusive('prerequisite-failed', whyOmitted(omitted.reason));
  const { stepContext, judgement, others } = createStepContext(played, context);
  const guessedBefore = new Map(played.guessed);
  try {
    played.values.set(step.name, await step.run(stepContext));
    const seen = judgement() ?? pass();
    if (seen.kind === 'violation') throw new Stop(seen);
    if (seen.kind === 'observed') await requireChoice(step, played, context);
    return withLevel(seen, step, context);
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    const ended = played.attack ? lackingValue(error.judgement, step, context) : error.judgement;
    const judged = await excused(ended, { step, played, guessedBefore, context });
    const levelled = withLevel(judged, step, context);
    return seenAmong(withSequence(levelled, played, step), others, scenario.steps, context);
  }
}

/**
 * Raises the level of a judgement to `profile` where the profile states how to call every operation of the step, and no
 * body is a guess.
 */
function withLevel(
  judgement: Judgement,
  { operations, clause }: ScenarioStep,
  { flows }: Context,
): Judgement {
  if (judgement.kind !== 'violation' && judgement.kind !== 'pass') return judgement;
  if (judgement.level !== undefined || clause?.level !== 'inferred') return judgement;
  const isSpoken = (operation: Operation) =>
    flows.isStatedInProfile(operation) && !isGuessed(flows.forms(operation));
  return operations.every(isSpoken) ? { ...judgement, level: 'profile' } : judgement;
}

/**
 * Requires that what the step observed is a choice of the target. It is none where a write of the step is not served, or
 * where all its reads are refused and one of them is not served.
 */
async function requireChoice(
  { name, operations }: ScenarioStep,
  { calls }: Played,
  context: Context,
): Promise<void> {
  const refused = operations.filter(({ id }) => {
    const sent = calls.filter(({ step, operation }) => step === name && operation === id);
    return sent.length > 0 && sent.every(({ answer }) => Number(answer) >= 400);
  });
  const reads = operations.filter(({ method }) => method === 'GET');
  const sawNothing = reads.every((read) => refused.includes(read));
  for (const operation of refused.filter((each) => sawNothing || !reads.includes(each)))
    await requireServed(operation, context);
}

/** The judgement of an attack; where the attack had to invent an identifier, one that asks for it in the profile. */
function lackingValue(judgement: Judgement, { operations }: ScenarioStep, { flows }: Context): Judgement {
  const { evidence, detail } = judgement.kind === 'inconclusive' ? judgement : {};
  if (detail === undefined || evidence === undefined || !flows.invented(evidence)) return judgement;
  const [name] = operations.flatMap((each) => parametersOf(each).filter((one) => !flows.stated(each, one)));
  return name === undefined ? judgement : needsValue(`not exercised: ${detail}`, name, evidence);
}
