import { archives } from '../fixtures/catalog/archives.ts';
import { checksOf, suite } from '../fixtures/check/check.ts';
import { rules } from './rules/rules.ts';

export default suite('archives', checksOf(Object.values(archives), rules));
