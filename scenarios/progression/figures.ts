// Finds the same figure in the answers to a call and to a read: it is alone under its name, beside the same fields. One
// of the two answers may have further fields.

import { answerLeaves, type Exchange } from '../../engine/http/exchange.ts';
import { parentOf } from '../../engine/values/json-walk.ts';

type Members = ReadonlySet<string>;

export interface Figure {
  readonly name: string;
  readonly value: number;
  /** The fields of its object: their names, and their texts. */
  readonly beside: Members;
}

/** The numbers of an answer, each with what stands beside it. */
function figuresOf(answer: Exchange): readonly Figure[] {
  const leaves = answerLeaves(answer);
  const objects = Map.groupBy(leaves, ({ pointer }) => parentOf(pointer));
  return leaves.flatMap(({ pointer, name, value }) => {
    const members = objects.get(parentOf(pointer)) ?? [];
    if (typeof value !== 'number' || members.length < 2) return [];
    const beside = members.map((one) => `${one.name} ${typeof one.value === 'string' ? one.value : ''}`);
    return [{ name, value, beside: new Set(beside) }];
  });
}

/** The figures that are higher in the later of two answers, as the later one shows them. */
export function grownIn(earlier: Exchange, later: Exchange): readonly Figure[] {
  return figuresOf(later).filter((figure) => {
    const was = figureIn(earlier, figure);
    return was !== undefined && figure.value > was;
  });
}

/** The value of that figure in another answer; undefined where it shows none, or several. */
export function figureIn(answer: Exchange, figure: Figure | undefined): number | undefined {
  if (figure === undefined) return undefined;
  const same = figuresOf(answer).filter(
    ({ name, beside }) =>
      name === figure.name && (describesSame(beside, figure.beside) || describesSame(figure.beside, beside)),
  );
  return same.length === 1 ? same[0]?.value : undefined;
}

/** Whether one set of fields is part of the other, and has a text where that has any: texts say what a figure is of. */
const describesSame = (some: Members, all: Members): boolean =>
  some.isSubsetOf(all) && (textsIn(some) > 0 || textsIn(all) === 0);

const textsIn = (members: Members) => [...members].filter((member) => !member.endsWith(' ')).length;
