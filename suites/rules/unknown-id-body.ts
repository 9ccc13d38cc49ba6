// Checks that an id in the body that nobody has causes no server error.
import { isIdentifier } from '../../engine/flow/identifiers.ts';
import { type Judgement, judgementOf, notTriggered } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { servedAnswer } from '../../engine/probe/prerequisites.ts';
import { isNested, leavesOf, parsedJson } from '../../engine/values/json-walk.ts';
import { noSuchId } from '../../engine/values/nonexistent.ts';
import { expectNoServerError, fuzzerOf, noServerErrorRule } from '../shared/bad-input.ts';

/** Matches any spelling of an id: `player_id`, `matchIds`, `userid`. It matches `paid` too, which does no harm. */
const isId = /ids?$/i;
/** Most ids of one body that are tried. */
const mostIds = 3;

/** A copy of the body for each id in it, with that id replaced everywhere by an unknown one of the same form. */
export function withUnknownIds(body: string): readonly string[] {
  const sent = parsedJson(body);
  const isNamed = (name: string, value: unknown): value is string =>
    typeof value === 'string' && isId.test(name) && isIdentifier(value);
  const nameOf = (pointer: string) => pointer.split('/').findLast((part) => !/^\d*$/.test(part)) ?? '';
  const named = isNested(sent)
    ? leavesOf(sent).flatMap(({ pointer, value }) => (isNamed(nameOf(pointer), value) ? [value] : []))
    : [];
  return [...new Set(named)].slice(0, mostIds).map((id) => {
    const unknown = (value: unknown, name: string): unknown => {
      if (Array.isArray(value)) return value.map((each) => unknown(each, name));
      if (isNested(value))
        return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, unknown(each, key)]));
      return value === id && isNamed(name, value) ? noSuchId(id) : value;
    };
    return JSON.stringify(unknown(sent, ''));
  });
}

/** A client may hold an id that has been deleted since. */
export const unknownIdBody: Rule = {
  ...noServerErrorRule('unknown-id-body', 'an id in the body that nobody has', async (operation, context) => {
    const { exchange } = await servedAnswer(operation, context);
    const { body: sent } = exchange.request;
    let last: Judgement | undefined;
    for (const body of typeof sent === 'string' ? withUnknownIds(sent) : []) {
      const ask = { as: fuzzerOf(operation), contentType: 'application/json', body };
      last = await judgementOf(expectNoServerError(operation, context, ask));
      if (last.kind !== 'pass') return last;
    }
    return last ?? notTriggered('its plain body names no id');
  }),
  changes: true,
};
