// Checks of player names: the general rules.
import { playerName } from '../catalog/areas/player-name.ts';
import { areaSuite } from './rules/rules.ts';

export default areaSuite('playerName', playerName);
