// The flow `friends`: adding, removing, blocking, presence.
import { flow } from '../engine/flow/flow.ts';
import { adding, removing, syncing } from './friends/adding.ts';
import { blocking, unblocking } from './friends/blocking.ts';
import { presence } from './friends/presence.ts';

const friends = flow('friends');
for (const scenario of [adding, syncing, presence, removing, blocking, unblocking]) scenario(friends);

export default friends.suite();
