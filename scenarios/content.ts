import { flow } from '../fixtures/check/flow/flow.ts';
import { consents } from './content/consents.ts';
import { named } from './content/named.ts';
import { suffixes } from './content/suffixes.ts';
import { versions } from './content/versions.ts';

const content = flow('content');
for (const scene of [versions, named, consents, suffixes]) scene(content);

export default content.suite();
