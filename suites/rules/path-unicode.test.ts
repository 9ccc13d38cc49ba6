import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { pathUnicode } from './path-unicode.ts';

test('the value goes out as a client would have to send it', async () => {
  const { judgement } = await rehearse(pathUnicode, areas.match.get, () => ({}));
  expect(judgement.kind === 'pass' && judgement.evidence?.request.url).toBe(
    'http://target.test/api/v1/match/Zo%C3%AB-%E5%90%8D%E5%89%8D-%F0%9F%8E%B2-e%CC%81',
  );
});
