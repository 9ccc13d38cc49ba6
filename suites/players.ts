import { players } from '../fixtures/catalog/players.ts';
import { checksOf, suite } from '../fixtures/check/check.ts';
import { rules } from './rules/rules.ts';

export default suite('players', checksOf(Object.values(players), rules));
