// Links the CLI and its worker: the plan comes first, settings go once, progress comes back from time to time.
// Uses Node's own listeners, not `onmessage`: a web event makes node load its whole fetch in each thread.
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Plan } from './plan.ts';
import type { Progress, RunSettings } from './runner.ts';

type FromWorker =
  | { readonly kind: 'planned'; readonly plan: Plan }
  | ({ readonly kind: 'progress' } & Progress);
type ToWorker = { readonly kind: 'settings'; readonly settings: RunSettings };

/** The CLI's end. */
export function openLink(onProgress: (progress: Progress) => void) {
  const { port1, port2 } = new MessageChannel();
  const plan = Promise.withResolvers<Plan>();
  port1.on('message', (message: FromWorker) => {
    if (message.kind === 'planned') plan.resolve(message.plan);
    if (message.kind === 'progress') onProgress(message);
  });
  return {
    /** The worker's end, to be transferred. */
    port: port2,
    /** The worker's plan. The worker listens from then on. */
    plan: plan.promise,
    close: () => port1.close(),
    /** Lets the worker begin; not before there is a plan. */
    hand: (settings: RunSettings) => port1.postMessage({ kind: 'settings', settings } satisfies ToWorker),
  };
}

/** The worker's end. */
export function joinLink(port: MessagePort) {
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
