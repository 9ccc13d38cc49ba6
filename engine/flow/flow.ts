// How a file of `scenarios/` says what it plays: scenes with a cast, and steps one after another.
import type { Clause } from '../../catalog/clauses/clause.ts';
import { type Check, type Operations, type Suite, suite } from '../probe/check.ts';
import { createScenes, type Scene, type StepRun } from './scenario.ts';
import type { Again, Stage } from './step-context.ts';

/** A step that others may build on; its value is what its run returned. */
export interface Step<Value> {
  readonly name: string;
  /** Never there: it carries the type alone. */
  readonly value?: Value;
}

export interface SceneBuilder<Role extends string> {
  /** What has to be so before the steps after it; judged by other scenes, so it is no check of its own. */
  readonly prepare: <Value>(what: string, run: (stage: Stage<Again<Role>>) => Promise<Value>) => Step<Value>;
  /**
   * Adds a step, played after those before it, whatever became of them.
   * @param operations what it judges, the first being what it is filed under
   * @param run returns what later steps may use; throws through the stage where it cannot go on
   */
  readonly step: <Value>(
    name: string,
    operations: Operations,
    clause: Clause,
    title: string,
    run: (stage: Stage<Again<Role>>) => Promise<Value>,
  ) => Step<Value>;
}

export interface Flow {
  /** A scene with people of its own, one per role; scenes of a flow are played side by side. */
  readonly scene: <const Role extends string>(...cast: readonly Role[]) => SceneBuilder<Role>;
  /** The flow's checks, in the order in which their steps were written. */
  readonly suite: () => Suite;
}

/** A flow of that name; the ids of its steps are `NAME/STEP`. */
export function flow(name: string): Flow {
  const checks: Check[] = [];
  let scenes = 0;
  return {
    scene(...cast) {
      scenes += 1;
      const scene: Scene = { purpose: `${name} ${scenes}`, cast, steps: [] };
      const { play, passOver } = createScenes(scene);
      return {
        prepare(what, run) {
          scene.steps.push({ name: what, operations: [], run: run as StepRun });
          return { name: what };
        },
        step(step, operations, clause, title, run) {
          const at = scene.steps.length;
          scene.steps.push({
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
            // Whoever asks for one step has those before it played as well.
            get changes() {
              return scene.steps.some(({ operations }) => operations.some(({ effect }) => effect !== 'read'));
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
