// Checks of onboarding: the general rules.
import { onboarding } from '../catalog/areas/onboarding.ts';
import { checksOf, suite } from '../engine/probe/check.ts';
import { rules } from './rules/rules.ts';

export default suite('onboarding', checksOf(Object.values(onboarding), rules));
