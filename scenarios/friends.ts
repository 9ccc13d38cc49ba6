import { flow } from '../fixtures/check/flow/flow.ts';
import { adding } from './friends/adding.ts';
import { blocking } from './friends/blocking.ts';
import { presence } from './friends/presence.ts';
import { removing } from './friends/removing.ts';
import { syncing } from './friends/syncing.ts';
import { unblocking } from './friends/unblocking.ts';

const friends = flow('friends');
for (const scene of [adding, syncing, presence, removing, blocking, unblocking]) scene(friends);

export default friends.suite();
