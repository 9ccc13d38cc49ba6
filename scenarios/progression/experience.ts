// Checks that reported experience shows in the tier, and adds to what was there.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { waitForCopies } from '../../engine/compare/noise.ts';
import type { ScenarioBuilder } from '../../engine/flow/flow.ts';
import { pollAnswered } from '../../engine/flow/polling.ts';
import type { BodyAsk, StepContext } from '../../engine/flow/step-context.ts';
import { answerLeaves, type Exchange } from '../../engine/http/exchange.ts';
import { isObject, parsedJson } from '../../engine/values/json-walk.ts';
import { figureIn, type GrownFigure, grownIn } from './figures.ts';

const isAmount =
  /^(?:(?:archive|earned|gained)_?)?(?:xp|experience|amount|points|delta)(?:_?(?:amount|earned|gained|delta))?$/i;
/** Names of what is added. */
const isGain = /add|gain|earn|delta|grant|award|increment|^amount$/i;
/** Two amounts of experience, too small to end a tier. */
const [moreXp, lessXp] = [3, 1];

const area = areas.archives;
const clauses = effects.progression;

/** The archive that the tier names: the plain form may report nothing, and one that names an archive reports something. */
function ofArchive({ values }: Pick<StepContext, 'values'>, tier: Exchange): Pick<BodyAsk, 'offer'> {
  const [archiveId] = values(tier, /archive.*ids?$|^archives$/i);
  return archiveId === undefined ? {} : { offer: { archiveId } };
}

/**
 * Reports experience twice.
 * @param tier as it was read before
 * @returns how it was reported, and the figures of the tier that grow from the first answer to the second
 */
export async function reportedTwice<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  tier: Exchange,
): Promise<{ readonly ask: Pick<BodyAsk, 'offer'>; readonly figures: readonly GrownFigure[] }> {
  const ask = ofArchive(context, tier);
  const first = await context.done(role, area.updateXp, ask);
  const grown = grownIn(first, await context.done(role, area.updateXp, ask));
  return { ask, figures: grown.filter((figure) => figureIn(tier, figure) !== undefined) };
}

/** A player reports experience, at the end of what they do with archives. */
export function experience({ step, observe }: ScenarioBuilder<'player' | 'other'>): void {
  const reported = observe(
    'xp',
    [area.updateXp, area.tier],
    'whether reporting experience in its plain form changes the tier',
    async (context) => {
      const tier = await context.snapshot('player', area.tier);
      await context.done('player', area.updateXp);
      const moved = await context.changed(tier);
      context.observe(moved ? 'it does' : 'it does not', moved?.exchange);
      return tier.exchange;
    },
  );

  reported.step(
    'xp-kept',
    [area.updateXp, area.tier],
    clauses.shown,
    'the tier shows a figure that grows with each report, as the answers to the reports do',
    async (context, before) => {
      const { figures } = await reportedTwice(context, 'player', before);
      if (figures.length === 0)
        context.notTriggered(`the answers of ${area.updateXp.id} show no figure of the tier that grows`);
      context.worked(area.updateXp);
      const hasMoved = (read: Exchange) =>
        figures.some((figure) => figureIn(read, figure) !== figureIn(before, figure));
      const { last, holds } = await pollAnswered(() => context.put('player', area.tier), hasMoved);
      const [{ name, value } = { name: '', value: 0 }] = figures;
      const shown = `${area.tier.id} shows another ${name} than before: the answer shows ${value}`;
      context.expect(holds, shown, `that of before, ${figureIn(before, figures[0])}`, last);
    },
  );

  step(
    'xp-adds',
    [area.updateXp, area.tier],
    clauses.adds,
    'a report of little experience does not take away from that of more before it',
    async (context) => {
      const before = await context.done('player', area.tier);
      const ask = context.likeliestAsk('player', area.updateXp, ofArchive(context, before));
      const body = typeof ask.body === 'string' ? parsedJson(ask.body) : undefined;
      const amounts = isObject(body) ? Object.keys(body).filter((name) => isAmount.test(name)) : [];
      const report = (amount: number) => {
        const members = Object.fromEntries(amounts.map((name) => [name, amount]));
        return context.done('player', area.updateXp, {
          ...ask,
          body: JSON.stringify({ ...(body as object), ...members }),
          mayRefuse: 'an amount of experience',
        });
      };
      if (amounts.length === 0) context.notTriggered(`no body of ${area.updateXp.id} names an amount`);
      const shown = async () => {
        await waitForCopies(context);
        return context.done('player', area.tier);
      };
      await report(moreXp);
      const more = await shown();
      const answer = await report(lessXp);
      const grown = grownIn(before, more);
      const isLess = (read: Exchange) =>
        grown.some((figure) => (figureIn(read, figure) ?? figure.value) < figure.value) &&
        grownIn(more, read).length === 0;
      if (grown.length === 0)
        context.notTriggered(`${area.tier.id} shows no figure that grows with a report`);
      // A report may state how much there is: then a lower one is right.
      const isAdded =
        amounts.every((name) => isGain.test(name)) ||
        answerLeaves(answer).some(({ name, value }) => isGain.test(name) && value === lessXp);
      if (!isAdded) context.notTriggered(`nothing says that ${area.updateXp.id} adds what it reports`);
      await shown();
      const { last, holds } = await pollAnswered(
        () => context.put('player', area.tier),
        (read) => !isLess(read),
      );
      const [{ name, value } = { name: '', value: 0 }] = grown;
      const seen = `${figureIn(last, grown[0])}, as if the last report alone counted`;
      context.expect(holds, `${name} of ${value} or more in ${area.tier.id}`, seen, last);
    },
  );
}
