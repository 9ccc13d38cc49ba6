// The flow `party`: creating, inviting, joining, removing, leaving, disbanding, and its limits.
import { flow } from '../engine/flow/flow.ts';
import { inviting, joining } from './party/joining-and-leaving.ts';
import { leading, limits } from './party/leading.ts';
import { disbanding, removing } from './party/removing-and-disbanding.ts';

const party = flow('party');
for (const scenario of [leading, inviting, joining, removing, disbanding, limits]) scenario(party);

export default party.suite();
