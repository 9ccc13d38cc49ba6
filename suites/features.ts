// Checks of features: the general rules.
import { features } from '../catalog/areas/features.ts';
import { checksOf, suite } from '../engine/probe/check.ts';
import { rules } from './rules/rules.ts';

export default suite('features', checksOf(Object.values(features), rules));
