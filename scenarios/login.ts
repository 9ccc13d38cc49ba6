import { flow } from '../engine/flow/flow.ts';
import { entering, telling } from './login/login.ts';
import { leaving } from './login/logout.ts';

const login = flow('login');
for (const scene of [entering, telling, leaving]) scene(login);

export default login.suite();
