import { flow } from '../fixtures/check/flow/flow.ts';
import { found } from './match/found.ts';
import { making } from './match/making.ts';
import { meeting } from './match/meeting.ts';

const match = flow('match');
for (const scene of [making, found, meeting]) scene(match);

export default match.suite();
