// Infers how the session travels from credentials of logins that later calls carried.
import type { SessionTransport } from '../../../engine/target/session-transport.ts';
import type { Carried } from '../people.ts';
import { isPlainWord } from '../privacy.ts';
import { Tally } from '../tally.ts';

export interface Travels {
  /** Calls that carried anything. */
  calls: number;
  readonly ways: Tally;
}

export const newTravels = (): Travels => ({ calls: 0, ways: new Tally(200) });

/** Adds one call that was answered as asked. */
export function addCall(travels: Travels, carried: readonly Carried[]): void {
  if (carried.length === 0) return;
  travels.calls += 1;
  const ways = carried.map(({ as, name, source }) => JSON.stringify([as, name, source]));
  for (const way of new Set(ways)) travels.ways.add(way);
}

/** Does a call show that its host is to have the session? A cookie goes to whichever host a browser takes for the same. */
export const isWanted = (carried: readonly Carried[]): boolean => carried.some(({ as }) => as !== 'cookie');

/** Most of the calls that carry anything carry what is the session; the rest is of some calls' own. */
const share = 0.8;

/**
 * The transport; undefined where calls carried nothing known.
 * @param isShareable may this member's name stand in a profile?
 */
export function transportOf(
  { calls, ways }: Travels,
  isShareable: (key: string) => boolean,
): SessionTransport | undefined {
  const usual = ways
    .ranked()
    .filter(([, count]) => count >= calls * share)
    .map(([way]) => JSON.parse(way) as [Carried['as'], string, string])
    .filter(
      ([, name, source]) =>
        isShareableName(name) && source.split('/').every((key) => key === '' || isShareableName(key)),
    )
    .sort((a, b) => (a.join(' ') < b.join(' ') ? -1 : 1));
  const cookies = usual.filter(([as]) => as === 'cookie').map(([, name]) => name);
  const parts: SessionTransport[] = [
    ...(cookies.length > 0 ? [{ kind: 'cookie', names: cookies } as const] : []),
    ...usual.flatMap(([as, name, source]): SessionTransport[] => {
      if (as === 'bearer') return [{ kind: 'bearer', source }];
      return as === 'cookie' ? [] : [{ kind: as, name, source }];
    }),
  ];
  return parts.length > 1 ? { kind: 'combined', parts } : parts[0];

  function isShareableName(name: string): boolean {
    return isPlainWord(name.replace(/^cookie:/, '').replace(/^[_.]+/, '')) && isShareable(name);
  }
}
