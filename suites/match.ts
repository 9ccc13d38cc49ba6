// Checks of matches: the general rules.
import { match } from '../catalog/areas/match.ts';
import { checksOf, suite } from '../engine/probe/check.ts';
import { rules } from './rules/rules.ts';

export default suite('match', checksOf(Object.values(match), rules));
