// For those who run `npx vitest --project conformance` themselves: the target from the environment, as the CLI reads it,
// and at the end the CLI's verdict, since vitest is content with checks that could not be judged.

import type { TestProject } from 'vitest/node';
import { assemble, complete } from '../../../engine/run/assemble.ts';
import { defaultLimits } from '../../../engine/run/limits.ts';
import { type OpenedTarget, openTarget } from '../../../engine/run/open-target.ts';
import type { RunResult } from '../../../engine/run/result.ts';
import { factsOf } from '../../../engine/run/run.ts';
import { printable } from '../../../engine/values/text.ts';
import { startEmbedded } from '../../serve/embedded.ts';

/** Options of `npm start`, which vitest has no place for. */
const options = { strict: false, readOnly: false, minJudged: defaultLimits.minJudged, only: [] };

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const startedAt = Date.now();
  const opened = await openTarget({
    embedded: startEmbedded,
    env: process.env,
    cwd: process.cwd(),
  });
  for (const line of opened.preflight.lines) console.log(printable(line));
  const { target, preflight } = opened;
  const settings = {
    target,
    discovery: preflight.discovery,
    unreachable: preflight.unreachable,
    journal: undefined,
    strict: options.strict,
    readOnly: options.readOnly,
    timeoutMs: defaultLimits.timeoutMs,
    concurrency: opened.concurrency,
    rate: undefined,
    deadline: Date.now() + 24 * 3_600_000,
  };
  project.provide('run', settings);
  return async () => {
    await opened.close();
    const { exitCode, headline } = resultOf(project, opened, startedAt);
    console.error(printable(`conformance: ${headline.verdict}`));
    // A run that was interrupted ends as that, whatever it had found.
    if (exitCode !== 0 && process.exitCode !== 130) process.exitCode = exitCode;
  };
}

/** What the CLI would make of the checks that vitest ran; those that its filters left out are in no plan. */
function resultOf(project: TestProject, opened: OpenedTarget, startedAt: number): RunResult {
  const modules = project.vitest.state.getTestModules().filter((module) => module.project === project);
  const checks = modules
    .flatMap((module) => [...module.children.allTests()])
    .flatMap((test) => test.meta().result ?? []);
  const found = modules.flatMap((module) => module.meta().found ?? []);
  const all = (of: 'incidents' | 'unmatched') => [...new Set(found.flatMap((each) => each[of]))];
  const facts = factsOf(
    { ...options, opened, startedAt },
    { done: checks.length, failed: 0, requests: 0, incidents: all('incidents'), unmatched: all('unmatched') },
    { known: [], rerun: false },
  );
  const results = new Map(checks.map((check) => [check.id, check]));
  // A waived failure fails as a test, and so it counts.
  return assemble(checks, results, complete, { ...facts, waivers: [] });
}
