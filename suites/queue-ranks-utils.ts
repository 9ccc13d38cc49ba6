// Checks of the queue, ranks and utilities: the general rules.
import { queue, ranks, utils } from '../catalog/areas/queue-ranks-utils.ts';
import { checksOf, suite } from '../engine/probe/check.ts';
import { rules } from './rules/rules.ts';

export default suite('queue, ranks, utils', checksOf([queue, ranks, utils].flatMap(Object.values), rules));
