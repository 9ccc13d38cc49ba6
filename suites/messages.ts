import { messages } from '../catalog/areas/messages.ts';
import { checksOf, suite } from '../engine/probe/check.ts';
import { rules } from './rules/rules.ts';

export default suite('messages', checksOf(Object.values(messages), rules));
