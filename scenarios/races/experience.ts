// The step of the flow `races` about reports of experience that one player sends at one moment.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { type Race, race } from '../../engine/attack/race.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { figureIn, type GrownFigure, grownIn } from '../progression/figures.ts';

const { archives } = areas;

/** Figures of a player's progress, in an order that stays; undefined where the read does not show one. */
type Progress = readonly (number | undefined)[];

export function experience(flow: Flow): void {
  const { prepare } = flow.scenario();
  const growing = prepare('a report of experience that adds up', async (context) => {
    const role = 'reporter';
    await context.recruit(role);
    const before = await context.put(role, archives.tier);
    const [archiveId] = context.values(before, /archive.*ids?$|^archives$/i);
    const ask = archiveId === undefined ? {} : { offer: { archiveId } };
    const first = await context.done(role, archives.updateXp, ask);
    const answered = grownIn(first, await context.done(role, archives.updateXp, ask));
    const figures = answered.filter((figure) => figureIn(before, figure) !== undefined);
    if (figures.length === 0)
      return context.cannotTell('needs-state', 'not exercised: no figure of the tier grows with each report');
    return { ask, figures };
  });

  growing.step(
    'experience',
    [archives.updateXp, archives.tier],
    effects.races.added,
    'reports of experience that one player sends at one moment all count',
    (context, { ask, figures }) => race(context, adding(context, ask, figures)),
  );
}

/** Reports of a burst: of more, no further one tells more. */
const enough = 6;

function adding(
  context: StepContext,
  ask: NonNullable<Parameters<StepContext['done']>[2]>,
  figures: readonly GrownFigure[],
): Race<Progress> {
  return {
    people: () => 1,
    calls: ({ people: [role = ''] }, most) =>
      Array.from({ length: Math.min(most, enough) }, () => ({ role, operation: archives.updateXp, ask })),
    async state({ people: [role = ''] }) {
      const read = await context.put(role, archives.tier);
      return figures.map((figure) => figureIn(read, figure));
    },
    broken({ before, after, single, acknowledged }) {
      const short = figures.flatMap(({ name }, at) => {
        const one = (single.after[at] ?? 0) - (single.before[at] ?? 0);
        const all = (after[at] ?? 0) - (before[at] ?? 0);
        return one > 0 && all < one * acknowledged.length
          ? [`${name} grew by ${all}, and by ${one} for one report alone`]
          : [];
      });
      // One that begins anew with each tier is no sum.
      return short.length === figures.length ? short[0] : undefined;
    },
  };
}
