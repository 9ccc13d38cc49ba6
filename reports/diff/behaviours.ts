// What the target chose differently, before and after; shapes place by place.
import type { BehaviourChange } from '../../fixtures/check/changes/behaviours.ts';
import type { Result } from '../../fixtures/check/result.ts';
import { shortened } from '../console/cause-block.ts';
import { field, type Line, line } from '../console/line.ts';
import { counted } from '../headline.ts';

const mostPlaces = 6;

/** @param checks of the later run, whose titles say what was observed */
export function behaviourBlocks(
  changes: readonly BehaviourChange[],
  checks: readonly Result[],
  { width, all }: { readonly width: number; readonly all: boolean },
): Line[][] {
  const titles = new Map(checks.map(({ id, title }) => [id, title]));
  return changes.map(({ points, before, after, places }) => {
    const [first = ''] = points;
    const at = shortened(
      points.map((point) => point.replace(/#.*$/, '')),
      Math.max(20, Math.floor(width / 2)),
    );
    const heading: Line = {
      spans: [{ text: `  ${titles.get(first) ?? first}  ` }, { text: at, style: 'weak' }],
    };
    if (places === undefined) return [heading, ...field('A', before, width), ...field('B', after, width)];
    const shown = all ? places : places.slice(0, mostPlaces);
    const left = places.length - shown.length;
    return [
      heading,
      ...shown.map((place) => line(`    ${place.at || 'the answer'}: ${place.before} → ${place.after}`)),
      ...(left > 0 ? [line(`    … and ${counted(left, 'more place')}`, 'weak')] : []),
    ];
  });
}
