import { onboarding } from '../fixtures/catalog/onboarding.ts';
import { checksOf, suite } from '../fixtures/check/check.ts';
import { rules } from './rules/rules.ts';

export default suite('onboarding', checksOf(Object.values(onboarding), rules));
