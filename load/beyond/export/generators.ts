// How many generator pods a rate needs, and how large each has to be. Pure.

/**
 * What one k6 2.2 process takes, measured on Linux x64 with these scripts: resident memory with 20, 500 and 1,500 VUs,
 * processor time per request on a target that does nothing.
 */
export const cost = {
  baseMiB: 120,
  /** Every VU has an interpreter of its own, with the journey's calls made ready in it. */
  mibPerVu: 1,
  /** Core seconds; Poisson arrivals, the checks and what is told while it runs included. */
  coresPerRequest: 0.0008,
} as const;

/** A generator that uses more of what it has measures itself. */
const headroom = 0.7;
const leastCores = 0.25;

export interface Size {
  /** Of Kubernetes: `500m`, `256Mi`. */
  readonly requests: { readonly cpu: string; readonly memory: string };
  /** No limit on processors: a throttled generator is late. */
  readonly limits: { readonly memory: string };
}

/**
 * @param vus of one pod
 * @param requestsPerSecond of one pod
 */
export function sizeOf(vus: number, requestsPerSecond: number): Size {
  const cores = Math.max(leastCores, (requestsPerSecond * cost.coresPerRequest) / headroom);
  const mib = cost.baseMiB + vus * cost.mibPerVu;
  const memory = `${Math.ceil(mib / headroom / 64) * 64}Mi`;
  return { requests: { cpu: `${Math.ceil(cores * 20) * 50}m`, memory }, limits: { memory } };
}

/**
 * Pods for a rate.
 * @param ceiling journeys per second that one generator was seen to give while it stayed fast
 */
export const generatorsFor = (rate: number, ceiling: number): number =>
  Math.max(1, Math.ceil(rate / (ceiling * headroom)));

/** Journeys per second of one generator that a plan may count on. */
export const countedOn = (ceiling: number): number => ceiling * headroom;
