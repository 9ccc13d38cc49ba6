// Checks that reported experience shows in the tier, and adds to what was there.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Operation } from '../../catalog/operation.ts';
import { waitForCopies } from '../../engine/compare/noise.ts';
import type { ScenarioBuilder } from '../../engine/flow/flow.ts';
import { pollAnswered } from '../../engine/flow/polling.ts';
import type { BodyAsk, StepContext } from '../../engine/flow/step-context.ts';
import { answerLeaves, type Exchange, isSuccess } from '../../engine/http/exchange.ts';
import { identifierIn } from '../../engine/probe/identifiers-in-answers.ts';
import { isObject, parsedJson } from '../../engine/values/json-walk.ts';
import { type Figure, figureIn, grownIn } from './figures.ts';

const isAmount =
  /^(?:(?:archive|earned|gained)_?)?(?:xp|experience|amount|points|delta)(?:_?(?:amount|earned|gained|delta))?$/i;
/** Two amounts of experience, too small to end a tier. */
const [moreXp, lessXp] = [3, 1];

const area = areas.archives;
const clauses = effects.progression;

/**
 * The archive that the tier names, an open one if it says which are, for the body: a report that names no archive may
 * report nothing.
 */
function ofArchive({ values }: Pick<StepContext, 'values'>, tier: Exchange): Pick<BodyAsk, 'offer'> {
  const archiveId = identifierIn(tier, ['archiveId']) ?? values(tier, /archive.*ids?$|^archives$/i)[0];
  return archiveId === undefined ? {} : { offer: { archiveId: String(archiveId) } };
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
): Promise<{ readonly ask: Pick<BodyAsk, 'offer'>; readonly figures: readonly Figure[] }> {
  const ask = ofArchive(context, tier);
  const first = await context.mustSucceed(role, area.updateXp, ask);
  const grown = grownIn(first, await context.mustSucceed(role, area.updateXp, ask));
  return { ask, figures: grown.filter((figure) => figureIn(tier, figure) !== undefined) };
}

/** Reports amounts of experience; ends the step where no body names one. @param tier as it was read before */
function reporting<Role extends string>(
  context: StepContext<Role | 'player'>,
  tier: Exchange,
): (amount: number) => Promise<Exchange> {
  const ask = context.likeliestAsk('player', area.updateXp, ofArchive(context, tier));
  const body = typeof ask.body === 'string' ? parsedJson(ask.body) : undefined;
  const amounts = isObject(body) ? Object.keys(body).filter((name) => isAmount.test(name)) : [];
  if (amounts.length === 0) context.notTriggered(`no body of ${area.updateXp.id} names an amount`);
  return (amount) =>
    context.mustSucceed('player', area.updateXp, {
      ...ask,
      body: JSON.stringify({
        ...(body as object),
        ...Object.fromEntries(amounts.map((name) => [name, amount])),
      }),
      mayRefuse: 'an amount of experience',
    });
}

const showsExperience = (read: Exchange): boolean =>
  answerLeaves(read).some(({ name, value }) => typeof value === 'number' && /xp|experience/i.test(name));

/** The read that shows experience: the tier, or the raw tier where that one alone does. */
async function experienceRead(context: StepContext<'player'>, tier: Exchange): Promise<Operation> {
  if (showsExperience(tier)) return area.tier;
  const raw = await context.send('player', area.rawTier);
  return isSuccess(raw) && showsExperience(raw) ? area.rawTier : area.tier;
}

/** Where a player stands in the reward track, as a read shows it. */
interface Standing {
  readonly tier: number;
  /** All experience. */
  readonly xp: number;
  /** How much experience is lacking for the next tier; 0 where the read does not say. */
  readonly lacking: number;
}

/** The whole number under such a name; undefined where there is none, or several. */
function onlyIn(read: Exchange, isNamed: RegExp): number | undefined {
  const found = answerLeaves(read).filter(
    ({ name, value }) => isNamed.test(name) && Number.isSafeInteger(value),
  );
  return found.length === 1 ? (found[0]?.value as number) : undefined;
}

const ofNextTier = /^next_?(?:tier|level)_?(?:xp|experience)$/i;

/**
 * A player's standing; undefined where the read shows no tier or no experience, or those of several archives.
 * @param before an earlier read, with less experience: a figure of the next tier that stays is what that tier takes
 */
export function standingIn(read: Exchange, before?: Exchange): Standing | undefined {
  const only = (isNamed: RegExp) => onlyIn(read, isNamed);
  const [tier, xp] = [only(/^(?:current_?)?tier$/i), only(/^(?:total_?)?(?:xp|experience)$/i)];
  const size = only(/^(?:xp|experience)_?per_?tier$/i);
  const left = only(/^(?:xp|experience)_?to_?next(?:_?tier)?$/i);
  if (tier === undefined || xp === undefined) return undefined;
  const next = only(ofNextTier);
  const isThreshold = before && next !== undefined && next > xp && next === onlyIn(before, ofNextTier);
  return { tier, xp, lacking: left ?? (size ? size - (xp % size) : isThreshold ? next - xp : 0) };
}

