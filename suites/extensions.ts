import { extensions } from '../fixtures/catalog/extensions.ts';
import { checksOf, suite } from '../fixtures/check/check.ts';
import { rules } from './rules/rules.ts';

export default suite('extensions', checksOf(Object.values(extensions), rules));
