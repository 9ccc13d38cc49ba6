import { playerName } from '../fixtures/catalog/player-name.ts';
import { checksOf, suite } from '../fixtures/check/check.ts';
import { rules } from './rules/rules.ts';

export default suite('playerName', checksOf(Object.values(playerName), rules));
