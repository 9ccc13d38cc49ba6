import { expect, test } from 'vitest';
import { asTypedOutside } from './as-typed.ts';

test.each([
  ["npm start -- --only 'party'", "npx --no assay run --only 'party'"],
  ['npm start waits longer (--timeout)', 'npx --no assay run waits longer (--timeout)'],
  ['(npm start).', '(npx --no assay run).'],
  ['npm run -s diff -- a.json b.json', 'npx --no assay diff a.json b.json'],
  ['npm run doctor says which', 'npx --no assay doctor says which'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as it stands in a source
  ['npm run ${command} -- --operation', 'npx --no assay ${command} --operation'],
  ['npm run k6:install builds k6', 'npx --no assay k6-install builds k6'],
  ['npm run bench -- ceiling', 'npm run bench -- ceiling'],
  ['npm run prove -- --list', 'npm run prove -- --list'],
])('%s becomes %s', (inClone, outside) => {
  expect(asTypedOutside(inClone)).toBe(outside);
});
