// Checks of features: the general rules.
import { features } from '../catalog/areas/features.ts';
import { areaSuite } from './shared/area-suite.ts';

export default areaSuite('features', features);
