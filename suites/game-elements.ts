import { game } from '../fixtures/catalog/game-elements.ts';
import { checksOf, suite } from '../fixtures/check/check.ts';
import { rules } from './rules/rules.ts';

export default suite('game', checksOf(Object.values(game), rules));
