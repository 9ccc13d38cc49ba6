import { expect, test } from 'vitest';
import { filled } from '../../k6/references.ts';
import { sampleCall, sampleData } from '../../step/sample-plan.ts';
import { referring, withinSecret } from './secrets.ts';

const visits = [
  {
    name: 'sample',
    weight: 1,
    calls: [{ ...sampleCall, headers: { accept: '*/*', 'x-api-key': 'key-of-the-house' } }],
  },
];

test('a header that holds a secret names its variable instead, and k6 fills it in', () => {
  const told = referring(visits, { API_KEY: 'key-of-the-house', OTHER: 'unused' });
  const headers = told.visits[0]?.calls[0]?.headers ?? {};
  expect(told.named).toEqual(['API_KEY']);
  expect(headers).toEqual({ accept: '*/*', 'x-api-key': '{{API_KEY}}' });
  expect(filled(headers, { API_KEY: 'key-of-the-house' })).toEqual(visits[0]?.calls[0]?.headers);
});

test('what no variable stands for is sent as it is', () => {
  expect(filled({ 'x-template': '{{name}}' }, {})).toEqual({ 'x-template': '{{name}}' });
});

test('so many players go into a Secret as it holds, and that others do not is said', () => {
  const said: string[] = [];
  const [cast = []] = sampleData.casts;
  const long = cast.map((person) => ({ ...person, query: 'x'.repeat(300_000) }));
  const { casts } = withinSecret({ casts: [long, long, long, long, long], batches: {} }, (line) =>
    said.push(line),
  );
  expect(casts).toHaveLength(3);
  expect(said).toEqual([expect.stringContaining('3 groups of 5 fit')]);
});
