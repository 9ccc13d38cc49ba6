// Finds data in an answer that belongs to one player alone.
import { fingerprint } from '../../compare/compare.ts';
import type { Exchange } from '../../http/exchange.ts';
import { switchPoint } from '../../values/switch-points.ts';

const dated = /^"?\d{4}-\d\d-\d\d([T ]|"?$)/;

/** Long enough, and made of enough digits, that two answers do not hold it by chance; no date, no time in ms or s. */
export function identifies(leaf: string): boolean {
  if (!leaf.startsWith('"') || leaf.length < 8 || dated.test(leaf)) return false;
  const text = leaf.slice(1, -1);
  if (/^1[6-9]\d{8}(\d{3})?$/.test(text)) return false;
  return text.includes('@') || text.replace(/\D/g, '').length >= 3;
}

export interface OwnData {
  /** Places whose value is this player's and not the other's. */
  readonly own: readonly string[];
  /** Those of them that stand in the third answer too, with a value that identifies, or with the id of any player. */
  readonly shown: readonly string[];
}

/**
 * Places of the body in which an answer to one player differs from the same call's answer to another, and those that
 * a third answer shows as well. What the calls themselves said (an id in the path) is masked, so it does not count.
 * @param isPlayer who stands where each of the two finds their own id is a player whose data this is
 */
export const ownData = switchPoint(function ownData(
  mine: Exchange,
  theirs: Exchange,
  shownTo: Exchange,
  isPlayer: (id: string) => boolean = () => false,
): OwnData {
  const [one, other, third] = [fingerprint(mine), fingerprint(theirs), fingerprint(shownTo)];
  const own = [...one.keys()].filter(
    (place) => place.startsWith('body') && one.get(place) !== other.get(place),
  );
  const names = (leaf = '') => isPlayer(leaf.replace(/^"|"$/g, ''));
  const shown = own.filter((place) => {
    const leaf = one.get(place);
    const isMine = third.get(place) === leaf && identifies(leaf ?? '');
    return isMine || [one, other, third].every((answer) => names(answer.get(place)));
  });
  return { own, shown };
});
