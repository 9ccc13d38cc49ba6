// Checks of onboarding: the general rules.
import { onboarding } from '../catalog/areas/onboarding.ts';
import { areaSuite } from './rules/rules.ts';

export default areaSuite('onboarding', onboarding);
