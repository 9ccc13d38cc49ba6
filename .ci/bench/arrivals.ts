// Arrivals as the target counts them, beside those that were drawn.
import { arrivalTimes, blockOf } from '../../load/arrivals/schedule.ts';
import type { StepPlan } from '../../load/step/plan.ts';
import { openGenerator, openRecorder } from './generator.ts';

type Arriving = Pick<StepPlan, 'rate' | 'durationMs' | 'seed' | 'arrivals'>;

/** When arrivals are due, in ms since the first may come. */
export function drawnTimes({ rate, durationMs, seed, arrivals }: Arriving): number[] {
  const stages = [{ from: rate, to: rate, durationMs }];
  const dueAt = arrivalTimes(stages, { arrivals, seed });
  return Array.from({ length: blockOf(stages) }, (_, nth) => dueAt(nth));
}

export interface Arrived {
  /** When the requests of the step arrived at the target, in ms of its clock. */
  readonly times: readonly number[];
  /** How late journeys began (p95), in ms. */
  readonly lagMs: number;
}

export interface Arrivals {
  of(plan: Arriving): Promise<Arrived>;
  close(): Promise<void>;
}

/** Sends one call that any player may make to a target that records when it is called. */
export async function openArrivals(): Promise<Arrivals> {
  const recorder = await openRecorder();
  try {
    const load = await openGenerator({ journey: '', operation: 'general.healthcheck' });
    return {
      of: async (plan) => {
        const whole = { ...plan, warmupMs: 0, inFlight: 2_000, label: 'arrivals' };
        const { lagMs } = await load.against(recorder.url)(whole, new AbortController().signal);
        return { times: recorder.takeArrivals(), lagMs: lagMs.p95 };
      },
      close: async () => {
        await load.close();
        recorder.close();
      },
    };
  } catch (error) {
    recorder.close();
    throw error;
  }
}
