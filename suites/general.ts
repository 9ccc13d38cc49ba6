import { general } from '../catalog/areas/general.ts';
import { checksOf, suite } from '../engine/probe/check.ts';
import { rules } from './rules/rules.ts';

export default suite('general', checksOf(Object.values(general), rules));
