// Recognises sessions: records what anonymous callers get, and writes a mark that only its player can read.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { ScenarioBuilder, Step } from '../../engine/flow/flow.ts';
import { isLong } from '../../engine/flow/places.ts';
import { type Polled, poll } from '../../engine/flow/polling.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import type { View } from '../../engine/flow/views.ts';
import { ignoreStop, requireAnswer } from '../../engine/flow/why-refused.ts';
import { type Exchange, isSuccess, statusOf } from '../../engine/http/exchange.ts';
import { inconclusive, type Judgement, Stop } from '../../engine/judgement.ts';
import { inParty, makeParty } from '../party/make-party.ts';

const { auth, general, me, onboarding, playerName, players } = areas;
const { around } = effects.login;

/** Reads that anonymous callers may make. */
const publicReads = [
  ['health', general.healthcheck],
  ['version', general.version],
  ['public-key', auth.publicKey],
] as const;

interface AnonymousSteps {
  /** Adds steps that run while a player is signed in. */
  readonly during: () => void;
  /** Adds steps that run after a player has signed out. */
  readonly after: (out: Step<unknown>) => void;
}

/** Adds steps that make the public reads before a sign-in. @returns functions that add the steps for later reads */
export function compareAnonymousReads({
  step,
  observe,
}: ScenarioBuilder<'player' | 'other'>): AnonymousSteps {
  const readsBefore = publicReads.map(([name, operation]) => ({
    name,
    operation,
    before: observe(
      `${name}-before`,
      [operation],
      'how the server answers an anonymous caller before anybody signs in',
      async (context) => isSuccess(await context.observeAnswer(undefined, operation)),
    ),
  }));
  const again = (when: string, title: string, role: 'player' | undefined, out?: Step<unknown>) => {
    for (const { name, operation, before } of readsBefore)
      step(`${name}-${when}`, [operation], around, title, async (context) => {
        if (out) context.resultOf(out);
        if (!context.resultOf(before)) context.notTriggered('an anonymous caller is refused');
        await context.sees(role, { operation, what: 'what an anonymous caller gets' });
      });
  };
  return {
    during: () => again('signed-in', 'the call also succeeds for a player who is signed in', 'player'),
    after: (out) =>
      again(
        'after',
        'the call still succeeds for an anonymous caller after a player signed out',
        undefined,
        out,
      ),
  };
}

// Marks: data of one player. An answer that shows it comes from a session of that player.

/** Reads that may name the player who sends them. */
const readsNamingCaller = [
  playerName.get,
  me.location,
  general.currencies,
  general.inventories,
  onboarding.get,
];
const stateName = 'SeenStoreItems';

interface Mark extends View {
  readonly value: string;
  /** Why no data is known to stay with the player; undefined where the mark does, so that all sessions show it. */
  readonly whyGone?: Judgement;
}

/**
 * Leaves a mark: a named state that is written and read back; a party where no body for a state is known; else whatever
 * read names the player.
 */
export async function leaveMark<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
): Promise<Mark> {
  const value = context.unique('assaylogin');
  const view: Mark = {
    operation: players.seenStoreItems,
    value,
    anywhere: true,
    what: "the player's data",
  };
  let wasTaken = false;
  try {
    await context.mustSucceed(role, players.setState, { carry: { stateName, value }, until: view });
    wasTaken = true;
    await context.sees(role, view);
    return view;
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    try {
      const partyId = await makeParty(context, role);
      await context.sees(role, inParty(partyId, 'the party'));
      return {
        ...inParty(partyId, 'the party of the player'),
        value: partyId,
        whyGone: whyGone(error.judgement, wasTaken),
      };
    } catch (why) {
      ignoreStop(why);
      return ownName(context, role, why as Stop);
    }
  }
}

/** @throws Stop with that reason where no read names the player by an id that could not stand there by chance */
async function ownName<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  why: Stop,
): Promise<Mark> {
  const value = context.id(role);
  for (const operation of isLong(value) ? readsNamingCaller : []) {
    const view = { operation, value, anywhere: true as const, what: "the player's id" };
    if (context.mentions(await context.send(role, operation), value)) {
      await context.sees(role, view);
      return view;
    }
  }
  throw why;
}

