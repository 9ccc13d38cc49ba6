// Checks of the mystery box: the general rules.
import { mysteryBox } from '../catalog/areas/mystery-box.ts';
import { areaSuite } from './rules/rules.ts';

export default areaSuite('mysteryBox', mysteryBox);
