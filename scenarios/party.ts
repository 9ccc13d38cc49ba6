import { flow } from '../fixtures/check/flow/flow.ts';
import { disbanding } from './party/disbanding.ts';
import { inviting } from './party/inviting.ts';
import { joining } from './party/joining.ts';
import { leading } from './party/leading.ts';
import { limits } from './party/limits.ts';
import { removing } from './party/removing.ts';

const party = flow('party');
for (const scene of [leading, inviting, joining, removing, disbanding, limits]) scene(party);

export default party.suite();
