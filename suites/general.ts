import { general } from '../fixtures/catalog/general.ts';
import { checksOf, suite } from '../fixtures/check/check.ts';
import { rules } from './rules/rules.ts';

export default suite('general', checksOf(Object.values(general), rules));
