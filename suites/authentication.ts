import { auth } from '../fixtures/catalog/authentication.ts';
import { checksOf, suite } from '../fixtures/check/check.ts';
import { rules } from './rules/rules.ts';

export default suite('auth', checksOf(Object.values(auth), rules));
