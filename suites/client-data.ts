import { clientData } from '../catalog/areas/client-data.ts';
import { checksOf, suite } from '../engine/probe/check.ts';
import { rules } from './rules/rules.ts';

export default suite('clientData', checksOf(Object.values(clientData), rules));
