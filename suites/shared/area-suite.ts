// Makes the suite of an area.
import type { Operation } from '../../catalog/operation.ts';
import { type Check, checksOf, type Suite, suite } from '../../engine/probe/check.ts';
import { rules } from '../rules/rules.ts';

/** The general rules, each asked of the operations that it applies to, and then the area's own checks. */
export const areaSuite = (
  name: string,
  area: Readonly<Record<string, Operation>>,
  ...own: readonly Check[]
): Suite => suite(name, [...checksOf(Object.values(area), rules), ...own]);
