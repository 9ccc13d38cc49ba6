// Puts a flow together from its scenarios.
import { type Flow, flow, type ScenarioBuilder } from '../../engine/flow/flow.ts';
import type { Suite } from '../../engine/probe/check.ts';

/**
 * The checks of a flow that has these scenarios.
 * @param scenarios in the order of their checks, and in which they get players
 */
export function suiteOf(
  name: string,
  scenarios: readonly ((flow: Flow) => void)[],
  options?: Parameters<typeof flow>[1],
): Suite {
  const made = flow(name, options);
  for (const scenario of scenarios) scenario(made);
  return made.suite();
}

/** Adds steps that each are a scenario of their own, which nobody plays until the step recruits players. */
export const stepAlone =
  (flow: Flow): ScenarioBuilder<string>['step'] =>
  (...step) =>
    flow.scenario().step(...step);
