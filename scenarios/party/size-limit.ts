// Reads how many players a party says it takes.

import { placesOf } from '../../engine/flow/places.ts';
import { answerLeaves, type Exchange } from '../../engine/http/exchange.ts';
import { parentOf } from '../../engine/values/json-walk.ts';

const limitName =
  /^(max(imum)?_?(party)?_?(size|players|members|slots)|capacity|(size|player|member)_?limit)$/i;
/** The end of a pointer to a limit in an object of its own, which may also say how many there are: `/size/max`. */
const limitInside = /\/(party_?)?(size|players|members|slots)(_?count)?\/(max(imum)?|limit|capacity)$/i;

/**
 * How many players a party says it takes, beside the list that holds its leader: other parts may have other limits.
 * @returns each number once; several where it names several
 */
export function limitsIn(view: Exchange, leaderId: string): readonly number[] {
  const holders = new Set(
    [...placesOf(view, leaderId).keys()].flatMap((path) => {
      const [list = ''] = path.split(/\/[#*]/, 1);
      return list === path ? [] : [parentOf(list)];
    }),
  );
  const found = answerLeaves(view).flatMap(({ pointer, name, value }) => {
    const beside = parentOf(pointer);
    const isLimit =
      (limitName.test(name) && holders.has(beside)) ||
      (limitInside.test(pointer) && holders.has(parentOf(beside)));
    return isLimit && typeof value === 'number' && value > 0 ? [value] : [];
  });
  return [...new Set(found)];
}
