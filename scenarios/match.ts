// The flow `match`: making and quitting a match, and players who met in one.
import { flow } from '../engine/flow/flow.ts';
import { making } from './match/making.ts';
import { found, meeting } from './match/meeting.ts';

const match = flow('match');
for (const scenario of [making, found, meeting]) scenario(match);

export default match.suite();