/** Experience that ends a first tier where the read does not say how much that takes. */
const muchXp = 1_000;

/** Reports so much experience that a new player reaches a tier, where the target takes that much. */
export async function reportATier(context: StepContext<'player'>): Promise<void> {
  const tier = await context.mustSucceed('player', area.tier);
  await context.mustSucceed('player', area.updateXp, ofArchive(context, tier));
  const lacking = standingIn(tier)?.lacking || onlyIn(tier, ofNextTier) || muchXp;
  await reporting(context, tier)(lacking);
}

/** A player reports experience, at the end of what they do with archives. */
export function experience({ step, observe }: ScenarioBuilder<'player' | 'other'>): void {
  const reported = observe(
    'xp',
    [area.updateXp, area.tier],
    'whether reporting experience in its plain form changes the tier',
    async (context) => {
      const tier = await context.snapshot('player', area.tier);
      await context.mustSucceed('player', area.updateXp);
      const moved = await context.lastingChange(tier);
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
      context.confirmBody(area.updateXp);
      const hasMoved = (read: Exchange) =>
        figures.some((figure) => figureIn(read, figure) !== figureIn(before, figure));
      const { last, holds } = await pollAnswered(() => context.send('player', area.tier), hasMoved);
      const [{ name, value } = { name: '', value: 0 }] = figures;
      const shown = `${area.tier.id} shows another ${name} than before: the answer shows ${value}`;
      context.expect(holds, shown, `that of before, ${figureIn(before, figures[0])}`, last);
    },
  );

  step(
    'xp-adds',
    [area.updateXp, area.tier, [area.rawTier]],
    clauses.adds,
    'a report of little experience does not take away from that of more before it',
    async (context) => {
      const tier = await context.mustSucceed('player', area.tier);
      const read = await experienceRead(context, tier);
      const before = read === area.tier ? tier : await context.mustSucceed('player', read);
      const report = reporting(context, tier);
      const shown = async () => {
        await waitForCopies(context);
        return context.mustSucceed('player', read);
      };
      await report(moreXp);
      const more = await shown();
      await report(lessXp);
      const grown = grownIn(before, more);
      // What is lacking for the next tier grows where experience is taken away.
      const fell = grownIn(more, before).map(({ name }) => name);
      const isLess = (later: Exchange) =>
        grown.some((figure) => (figureIn(later, figure) ?? figure.value) < figure.value) &&
        grownIn(more, later).every(({ name }) => fell.includes(name));
      if (grown.length === 0) context.notTriggered(`${read.id} shows no figure that grows with a report`);
      await shown();
      const { last, holds } = await pollAnswered(
        () => context.send('player', read),
        (later) => !isLess(later),
      );
      const [{ name, value } = { name: '', value: 0 }] = grown;
      const seen = `${figureIn(last, grown[0])}, as if the last report alone counted`;
      context.expect(holds, `${name} of ${value} or more in ${read.id}`, seen, last);
    },
  );
}

/** A player reports the experience that is lacking for the next tier, all but one of it first. */
export function tierReached({ step }: ScenarioBuilder<'player' | 'other'>): void {
  step(
    'tier-reached',
    [area.updateXp, area.tier],
    clauses.tier,
    'the next tier is reached with the experience that is lacking, and not with less',
    async (context) => {
      // A report that names the archive finds the body for it, which the plain report may not need.
      const known = await context.mustSucceed('player', area.tier);
      await context.mustSucceed('player', area.updateXp, ofArchive(context, known));
      await waitForCopies(context);
      const read = await context.mustSucceed('player', area.tier);
      const start = standingIn(read, known);
      if (start === undefined || start.lacking < 2)
        return context.notTriggered(`${area.tier.id} does not tell how much is lacking for the next tier`);
      const report = reporting(context, read);
      const standing = async () => {
        await waitForCopies(context);
        const last = await context.mustSucceed('player', area.tier);
        return { last, ...(standingIn(last) ?? start) };
      };
      await report(start.lacking - 1);
      const short = await standing();
      await report(1);
      const reached = await standing();
      const all = start.xp + start.lacking;
      if (short.xp !== all - 1 || reached.xp !== all)
        return context.notTriggered(`${area.tier.id} does not show the experience that was reported`);
      context.expect(
        short.tier === start.tier,
        `tier ${start.tier}, since 1 of ${start.lacking} is lacking`,
        `tier ${short.tier}`,
        short.last,
      );
      context.expect(
        reached.tier === start.tier + 1,
        `tier ${start.tier + 1} with ${reached.xp} of experience: ${start.lacking} were lacking`,
        `tier ${reached.tier}`,
        reached.last,
      );
    },
  );
}
