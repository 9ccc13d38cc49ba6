// Reads a host's answers as bytes, once a run, for what a client library would hide: framing, HEAD, what follows an answer.
import type { Host } from '../../catalog/operation.ts';
import type { InFlight } from '../http/attempt.ts';
import { type RawProbe, rawProbe } from '../http/raw.ts';
import type { Target } from '../target/target.ts';
import { once } from '../values/once.ts';
import type { Context, RawFindings } from './context.ts';

/** Asks a host once, however many want to know. */
export function createRawProbe(
  urlOf: (host: Host) => string,
  transport: Target['transport'],
  inFlight: InFlight,
): Context['rawProbe'] {
  return once((host) => findingsAt(urlOf(host), { ...transport, inFlight }));
}

/** The same read as GET and as HEAD, once with a connection that closes and once with one that stays. */
async function findingsAt(url: string, how: RawProbe): Promise<RawFindings> {
  const answers = await Promise.all([
    rawProbe(url, how),
    rawProbe(url, { ...how, connection: 'keep-alive' }),
    rawProbe(url, { ...how, method: 'HEAD', connection: 'keep-alive' }),
  ]);
  const findings = [
    ...new Set(answers.flatMap(({ findings }) => findings.map(({ kind, detail }) => `${kind}: ${detail}`))),
  ];
  const failure = answers.find(({ failure }) => failure !== undefined)?.failure;
  return { findings, ...(failure && { failure }) };
}
