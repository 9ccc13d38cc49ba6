import { queue, ranks, utils } from '../fixtures/catalog/queue-ranks-utils.ts';
import { checksOf, suite } from '../fixtures/check/check.ts';
import { rules } from './rules/rules.ts';

export default suite('queue, ranks, utils', checksOf([queue, ranks, utils].flatMap(Object.values), rules));
