import { flow } from '../fixtures/check/flow/flow.ts';
import { scripts } from './names/scripts.ts';
import { taking } from './names/taking.ts';

const names = flow('names');
for (const scene of [taking, scripts]) scene(names);

export default names.suite();
