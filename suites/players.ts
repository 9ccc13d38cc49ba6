// Checks of players: the general rules, who may read a list of friends, and whom a block keeps away.
import { players } from '../catalog/areas/players.ts';
import { areaSuite } from './rules/rules.ts';
import { keepsOut } from './shared/kept-out.ts';

export default areaSuite('players', players, keepsOut(players.friends), keepsOut(players.addFriend));
