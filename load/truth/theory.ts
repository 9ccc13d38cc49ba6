// Queueing theory: at which rate of Poisson arrivals a bound is met exactly.

/** The M/M/c queue: `servers` servers, each of which takes an exponential time with this mean. */
export interface Queue {
  readonly servers: number;
  readonly meanMs: number;
}

/** Erlang B: the share of calls that `servers` servers turn away at this load (arrival rate × mean holding time). */
export function erlangB(servers: number, load: number): number {
  let blocked = 1;
  for (let count = 1; count <= servers; count += 1) blocked = (load * blocked) / (count + load * blocked);
  return blocked;
}

/** Erlang C: the share of requests that wait. */
export function erlangC(servers: number, load: number): number {
  const blocked = erlangB(servers, load);
  return blocked / (1 - (load / servers) * (1 - blocked));
}

/**
 * The share of requests whose time in an M/M/c queue (first come, first served) exceeds `ms`.
 * @param rate per second; below saturation
 */
export function sojournTail({ servers, meanMs }: Queue, rate: number, ms: number): number {
  const load = (rate * meanMs) / 1_000;
  const wait = erlangC(servers, load);
  const spare = servers - 1 - load;
  const served = Math.exp(-ms / meanMs);
  if (Math.abs(spare) < 1e-9) return served * (1 + (wait * ms) / meanMs);
  return served * (1 + (wait * (1 - Math.exp((-ms / meanMs) * spare))) / spare);
}

/** The time in ms that `quantile` of the requests stay within, at this rate per second. */
export function sojournQuantile(queue: Queue, rate: number, quantile: number): number {
  const longest = 1_000 * queue.meanMs;
  return crossing((ms) => sojournTail(queue, rate, ms) < 1 - quantile, longest);
}

/** The rate per second at which `quantile` of the requests take at most `ms`. */
export function queueCapacity(queue: Queue, quantile: number, ms: number): number {
  const saturation = (queue.servers * 1_000) / queue.meanMs;
  return crossing((rate) => sojournTail(queue, rate, ms) > 1 - quantile, saturation);
}

/** The rate per second at which a pool that turns away what it cannot take at once turns away this share. */
export function lossCapacity({ servers, meanMs }: Queue, share: number): number {
  const most = (4 * servers * 1_000) / meanMs;
  return crossing((rate) => erlangB(servers, (rate * meanMs) / 1_000) > share, most);
}

/** The rate per second at which a limiter of `limit` in every window refuses this share of Poisson arrivals. */
export function windowCapacity(limit: number, windowMs: number, share: number): number {
  const perSecond = 1_000 / windowMs;
  return crossing((rate) => excess(limit, rate / perSecond) > share, 4 * limit * perSecond);
}

/** The share of a Poisson number's mean that lies above the limit. */
function excess(limit: number, mean: number): number {
  let chance = Math.exp(-mean);
  let within = 0;
  let taken = 0;
  for (let count = 0; count < limit; count += 1) {
    within += chance;
    taken += count * chance;
    chance *= mean / (count + 1);
  }
  return 1 - (taken + limit * (1 - within)) / mean;
}

/** Where a condition that holds from some value on begins to hold, to nine digits. */
function crossing(holds: (value: number) => boolean, most: number): number {
  let low = 0;
  let high = most;
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return (low + high) / 2;
}
