// Defines how a file of `scenarios/` declares its scenarios: a group of actors, and steps one after another.
import type { Clause } from '../../catalog/clauses/clause.ts';
import { type Check, type Operations, type Suite, suite } from '../probe/check.ts';
import { createScenarios, type Scenario, type StepRun } from './scenario.ts';
import type { Again, StepContext } from './step-context.ts';

/** A step that others may build on; its value is what its run returned. */
export interface Step<Value> {
  readonly name: string;
  /** Never there: it carries the type alone. */
  readonly value?: Value;
}

export interface ScenarioBuilder<Role extends string> {
  /** What has to be so before the steps after it; judged by other scenarios, so it is no check of its own. */
  readonly prepare: <Value>(
    what: string,
    run: (stepContext: StepContext<Again<Role>>) => Promise<Value>,
  ) => Step<Value>;
  /**
   * Adds a step, played after those before it, whatever became of them.
   * @param operations what it judges, the first being what it is filed under
   * @param run returns what later steps may use; methods of the step context throw a Stop where the step cannot go on
   */
  readonly step: <Value>(
    name: string,
    operations: Operations,
    clause: Clause,
    title: string,
    run: (stepContext: StepContext<Again<Role>>) => Promise<Value>,
  ) => Step<Value>;
}

export interface Flow {
  /** A scenario with people of its own, one per role; scenarios of a flow are played side by side. */
  readonly scenario: <const Role extends string>(...actors: readonly Role[]) => ScenarioBuilder<Role>;
  /** The flow's checks, in the order in which their steps were written. */
  readonly suite: () => Suite;
}

/** A flow of that name; the ids of its steps are `NAME/STEP`. */
export function flow(name: string): Flow {
  const checks: Check[] = [];
  let scenarios = 0;
  return {
    scenario(...actors) {
      scenarios += 1;
      const scenario: Scenario = { purpose: `${name} ${scenarios}`, actors, steps: [] };
      const { play, passOver } = createScenarios(scenario);
      return {
        prepare(what, run) {
          scenario.steps.push({ name: what, operations: [], run: run as StepRun });
          return { name: what };
        },
        step(step, operations, clause, title, run) {
          const at = scenario.steps.length;
          scenario.steps.push({
            id: `${name}/${step}`,
            name: step,
            operations,
            level: clause.level,
            run: run as StepRun,
          });
          checks.push({
            id: `${name}/${step}`,
            title,
            operations,
            rule: step,
            clause,
            level: clause.level,
            // A step that is asked for alone also plays the steps before it.
            get changes() {
              return scenario.steps.some(({ operations }) =>
                operations.some(({ effect }) => effect !== 'read'),
              );
            },
            run: (context) => play(context, at),
            passOver: (context) => passOver(context, at),
          });
          return { name: step };
        },
      };
    },
    suite: () => suite(name, checks),
  };
}
