import { flow } from '../engine/flow/flow.ts';
import { bytes } from './state/bytes.ts';
import { named, names } from './state/named.ts';
import { versions } from './state/profile.ts';

const state = flow('state');
for (const scene of [named, bytes, names, versions]) scene(state);

export default state.suite();
