// Compares how a match shows a player who quit it, and another one who did not.
import { placesOf } from '../../engine/flow/places.ts';
import type { Exchange } from '../../engine/http/exchange.ts';
import { leavesOf } from '../../engine/values/json-walk.ts';

/** The places where an answer names a player, and the values beside that name, except numbers, which may be clocks. */
function standingOf(answer: Exchange, id: string): ReadonlySet<string> {
  const facts = new Set<string>();
  for (const [path, { entry }] of placesOf(answer, id)) {
    facts.add(path);
    for (const { pointer, value } of entry === undefined ? [] : leavesOf(entry))
      if (value !== id && typeof value !== 'number') facts.add(`${path} ${pointer} ${value}`);
  }
  return facts;
}

interface Views {
  readonly before: Exchange;
  readonly after: Exchange;
}

/** Whom a match shows to have quit it, once one player has. */
export function shownToHaveQuit(
  { before, after }: Views,
  quitter: string,
  other: string,
): 'nobody' | 'the one who quit' | 'both' {
  const lost = (id: string) => standingOf(before, id).difference(standingOf(after, id));
  const ofQuitter = lost(quitter);
  if (ofQuitter.size === 0) return 'nobody';
  return ofQuitter.isDisjointFrom(lost(other)) ? 'the one who quit' : 'both';
}
