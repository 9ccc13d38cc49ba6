import { party } from '../fixtures/catalog/party.ts';
import { checksOf, suite } from '../fixtures/check/check.ts';
import { rules } from './rules/rules.ts';

export default suite('party', checksOf(Object.values(party), rules));
