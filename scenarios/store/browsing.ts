// Checks what players see before they buy: catalog items by type, and the wallet that new players begin with.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { requireAnswer } from '../../engine/flow/why-refused.ts';
import { type Exchange, isSuccess, statusInWords } from '../../engine/http/exchange.ts';
import { isObject } from '../../engine/values/json-walk.ts';
import { entriesAt, findList } from '../messages/list-place.ts';

const { general, extensions } = areas;
const clauses = effects.store;

/** The field of an item with its type, by which the parameter `types` selects. */
const typeName = /^(item|product|catalog)?_?types?$/i;

/** The types that the items of an answer show; a list beside the items may name all types that there are. */
function typesIn(answer: Exchange): string[] {
  const place = findList(answer);
  const entries = (place && entriesAt(answer, place.list))?.filter(isObject) ?? [];
  return entries.flatMap((entry) =>
    Object.entries(entry)
      .filter(([name]) => typeName.test(name))
      .flatMap(([, types]) => types)
      .filter((type) => typeof type === 'string'),
  );
}

/** Two new players look at items and wallets, and buy nothing. */
export function browsing(flow: Flow): void {
  const { step, observe } = flow.scenario('customer', 'neighbour');
  observe(
    'types',
    [extensions.catalogItems],
    'whether another value of types gives other catalog items',
    async (context) => {
      const items = await context.snapshot('customer', extensions.catalogItems);
      const params = { types: 'assay' };
      const answer = requireAnswer(await context.send('customer', extensions.catalogItems, { params }));
      if (!isSuccess(answer)) return context.observe(statusInWords(answer), answer);
      const other = await context.snapshot('customer', extensions.catalogItems, { params });
      context.observe(context.snapshotsDiffer(items, other) ? 'other items' : 'the same items');
    },
  );
  step(
    'types-only',
    [extensions.catalogItems],
    clauses.filtered,
    'catalog items that are asked for by one of the types that they show are of that type',
    async (context) => {
      const shown = [
        await context.send('customer', extensions.catalogItems),
        await context.send('customer', extensions.catalogItems, { params: { types: 'assay' } }),
      ].flatMap((answer) => (isSuccess(answer) ? typesIn(answer) : []));
      const [type] = shown;
      if (type === undefined)
        return context.notTriggered(`no item of ${extensions.catalogItems.id} shows its type`);
      const answer = requireAnswer(
        await context.send('customer', extensions.catalogItems, { params: { types: type } }),
      );
      const found = isSuccess(answer) ? typesIn(answer) : [];
      // A list without that type shows that the parameter `types` means another kind of type.
      if (!found.includes(type)) return context.notTriggered('no item is found by the type that it shows');
      const other = found.find((each) => each !== type);
      context.expect(
        other === undefined,
        `items of type ${type} alone`,
        `items of type ${other} as well`,
        answer,
      );
    },
  );
  observe(
    'wallets-alike',
    [general.currencies],
    'whether new players begin with the same wallet',
    async (context) => {
      if (context.playedBefore())
        context.cannotTell(
          'needs-players',
          'players who have played before may have spent or gained something',
        );
      const one = await context.snapshot('customer', general.currencies);
      const other = await context.snapshot('neighbour', general.currencies);
      context.observe(context.snapshotsDiffer(one, other) ? 'with different ones' : 'with the same');
    },
  );
}
