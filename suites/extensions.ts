// Checks of extensions: the general rules, that types[] may be repeated and each value counts, and another locale.
import { extensions } from '../catalog/areas/extensions.ts';
import { clauseById } from '../catalog/clauses/clauses.ts';
import type { Response } from '../engine/http/exchange.ts';
import { inconclusive, notTriggered, pass, violation } from '../engine/judgement.ts';
import { check } from '../engine/probe/check.ts';
import { jsonIn } from '../engine/probe/matchers/json.ts';
import { answered, successfulAnswer } from '../engine/probe/prerequisites.ts';
import { leavesOf, valueAt } from '../engine/values/json-walk.ts';
import { is2xx } from '../engine/values/status.ts';
import { areaSuite } from './rules/rules.ts';
import { askedPathAlone, askedQuery } from './shared/asked-path.ts';
import { expectNoServerError } from './shared/bad-input.ts';

/** Gives the value that was accepted once a second time, since the target may not know another type. */
const typesRepeated = check(
  extensions.catalogItems,
  'types-repeated',
  clauseById('resources.types-repeatable'),
  'takes types[] more than once',
  async (context) => {
    const once = await successfulAnswer(extensions.catalogItems, context);
    const extraQuery = askedQuery(once.exchange, extensions.catalogItems);
    const twice = answered(await context.ask(extensions.catalogItems, { extraQuery }));
    const { status } = twice.response;
    if (is2xx(status)) return pass(twice.exchange);
    return violation(
      'the same success as with one types[]',
      `answered ${status} where one was answered ${once.response.status}`,
      twice.exchange,
    );
  },
);

/** Takes the second type from the catalog without types[]; not applicable if items do not state their type. */
const typesUnion = check(
  extensions.catalogItems,
  'types-union',
  clauseById('sense.types-union'),
  'shows items of both of two types[]',
  async (context) => {
    const operation = extensions.catalogItems;
    const first = await successfulAnswer(operation, context);
    const type = new URLSearchParams(askedQuery(first.exchange, operation)).get('types[]') ?? '';
    const place = placeOfType(first.response, type);
    if (place === undefined) return notTriggered('no item says its type as types[] asks for it');
    const whole = answered(
      await context.ask(operation, { path: askedPathAlone(first.exchange, operation, context) }),
    );
    const ofAll = countsAt(whole.response, place);
    const [other] = [...ofAll.keys()].filter((each) => each !== type).sort();
    if (other === undefined) return notTriggered('without types[] there are no items of another type');
    const second = answered(await context.ask(operation, { params: { types: other } }));
    const alone = [
      countsAt(first.response, place).get(type) ?? 0,
      countsAt(second.response, place).get(other) ?? 0,
    ];
    if (alone.includes(0)) return notTriggered(`asked for alone, ${other} has no items`);
    const sum = (counts: ReadonlyMap<string, number>) =>
      [...counts.values()].reduce((all, each) => all + each, 0);
    const extraQuery = `types%5B%5D=${encodeURIComponent(other)}`;
    for (const nth of [1, 2]) {
      const both = answered(await context.ask(operation, { extraQuery, ...(nth > 1 && { nth }) }));
      if (!is2xx(both.response.status))
        return inconclusive('prerequisite-failed', `two types are answered ${both.response.status}`);
      const counts = countsAt(both.response, place);
      const missing = [type, other].filter((each) => !counts.has(each));
      if (missing.length === 0) return pass(both.exchange, `${type} and ${other}`);
      // If the catalog comes in pages, a full page may end before the second type begins, which is no fault.
      if (sum(counts) >= sum(ofAll))
        return notTriggered('the catalog may come in pages that hold no two types');
      if (nth === 2)
        return violation(
          `items of ${type} and of ${other}, as each has alone`,
          `none of ${missing.join(' and ')}`,
          both.exchange,
        );
    }
    throw new RangeError('unreachable: the second answer is judged in the loop');
  },
);

/** The place where the items of a list state their type. */
interface PlaceOfType {
  readonly list: string;
  /** JSON Pointer within an item. */
  readonly member: string;
}

function placeOfType(response: Response, type: string): PlaceOfType | undefined {
  const parsed = jsonIn(response);
  const leaf = leavesOf('value' in parsed ? parsed.value : undefined).find(
    ({ value, pointer }) => value === type && /\/\d+\/./.test(pointer),
  );
  const [, list = '', member = ''] = /^(.*?)\/\d+(\/.+)$/.exec(leaf?.pointer ?? '') ?? [];
  return member === '' ? undefined : { list, member };
}

/** The number of items of each type. */
function countsAt(response: Response, { list, member }: PlaceOfType): Map<string, number> {
  const parsed = jsonIn(response);
  const items = is2xx(response.status) && 'value' in parsed ? valueAt(parsed.value, list) : undefined;
  const counts = new Map<string, number>();
  for (const item of Array.isArray(items) ? items : []) {
    const type = valueAt(item, member);
    if (typeof type === 'string') counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return counts;
}

const otherLocale = check(
  extensions.news,
  'other-locale',
  clauseById('sense.language'),
  'a locale other than en causes no server error',
  (context) => expectNoServerError(extensions.news, context, { params: { locale: 'de' } }),
);

export default areaSuite('extensions', extensions, typesRepeated, typesUnion, otherLocale);
