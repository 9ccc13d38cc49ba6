import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { queryUndecodable } from './query-undecodable.ts';

test('the query is given again as it stands, and cannot be decoded', async () => {
  const { judgement } = await rehearse(queryUndecodable, areas.archives.journal, () => ({}));
  expect(judgement.kind === 'pass' && judgement.evidence?.request.url).toBe(
    'http://target.test/api/v1/archives/journal/getjournal?storyId=assay-storyId&storyId=%E0%A4%A',
  );
});
