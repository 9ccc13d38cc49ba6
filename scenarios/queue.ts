import { flow } from '../fixtures/check/flow/flow.ts';
import { leaving } from './queue/leaving.ts';
import { meeting } from './queue/meeting.ts';
import { together } from './queue/together.ts';
import { waiting } from './queue/waiting.ts';

const queue = flow('queue');
for (const scene of [waiting, meeting, leaving, together]) scene(queue);

export default queue.suite();
