import { flow } from '../fixtures/check/flow/flow.ts';
import { buying } from './store/buying.ts';
import { redeeming } from './store/redeeming.ts';

const store = flow('store');
for (const scene of [buying, redeeming]) scene(store);

export default store.suite();
