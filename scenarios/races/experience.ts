// Checks that reports of experience which one player sends at one moment all count.
import { archives } from '../../catalog/areas/archives.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { type Race, race } from '../../engine/attack/race.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import type { BodyAsk, StepContext } from '../../engine/flow/step-context.ts';
import { reportedTwice } from '../progression/experience.ts';
import { type Figure, figureIn } from '../progression/figures.ts';

/** The figures that grow, in a fixed order; undefined for one that the read does not show. */
type Progress = readonly (number | undefined)[];

export function experience(flow: Flow): void {
  const { prepare } = flow.scenario();
  const growing = prepare('a report of experience that adds up', async (context) => {
    const role = 'reporter';
    await context.recruit(role);
    const growing = await reportedTwice(context, role, await context.send(role, archives.tier));
    if (growing.figures.length === 0)
      context.cannotTell('needs-state', 'not exercised: no figure of the tier grows with each report');
    return growing;
  });

  growing.step(
    'experience',
    [archives.updateXp, archives.tier],
    effects.races.added,
    'reports of experience that one player sends at one moment all count',
    (context, { ask, figures }) => race(context, reportsAtOnce(context, ask, figures)),
  );
}

/** Most reports in one burst: more would show nothing further. */
const mostReports = 6;

function reportsAtOnce(context: StepContext, ask: BodyAsk, figures: readonly Figure[]): Race<Progress> {
  return {
    people: () => 1,
    calls: ({ people: [role = ''] }, most) =>
      Array.from({ length: Math.min(most, mostReports) }, () => ({
        role,
        operation: archives.updateXp,
        ask,
      })),
    async state({ people: [role = ''] }) {
      const read = await context.send(role, archives.tier);
      return figures.map((figure) => figureIn(read, figure));
    },
    broken({ before, after, firstCall, acknowledged }) {
      const lacking = figures.flatMap(({ name }, index) => {
        const byOne = (firstCall.after[index] ?? 0) - (firstCall.before[index] ?? 0);
        const byAll = (after[index] ?? 0) - (before[index] ?? 0);
        return byOne > 0 && byAll < byOne * acknowledged.length
          ? [`${name} grew by ${byAll}, and by ${byOne} for one report alone`]
          : [];
      });
      // A figure that restarts with each tier lacks something without a race, so all of them have to.
      return lacking.length === figures.length ? lacking[0] : undefined;
    },
  };
}
