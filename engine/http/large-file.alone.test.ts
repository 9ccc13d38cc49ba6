import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { askVariants } from '../../commands/prove/conforming/ask.ts';
import { suites } from '../../commands/run/suites.ts';
import { type Variant, whole } from '../../fixtures/conforming-variants/variant.ts';
import type { Mutation, Reply } from '../../fixtures/mutants/mutant.ts';

const { catalog } = areas.clientData;

/** Nine and a half megabytes of items, as a game of many years has them; small ones, so that they are many values. */
const items = JSON.stringify({
  items: Array.from({ length: 216_000 }, (_, nth) => ({ id: `item-${nth}`, price: nth % 100, tags: ['a'] })),
});

const large: Mutation = () => {
  let made: Reply | undefined;
  return (call, forward) => {
    if (call.operation?.id !== catalog.id) return undefined;
    const tell = async () => {
      const reply = await whole(call, forward);
      if (reply.status !== 200) return reply;
      const { 'content-encoding': _, 'accept-ranges': __, etag: ___, ...headers } = reply.headers;
      made ??= {
        ...reply,
        headers: { ...headers, 'content-length': `${items.length}` },
        body: Buffer.from(items),
      };
      return made;
    };
    return tell();
  };
};
const variant: Variant = {
  name: 'a catalog of nine and a half megabytes',
  reason: 'Nothing limits the size of a file.',
  layer: large,
};

test('a catalog of nine and a half megabytes is judged like a small one', async () => {
  expect(items.length).toBeGreaterThan(9.5e6);
  const asked = await askVariants([variant], {
    suites,
    seed: '1',
    only: ({ operations }) => operations.some(({ id }) => id === catalog.id),
  });

  expect(asked.accusations).toEqual([]);
  expect(asked.unjudged).toEqual({});
  expect(asked.checks).toBeGreaterThan(25);
}, 240_000);
