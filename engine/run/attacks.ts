// Decides whether a run attacks its target: sends calls at one moment, forges sessions, cuts answers off.
import type { Discovery } from '../players/sign-in-discovery.ts';
import type { Target } from '../target/target.ts';
import { isLoopback } from '../target/transport.ts';
import { typed } from '../values/typed-command.ts';

/** `auto` attacks only where no real account can be harmed. */
export const attackModes = ['auto', 'on', 'off'] as const;
export type AttackMode = (typeof attackModes)[number];

interface AttackFacts {
  readonly target: Pick<Target, 'embedded' | 'hosts'>;
  readonly discovery: Discovery | undefined;
  /** Calls per second at most; undefined where there is no limit. */
  readonly rate: number | undefined;
  /** True where nothing may be sent that may change the target. */
  readonly readOnly: boolean;
}

/** Why the run attacks nothing; undefined where it does. */
export function whyNoAttack(
  mode: AttackMode,
  { target, discovery, rate, readOnly }: AttackFacts,
): string | undefined {
  if (mode === 'off') return 'attacks are off (--attack on runs them)';
  if (readOnly) return 'they may change the target, and --read-only was asked for';
  if (rate !== undefined) return 'attacks send calls at one moment, which --rate forbids';
  if (mode === 'on' || target.embedded) return undefined;
  if (target.hosts.base === undefined) return 'attacks need the main API, and BASE_URL is not set';
  if (!isLoopback(target.hosts.base))
    return 'attacks are left to targets on this machine (--attack on runs them here)';
  if (discovery?.kind === 'found' && discovery.from !== 'test JWT')
    return 'attacks would use accounts that LOGIN_TOKEN names, which may be real ones (--attack on runs them)';
  return undefined;
}

/**
 * The lines about attacks that a run prints before it begins; none where it has no attacks, or the mode is `off`.
 * @param attacks the number of checks of the run that are attacks
 * @param inTime whether attacks get only what is left of the time of `npm start`, which may be little
 */
export function attackNotes(mode: AttackMode, facts: AttackFacts, attacks: number, inTime = false): string[] {
  if (attacks === 0 || mode === 'off') return [];
  const why = whyNoAttack(mode, facts);
  const many = attacks === 1 ? '1 attack' : `${attacks} attacks`;
  if (why !== undefined) return [`${many} left out: ${why}`];
  if (mode === 'on')
    return [
      `${many} at the end: about 20 calls by 2 players each, up to 16 at a time, 90 s at most; the players are their own, and what these make (names, parties, purchases) stays with them`,
    ];
  if (facts.discovery?.kind !== 'found')
    return [`${many}, of which none that needs a player is made: nobody could sign in`];
  return [
    inTime
      ? `${many}, of which as many are made as ${typed('run')} has time for (--attack on makes all)`
      : `${many}, one round each (--attack on runs all rounds)`,
  ];
}
