import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { queryMissing } from './query-missing.ts';

test('sends the path alone', async () => {
  const { judgement } = await rehearse(queryMissing, areas.archives.journal, () => ({}));
  expect(judgement.kind === 'pass' && judgement.evidence?.request.url).toBe(
    'http://target.test/api/v1/archives/journal/getjournal',
  );
});
