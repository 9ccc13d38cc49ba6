// Checks of parties: the general rules.
import { party } from '../catalog/areas/party.ts';
import { checksOf, suite } from '../engine/probe/check.ts';
import { rules } from './rules/rules.ts';

export default suite('party', checksOf(Object.values(party), rules));
