// The flow `queue`: waiting, leaving, and players who meet.
import { flow } from '../engine/flow/flow.ts';
import { meeting, together } from './queue/meeting.ts';
import { leaving, waiting } from './queue/waiting.ts';

const queue = flow('queue');
for (const scenario of [waiting, meeting, leaving, together]) scenario(queue);

export default queue.suite();
