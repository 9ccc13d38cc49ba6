// How many generator pods a rate needs, and how large each has to be. Pure.

/**
 * What one k6 2.2 process takes, measured on Linux x64 with these scripts against a target that does nothing: resident
 * memory of 142 MiB with 20 VUs and 1,303 MiB with 1,500 of a journey of 4 calls, 175 MiB with 50 and 1,335 MiB with 600
 * of a mix of 40 calls; 0.10 cores at 80 requests/s, 0.66 at 1,200.
 */
const cost = {
  mib: 130,
  mibPerVu: 0.7,
  /** Every VU makes the journey's calls ready for itself. */
  mibPerVuAndCall: 0.035,
  cores: 0.06,
  coresPerRequest: 0.0005,
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

export interface Pod {
  readonly vus: number;
  /** Of all journeys that it plays. */
  readonly calls: number;
  readonly requestsPerSecond: number;
}

export function sizeOf({ vus, calls, requestsPerSecond }: Pod): Size {
  const cores = Math.max(leastCores, (cost.cores + requestsPerSecond * cost.coresPerRequest) / headroom);
  const mib = cost.mib + vus * (cost.mibPerVu + calls * cost.mibPerVuAndCall);
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
