import { messages } from '../fixtures/catalog/messages.ts';
import { checksOf, suite } from '../fixtures/check/check.ts';
import { rules } from './rules/rules.ts';

export default suite('messages', checksOf(Object.values(messages), rules));
