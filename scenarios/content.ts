// The flow `content`: versions, consents, news and archives that answers name exist as files.
import { flow } from '../engine/flow/flow.ts';
import { consents } from './content/consents.ts';
import { named, suffixes, versions } from './content/files.ts';

const content = flow('content');
for (const scenario of [versions, named, consents, suffixes]) scenario(content);

export default content.suite();
