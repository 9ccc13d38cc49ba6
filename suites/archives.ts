// Checks of the archives: the general rules.
import { archives } from '../catalog/areas/archives.ts';
import { checksOf, suite } from '../engine/probe/check.ts';
import { rules } from './rules/rules.ts';

export default suite('archives', checksOf(Object.values(archives), rules));
