// Links the CLI and its worker: the plan comes first, settings go once, progress comes back from time to time.
// Uses Node's own listeners, not `onmessage`: a web event makes node load its whole fetch in each thread.
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Plan } from './plan.ts';
import type { Progress, RunSettings } from './run.ts';

type FromWorker =
  | { readonly kind: 'planned'; readonly plan: Plan }
  | ({ readonly kind: 'progress' } & Progress);
type ToWorker = { readonly kind: 'settings'; readonly settings: RunSettings };

interface Link {
  /** The worker's end, to be transferred. */
  readonly port: MessagePort;
  /** The worker's plan. The worker listens from then on. */
  readonly plan: Promise<Plan>;
  /** Lets the worker begin; not before there is a plan. */
  readonly hand: (settings: RunSettings) => void;
  readonly close: () => void;
}

/** The CLI's end. */
export function openLink(onProgress: (progress: Progress) => void): Link {
  const { port1, port2 } = new MessageChannel();
  const plan = Promise.withResolvers<Plan>();
  port1.on('message', (message: FromWorker) => {
    if (message.kind === 'planned') plan.resolve(message.plan);
    if (message.kind === 'progress') onProgress(message);
  });
  return {
    port: port2,
    plan: plan.promise,
    close: () => port1.close(),
    hand: (settings) => port1.postMessage({ kind: 'settings', settings } satisfies ToWorker),
  };
}

interface WorkerLink {
  readonly settings: Promise<RunSettings>;
  readonly propose: (plan: Plan) => void;
  readonly tell: (progress: Progress) => void;
}

/** The worker's end. */
export function joinLink(port: MessagePort): WorkerLink {
  const settings = new Promise<RunSettings>((resolve) => {
    port.on('message', (message: ToWorker) => resolve(message.settings));
  });
  const post = (message: FromWorker) => port.postMessage(message);
  return {
    settings,
    propose: (plan) => post({ kind: 'planned', plan }),
    tell: (progress) => post({ kind: 'progress', ...progress }),
  };
}
