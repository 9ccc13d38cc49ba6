// Checks of the mystery box: the general rules.
import { mysteryBox } from '../catalog/areas/mystery-box.ts';
import { checksOf, suite } from '../engine/probe/check.ts';
import { rules } from './rules/rules.ts';

export default suite('mysteryBox', checksOf(Object.values(mysteryBox), rules));