/** The flow `state` reports the fault itself, so steps that rest on it are inconclusive. */
function whyGone(judgement: Judgement, wasTaken: boolean): Judgement {
  const nothing = wasTaken
    ? `what ${players.setState.id} wrote is not read back`
    : 'no data is known that stays with a player';
  if (judgement.kind === 'violation')
    return inconclusive(
      'prerequisite-failed',
      `${nothing}: expected ${judgement.expected}, got ${judgement.actual}`,
      judgement.evidence,
    );
  return judgement.kind === 'inconclusive'
    ? { ...judgement, detail: `${nothing}: ${judgement.detail}` }
    : judgement;
}

type WithThirdSession = StepContext<'player (session 3)'>;

/** The answer in session 3, by which `context.shows` decides. */
const readMark = async (context: WithThirdSession, mark: Mark): Promise<Exchange> =>
  requireAnswer(await context.send('player (session 3)', mark.operation));

/** Ends the step as inconclusive where session 3 has ended by itself: a session may last only seconds. */
export async function requireOpen(context: WithThirdSession, mark: Mark): Promise<void> {
  if (!context.shows('player (session 3)', mark, await readMark(context, mark)))
    context.cannotTell('needs-state', "the session does not show the player's data");
}

/** Checks that a session which worked a moment ago still works: a `401` now is its end, not a wall. */
export async function expectStillOpen(context: WithThirdSession, mark: Mark): Promise<void> {
  context.watchesCallsOf('login');
  const { holds, last } = await poll(
    () => readMark(context, mark),
    (answer) => context.shows('player (session 3)', mark, answer),
  );
  const seen = `${mark.operation.id} is answered ${statusOf(last)} without ${mark.what}`;
  context.expect(holds, 'a session that stays valid', seen, last);
}

/** Longest time that a logout may take to have its effect. */
const logoutTakesEffectWithinMs = 5_000;

/** Polls until session 3 no longer shows the mark. */
export const waitForEnd = (context: WithThirdSession, mark: Mark): Promise<Polled> =>
  poll(
    () => readMark(context, mark),
    (answer) => !context.shows('player (session 3)', mark, answer),
    logoutTakesEffectWithinMs,
  );

/** Most sign-ins of the player. One is not enough: other players of this run may sign in between any two calls. */
const mostTries = 12;
const fewestEnded = 3;
/** The pause after a session that did not last, in ms: the run's other calls, and their sign-ins, may soon end. */
const quieterAfterMs = 1_500;

/** Expects that a player's session is still answered after another player has signed in, or out again. */
export async function expectToOutlastOthers<Role extends string>(
  context: StepContext<Role>,
  [player, other]: readonly [NoInfer<Role>, NoInfer<Role>],
  does: 'signs in' | 'signs out',
): Promise<void> {
  const { enter } = context.forging();
  const signIn = async (role: Role) => {
    const entered = await enter((await context.player(role).token()) ?? '', context.player(role));
    if (entered.kind === 'in') return entered.player;
    return context.cannotTell('needs-state', 'a token signs in once, or too few are left');
  };
  let ended: Exchange | undefined;
  let times = 0;
  for (let tries = 0; tries < mostTries && times < fewestEnded; tries += 1) {
    context.play('own', await signIn(player));
    // Twice: a session may be good for one call.
    const read = () => context.send('own' as Role, me.location);
    if (!isSuccess(await read()) || !isSuccess(await read())) {
      await context.pause(quieterAfterMs);
      continue;
    }
    const others = await signIn(other);
    if (does === 'signs out') {
      context.play('leaving', others);
      const out = await context.send('leaving' as Role, me.logout);
      // Where a sign-out ends the sessions of all players, another player's may have come first: then this is a 401.
      if (statusOf(out) !== 401) await context.expectAccepted(me.logout, out);
    }
    const after = await read();
    if (isSuccess(after)) return context.note(`a session goes on when another player ${does}`);
    if (statusOf(after) === 401) [ended, times] = [after, times + 1];
  }
  if (times < fewestEnded) context.cannotTell('needs-state', 'no session lasts for two calls');
  const what = `${me.location.id} is answered 401 as soon as another player ${does}, ${times} times`;
  context.expect(false, `a session that goes on when another player ${does}`, what, ended);
}
