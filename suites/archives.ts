// Checks of the archives: the general rules.
import { archives } from '../catalog/areas/archives.ts';
import { areaSuite } from './shared/area-suite.ts';

export default areaSuite('archives', archives);
