// Checks of the archives: the general rules.
import { archives } from '../catalog/areas/archives.ts';
import { areaSuite } from './rules/rules.ts';

export default areaSuite('archives', archives);
