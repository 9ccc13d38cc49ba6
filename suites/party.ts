// Checks of parties: the general rules, and who may read one.
import { party } from '../catalog/areas/party.ts';
import { checksOf, suite } from '../engine/probe/check.ts';
import { rules } from './rules/rules.ts';
import { keepsOut } from './shared/kept-out.ts';

export default suite('party', [...checksOf(Object.values(party), rules), keepsOut(party.get)]);
