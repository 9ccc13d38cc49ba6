// Checks of matches: the general rules, and who may read one.
import { match } from '../catalog/areas/match.ts';
import { checksOf, suite } from '../engine/probe/check.ts';
import { rules } from './rules/rules.ts';
import { keepsOut } from './shared/kept-out.ts';

export default suite('match', [...checksOf(Object.values(match), rules), keepsOut(match.get)]);
