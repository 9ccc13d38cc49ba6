import { me } from '../fixtures/catalog/me.ts';
import { checksOf, suite } from '../fixtures/check/check.ts';
import { rules } from './rules/rules.ts';

export default suite('me', checksOf(Object.values(me), rules));
