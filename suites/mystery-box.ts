import { mysteryBox } from '../fixtures/catalog/mystery-box.ts';
import { checksOf, suite } from '../fixtures/check/check.ts';
import { rules } from './rules/rules.ts';

export default suite('mysteryBox', checksOf(Object.values(mysteryBox), rules));
