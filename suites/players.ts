// Checks of players: the general rules.
import { players } from '../catalog/areas/players.ts';
import { checksOf, suite } from '../engine/probe/check.ts';
import { rules } from './rules/rules.ts';

export default suite('players', checksOf(Object.values(players), rules));
