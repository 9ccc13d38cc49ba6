import { flow } from '../fixtures/check/flow/flow.ts';
import { bytes } from './state/bytes.ts';
import { named } from './state/named.ts';
import { names } from './state/names.ts';
import { versions } from './state/versions.ts';

const state = flow('state');
for (const scene of [named, bytes, names, versions]) scene(state);

export default state.suite();
