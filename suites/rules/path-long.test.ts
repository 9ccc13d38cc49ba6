import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { pathLong } from './path-long.ts';

test('the value goes out as a client would have to send it', async () => {
  const { judgement } = await rehearse(pathLong, areas.match.get, () => ({}));
  expect(judgement.kind === 'pass' && judgement.evidence?.request.url).toBe(
    `http://target.test/api/v1/match/${'x'.repeat(2_000)}`,
  );
});
