import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { createLabelWatch } from './json-labels.ts';

const { config, version, currencies } = areas.general;
const labelled = (type: string, body: unknown = { a: 1 }, status = 200) =>
  exchangeOf({ status, body, headers: { 'content-type': type } });

test('counts the operations of a host by how they label objects and lists', () => {
  const watch = createLabelWatch();
  const right = labelled('application/json');
  watch.note(config, right);
  watch.note(version, labelled('application/vnd.game+json; charset=utf-8', [1]));
  watch.note(currencies, labelled('application/json'));
  watch.note(currencies, labelled('text/plain'));
  watch.note(areas.clientData.catalog, labelled('text/plain'));
  expect(watch.of('base')).toEqual({ asJson: 2, otherwise: 1, right });
  expect(watch.of('cdn')).toEqual({ asJson: 0, otherwise: 1, right: undefined });
});

test.each([
  ['a refusal', config, labelled('text/plain', {}, 404)],
  ['a single value', config, labelled('text/plain', 'true')],
  ['a file that may be anything', areas.clientData.news, labelled('text/plain')],
  ['an answer without a media type', config, labelled('')],
])('%s says nothing of labels', (_, operation, exchange) => {
  const watch = createLabelWatch();
  watch.note(operation, exchange);
  expect(watch.of(operation.host)).toEqual({ asJson: 0, otherwise: 0, right: undefined });
});
