// Checks of game elements: the general rules.
import { game } from '../catalog/areas/game-elements.ts';
import { checksOf, suite } from '../engine/probe/check.ts';
import { rules } from './rules/rules.ts';

export default suite('game', checksOf(Object.values(game), rules));
