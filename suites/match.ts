// Checks of matches: the general rules, and who may read one.
import { match } from '../catalog/areas/match.ts';
import { areaSuite } from './rules/rules.ts';
import { keepsOut } from './shared/kept-out.ts';

export default areaSuite('match', match, keepsOut(match.get));
