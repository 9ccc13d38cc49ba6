// Checks of parties: the general rules, and who may read one.
import { party } from '../catalog/areas/party.ts';
import { areaSuite } from './rules/rules.ts';
import { keepsOut } from './shared/kept-out.ts';

export default areaSuite('party', party, keepsOut(party.get));
