import { clientData } from '../fixtures/catalog/client-data.ts';
import { checksOf, suite } from '../fixtures/check/check.ts';
import { rules } from './rules/rules.ts';

export default suite('clientData', checksOf(Object.values(clientData), rules));
