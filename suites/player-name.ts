// Checks of player names: the general rules.
import { playerName } from '../catalog/areas/player-name.ts';
import { checksOf, suite } from '../engine/probe/check.ts';
import { rules } from './rules/rules.ts';

export default suite('playerName', checksOf(Object.values(playerName), rules));
