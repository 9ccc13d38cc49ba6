import { match } from '../fixtures/catalog/match.ts';
import { checksOf, suite } from '../fixtures/check/check.ts';
import { rules } from './rules/rules.ts';

export default suite('match', checksOf(Object.values(match), rules));
