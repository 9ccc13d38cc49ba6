import { flow } from '../fixtures/check/flow/flow.ts';
import { clearing } from './messages/clearing.ts';
import { listing } from './messages/listing.ts';
import { taking } from './messages/taking.ts';

const messages = flow('messages');
for (const scene of [listing, taking, clearing]) scene(messages);

export default messages.suite();
