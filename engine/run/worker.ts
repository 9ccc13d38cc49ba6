// Runs in the worker thread: plans during preflight, then performs suite after suite.
import { once } from 'node:events';
import { type MessagePort, parentPort } from 'node:worker_threads';
import type { Suite } from '../probe/check.ts';
import { openCheckRunner } from './check-runner.ts';
import { type Plan, planOf } from './plan.ts';
import type { Assignment, FromWorker, Progress, RunSettings, ToWorker } from './runner.ts';

/** The body of a worker's entry: waits for its assignment, and performs the selected checks of these suites. */
export async function performAssigned(suites: readonly Suite[]): Promise<void> {
  // Closed connections make many errors, of which only the message is shown, so stack traces are not collected.
  Error.stackTraceLimit = 0;
  const assigned = once(parentPort as NonNullable<typeof parentPort>, 'message');
  const [{ selection, link }] = (await assigned) as [Assignment];
  const cli = joinLink(link);
  const plan = planOf(suites, selection);
  cli.propose(plan);
  const asked = new Set(plan.checks.map(({ id }) => id));
  const runner = openCheckRunner(await cli.settings, { planned: asked, onProgress: cli.report });
  for (const { checks } of suites) await runner.performSuite(checks.filter(({ id }) => asked.has(id)));
  // Without a check, nothing ends the thread, and the link would keep it alive.
  if (asked.size === 0) process.exit(0);
}

/** The worker's end of the link. */
function joinLink(port: MessagePort) {
  const settings = new Promise<RunSettings>((resolve) => {
    port.on('message', (message: ToWorker) => resolve(message.settings));
  });
  const post = (message: FromWorker) => port.postMessage(message);
  return {
    settings,
    propose: (plan: Plan) => post({ kind: 'planned', plan }),
    report: (progress: Progress) => post({ kind: 'progress', ...progress }),
  };
}
