import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { queryEmpty } from './query-empty.ts';

test('sends the parameter with an empty value', async () => {
  const { judgement } = await rehearse(queryEmpty, areas.archives.journal, () => ({}));
  expect(judgement.kind === 'pass' && judgement.evidence?.request.url).toBe(
    'http://target.test/api/v1/archives/journal/getjournal?storyId=',
  );
});
