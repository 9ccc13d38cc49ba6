import { type InconclusiveReason, inconclusive, type Judgement } from '../judgement.ts';

/** Thrown by the stage: the step is judged, nothing in it that follows matters. */
export class Stop extends Error {
  override readonly name = 'Stop';
  readonly judgement: Judgement;

  constructor(judgement: Judgement) {
    super(judgement.kind);
    this.judgement = judgement;
  }
}

/** For what need not be done, or shown: that it could not is for another step to judge. */
export function unlessStopped(error: unknown): void {
  if (!(error instanceof Stop)) throw error;
}

export const cannotTell = (reason: InconclusiveReason, detail: string): Stop =>
  new Stop(inconclusive(reason, detail));
