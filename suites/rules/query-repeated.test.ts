import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { queryRepeated } from './query-repeated.ts';

test('the name is given a second time', async () => {
  const { judgement } = await rehearse(queryRepeated, areas.archives.journal, () => ({}));
  expect(judgement.kind === 'pass' && judgement.evidence?.request.url).toBe(
    'http://target.test/api/v1/archives/journal/getjournal?storyId=assay-storyId&storyId=assay',
  );
});
