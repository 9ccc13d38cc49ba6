// Checks of features: the general rules.
import { features } from '../catalog/areas/features.ts';
import { areaSuite } from './rules/rules.ts';

export default areaSuite('features', features);
