import type { Rule } from '../../engine/probe/check.ts';
import { oddPaths } from './odd-path.ts';
import { oddQueries } from './odd-query.ts';

export const oddValues: readonly Rule[] = [...oddPaths, ...oddQueries];
