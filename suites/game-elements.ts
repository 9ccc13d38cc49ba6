// Checks of game elements: the general rules.
import { game } from '../catalog/areas/game-elements.ts';
import { areaSuite } from './rules/rules.ts';

export default areaSuite('game', game);
