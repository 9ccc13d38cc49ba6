// Checks of players: the general rules, who may read a list of friends, and whom a block keeps away.
import { players } from '../catalog/areas/players.ts';
import { checksOf, suite } from '../engine/probe/check.ts';
import { rules } from './rules/rules.ts';
import { keepsOut } from './shared/kept-out.ts';

export default suite('players', [
  ...checksOf(Object.values(players), rules),
  keepsOut(players.friends),
  keepsOut(players.addFriend),
]);
