// The flow `state`: data that a player stores, as JSON and as bytes.
import { flow } from '../engine/flow/flow.ts';
import { bytes } from './state/bytes.ts';
import { named, names } from './state/named.ts';
import { versions } from './state/profile.ts';

const state = flow('state');
for (const scenario of [named, bytes, names, versions]) scenario(state);

export default state.suite();
