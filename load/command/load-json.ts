// load.json: what a load run found, for programs.
import { sloText } from '../capacity/slo.ts';
import { k6Version } from '../install/version.ts';
import type { Load } from '../step/open-load.ts';
import type { Ran } from './command.ts';
import type { CheckedLoadOptions } from './options.ts';

/** Of what was loaded. */
type About = Pick<Load, 'journey' | 'requestsPerJourney' | 'seed' | 'target' | 'segments'> &
  Partial<Pick<Load, 'insecure'>>;

/** Schema `assay.load/1`. Times in ms, rates per second. */
export function loadJson(load: About, options: CheckedLoadOptions, { step, seconds, verdict, nullP95 }: Ran) {
  const { rate, durationMs, shapeName, slo, perOperation, arrivals } = options;
  const {
    lagMs,
    cpu,
    startedAt,
    ended,
    sent,
    journeys,
    achieved,
    dropped,
    missing,
    capped,
    latency,
    errors,
    operations,
  } = step;
  return {
    schema: 'assay.load/1',
    ...verdict,
    journey: load.journey,
    requestsPerJourney: load.requestsPerJourney,
    shape: shapeName,
    rate,
    arrivals,
    seed: load.seed,
    slo: sloText(slo),
    perOperationSlo: Object.fromEntries(Object.entries(perOperation).map(([id, own]) => [id, sloText(own)])),
    target: load.target,
    ...(load.insecure && { insecure: true }),
    startedAt,
    durationMs,
    ended,
    sent,
    journeys,
    achieved,
    dropped,
    ...(missing > 0 && { missing }),
    latency,
    errors,
    operations,
    generator: {
      k6: k6Version,
      segments: load.segments,
      lagMs,
      cpu,
      capped,
      inFlight: step.inFlight,
      ...(step.peopleShared && { peopleShared: true }),
      ...(nullP95 !== undefined && { nullP95 }),
    },
    seconds,
  };
}
