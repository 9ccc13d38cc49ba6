import { logs } from '../fixtures/catalog/logs.ts';
import { checksOf, suite } from '../fixtures/check/check.ts';
import { rules } from './rules/rules.ts';

export default suite('logs', checksOf(Object.values(logs), rules));
