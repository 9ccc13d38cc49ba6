import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { queryLong } from './query-long.ts';

test('the value goes out as a client would have to send it', async () => {
  const { judgement } = await rehearse(queryLong, areas.archives.journal, () => ({}));
  expect(judgement.kind === 'pass' && judgement.evidence?.request.url).toBe(
    `http://target.test/api/v1/archives/journal/getjournal?storyId=${'x'.repeat(2_000)}`,
  );
});
