// Compares how a match shows a player who quit it, and another one who did not; and what quitting costs or brings.
import { areas } from '../../catalog/catalog.ts';
import { changesBetween, type Figures } from '../../engine/attack/figures.ts';
import { waitForCopies } from '../../engine/compare/noise.ts';
import { placesOf } from '../../engine/flow/places.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { requireAnswer } from '../../engine/flow/why-refused.ts';
import { answerLeaves, type Exchange, isSuccess } from '../../engine/http/exchange.ts';
import { leavesOf } from '../../engine/values/json-walk.ts';
import { balancesOf } from '../races/holdings.ts';

const { match, players } = areas;

/** The places where an answer names a player, and the values beside that name, except numbers, which may be clocks. */
function standingOf(answer: Exchange, id: string): ReadonlySet<string> {
  const facts = new Set<string>();
  for (const [path, { entry }] of placesOf(answer, id)) {
    facts.add(path);
    for (const { pointer, value } of entry === undefined ? [] : leavesOf(entry))
      if (value !== id && typeof value !== 'number') facts.add(`${path} ${pointer} ${value}`);
  }
  return facts;
}

interface Views {
  readonly before: Exchange;
  readonly after: Exchange;
}

/** Which players a match shows to have quit it, once one of them has. */
export function shownToHaveQuit(
  { before, after }: Views,
  quitter: string,
  other: string,
): 'nobody' | 'the one who quit' | 'the other one' | 'both' {
  const lost = (id: string) => standingOf(before, id).difference(standingOf(after, id));
  const ofQuitter = lost(quitter);
  if (ofQuitter.size === 0) return lost(other).size === 0 ? 'nobody' : 'the other one';
  return ofQuitter.isDisjointFrom(lost(other)) ? 'the one who quit' : 'both';
}

const saysQuit = /^(?:has_?)?(?:quit|left|leaver|abandoned|forfeited|disconnected)$/i;

/** The word by which a match newly says of a player that they quit; undefined where it says nothing of the kind. */
export function saidToHaveQuit({ before, after }: Views, id: string): string | undefined {
  const gained = standingOf(after, id).difference(standingOf(before, id));
  return [...gained].map((fact) => fact.split(' ').at(-1) ?? '').find((word) => saysQuit.test(word));
}

/** Names of members by which a match says that a player has quit, and since when. */
const quitName = /^(?:has_?|is_?)?(?:quit|left)(?:_?at)?$/i;
const saysInMatch = /^(?:active|playing|joined|in_?(?:match|game))$/i;

/** What a match says of a player as of one who is in it: `status ACTIVE`, `hasQuit false`; undefined where nothing does. */
export function saidToBeIn(answer: Exchange, id: string): string | undefined {
  const leaves = [...placesOf(answer, id).values()].flatMap(({ entry }) =>
    entry === undefined ? [] : leavesOf(entry),
  );
  const said = leaves.find(
    ({ name, value }) =>
      (/^(?:status|state)$/i.test(name) && saysInMatch.test(String(value))) ||
      (quitName.test(name) && (value === false || value === null)),
  );
  return said && `${said.name} ${said.value}`;
}

const pointsName = /^(disconnect(ion)?_?)?(penalty_?)?points$/i;

/** Penalty points and balances, which quitting a match may move, by name. */
export async function figuresOfQuitter<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
): Promise<Figures> {
  const penalty = await context.send(role, players.decayPenaltyPoints);
  const points = isSuccess(penalty)
    ? answerLeaves(penalty).flatMap(({ name, pointer, value }) =>
        pointsName.test(name) && typeof value === 'number' ? [[`penalty ${pointer}`, value] as const] : [],
      )
    : [];
  return { ...(await balancesOf(context as StepContext, role)), ...Object.fromEntries(points) };
}

/**
 * Expects that quitting once more raises no figure that quitting has raised.
 * @param before the figures before the player quit
 */
export async function expectQuitOnce<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  { matchId, before }: { readonly matchId: string; readonly before: Figures },
): Promise<void> {
  const after = await figuresOfQuitter(context, role);
  // A clock in the wallet moves by itself.
  const moved = [...changesBetween(before, after)].filter(
    ([name, by]) => by > 0 && !/time|date|stamp/i.test(name),
  );
  if (moved.length === 0) context.notTriggered('quitting raises no penalty points and no balance');
  const again = requireAnswer(await context.send(role, match.quit, { params: { matchId } }));
  if (!isSuccess(again)) return;
  const figuresNow = await figuresOfQuitter(context, role);
  const further = changesBetween(after, figuresNow);
  const [name] = moved.find(([each]) => (further.get(each) ?? 0) > 0) ?? [];
  if (name === undefined) return;
  // What comes with time goes on without a call.
  await waitForCopies(context);
  const byItself = changesBetween(figuresNow, await figuresOfQuitter(context, role));
  if ((byItself.get(name) ?? 0) > 0) context.notTriggered(`${name} grows by itself`);
  context.expect(false, `${name} as the first time left it`, `another ${further.get(name)} of it`, again);
}
