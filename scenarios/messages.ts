// The flow `messages`: listing, claiming, marking and clearing.
import { flow } from '../engine/flow/flow.ts';
import { clearing, taking } from './messages/clearing.ts';
import { listing } from './messages/inbox.ts';

const messages = flow('messages');
for (const scenario of [listing, taking, clearing]) scenario(messages);

export default messages.suite();
