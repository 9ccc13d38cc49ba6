// Did the players' sessions end while load was put on? Signing in is done before, and not again. Pure.
import type { Second } from '../run/seconds.ts';
import type { Step } from '../step/step.ts';

/** Of what went wrong. */
const nearlyAll = 0.9;

type Errors = { readonly errors: Pick<Step['errors'], 'wrong' | 'transport' | 'kinds'> };

/** What went wrong is that nobody is believed to be signed in. */
export function isUnauthorised({ errors: { wrong, transport, kinds } }: Errors): boolean {
  const refused = kinds['status 401'] ?? 0;
  return refused > 0 && refused >= nearlyAll * (wrong + transport);
}

/** @returns seconds into the run at which that began; undefined where something else went wrong, or nothing */
export function unauthorisedSince(
  step: Errors,
  seconds: readonly Pick<Second, 'at' | 'errors'>[],
): number | undefined {
  return isUnauthorised(step) ? (seconds.find(({ errors }) => errors > 0)?.at ?? 0) : undefined;
}
