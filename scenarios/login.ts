// The flow `login`: sign-in, sessions and logout.
import { flow } from '../engine/flow/flow.ts';
import { entering, telling } from './login/login.ts';
import { leaving } from './login/logout.ts';

const login = flow('login');
for (const scenario of [entering, telling, leaving]) scenario(login);

export default login.suite();
