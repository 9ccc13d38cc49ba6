// What got worse, by cause, each with the command that shows it again.

import type { Change } from '../../fixtures/check/changes/changes.ts';
import { reasons } from '../../fixtures/check/reasons.ts';
import type { Result } from '../../fixtures/check/result.ts';
import { shortened, titleOf } from '../console/cause-block.ts';
import { copiedField, field, type Line, line } from '../console/line.ts';
import { causes, operationsOf } from '../fold.ts';
import { counted, whole } from '../headline.ts';

/** Blocks for failures that are new, then for what passed and is no longer there to be asked. */
export function regressionBlocks(worse: readonly Change[], width: number): Line[][] {
  const was = new Map(worse.map(({ before, after }) => [after.id, before?.outcome ?? 'not asked']));
  const failures = causes(worse.map(({ after }) => after)).map((cause): Line[] => {
    const { example, results, operations } = cause;
    const before = [...new Set(results.map(({ id }) => was.get(id)))].join(' or ');
    return [
      line(`  ${titleOf(cause)} (${counted(results.length, 'check')}; in A ${before})`),
      ...field('expected', example.expected ?? '', width),
      ...field('actual', example.actual ?? example.detail ?? '', width),
      copiedField('rerun', example.rerun),
      ...field('at', shortened(operations, width - 12), width),
    ];
  });
  const silent = worse.map(({ after }) => after).filter(({ outcome }) => outcome !== 'fail');
  return [...failures, ...reasonBlocks(silent, width)];
}

/** One line a reason, the most frequent first, each with what to do. */
export function reasonBlocks(results: readonly Result[], width: number): Line[][] {
  const groups = Map.groupBy(results, ({ reason, outcome }) => reason ?? outcome);
  return Array.from(groups)
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([reason, found]) => {
      const remedy = reason in reasons ? reasons[reason as keyof typeof reasons].remedy : 'see B';
      const at = shortened([...new Set(found.flatMap(operationsOf))], Math.max(20, Math.floor(width / 3)));
      const count = `${whole(found.length)}×`.padStart(7);
      return [{ spans: [{ text: `${count} ${reason}: ${remedy}  ` }, { text: at, style: 'weak' }] }];
    });
}
