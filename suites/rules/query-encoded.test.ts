import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { queryEncoded } from './query-encoded.ts';

test('the value goes out as a client would have to send it', async () => {
  const { judgement } = await rehearse(queryEncoded, areas.archives.journal, () => ({}));
  expect(judgement.kind === 'pass' && judgement.evidence?.request.url).toBe(
    "http://target.test/api/v1/archives/journal/getjournal?storyId=a%2Fb%20100%25%20%2B%26%3D%3F%23%3B%22'%3C%3E",
  );
});
