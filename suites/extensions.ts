import { extensions } from '../catalog/areas/extensions.ts';
import { checksOf, suite } from '../engine/probe/check.ts';
import { rules } from './rules/rules.ts';

export default suite('extensions', checksOf(Object.values(extensions), rules));
