import { flow } from '../fixtures/check/flow/flow.ts';
import { entering } from './login/entering.ts';
import { leaving } from './login/leaving.ts';
import { telling } from './login/telling.ts';

const login = flow('login');
for (const scene of [entering, telling, leaving]) scene(login);

export default login.suite();
