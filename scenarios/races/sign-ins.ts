// Checks a new player who signs in several times at one moment, as with two devices.
import { auth } from '../../catalog/areas/authentication.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { countsAsIntended, roundsOf } from '../../engine/attack/race.ts';
import { inRounds } from '../../engine/attack/waiting.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import type { Exchange } from '../../engine/http/exchange.ts';

const role = 'newcomer';
/** Sign-ins at one moment; each is a new session of one player, and a target may bound those. */
const atOnce = 6;
const mostRounds = 2;

/** The ids that sign-ins of one new subject gave, each once, and the last answer. */
interface SignedIn {
  readonly ids: ReadonlySet<string>;
  readonly heard: number;
  readonly last: Exchange | undefined;
}

export function signIns(flow: Flow): void {
  const { step } = flow.scenario();
  step(
    'sign-in',
    [auth.login],
    effects.races.onePlayer,
    'a new player who signs in several times at one moment is one player',
    newcomerAtOnce,
  );
}

async function newcomerAtOnce(context: StepContext): Promise<void> {
  await context.recruit(role);
  const like = context.player(role);
  const { tokenWith, enter } = context.forging();
  const newToken = async () =>
    (await tokenWith(like, { sub: context.unique('assay-newcomer') })) ??
    context.cannotTell(
      'needs-state',
      'not exercised: no token can be signed for a player who never signed in',
    );
  const signIn = async (token: string, times: number): Promise<SignedIn> => {
    const entered = await Promise.all(Array.from({ length: times }, () => enter(token, like)));
    const inside = entered.flatMap((each) => (each.kind === 'in' ? [each] : []));
    return {
      ids: new Set(inside.flatMap(({ player }) => player.id ?? [])),
      heard: inside.length,
      last: inside.at(-1)?.login,
    };
  };
  const token = await newToken();
  const inTurn = [await signIn(token, 1), await signIn(token, 1)];
  const [one, another] = inTurn.map(({ ids }) => [...ids][0]);
  if (one === undefined || another === undefined)
    return context.cannotTell(
      'needs-state',
      'not exercised: a token signs in once, or no answer says who signed in',
    );
  if (countsAsIntended(one === another ? undefined : 'two ids'))
    return context.observe('one after another, two sign-ins of one player give two ids');
  let judged = 0;
  const rounds = (await roundsOf(context.means)).slice(0, mostRounds);
  await inRounds(rounds, async () => {
    const fresh = await newToken();
    const { ids, heard, last } = await signIn(fresh, atOnce);
    if (heard > 1) judged += 1;
    context.expect(
      ids.size < 2,
      'one player, as when the sign-ins come one after another',
      `${heard} sign-ins at one moment made ${ids.size} players: ${[...ids].join(', ')}`,
      last,
    );
    return false;
  });
  if (judged === 0)
    context.cannotTell('rate-limited', 'not exercised: no two sign-ins at one moment were answered');
  context.note(`one player in ${judged === 1 ? 'one round' : `${judged} rounds`} of sign-ins at one moment`);
}
