import { features } from '../fixtures/catalog/features.ts';
import { checksOf, suite } from '../fixtures/check/check.ts';
import { rules } from './rules/rules.ts';

export default suite('features', checksOf(Object.values(features), rules));
