// Ends a step early with its judgement, by throwing.
import { type InconclusiveReason, inconclusive, type Judgement } from '../judgement.ts';

/** Thrown by the stage to end a step: the step is judged, and the rest of it is not run. */
export class Stop extends Error {
  override readonly name = 'Stop';
  readonly judgement: Judgement;

  constructor(judgement: Judgement) {
    super(judgement.kind);
    this.judgement = judgement;
  }
}

/** Ignores a stop in an optional part of a step; another step judges that part. */
export function unlessStopped(error: unknown): void {
  if (!(error instanceof Stop)) throw error;
}

/** A Stop that makes the step inconclusive. */
export const cannotTell = (reason: InconclusiveReason, detail: string): Stop =>
  new Stop(inconclusive(reason, detail));
