// Defines what a step of a flow may use. A method that cannot go on ends the step with a judgement of its own.
import { isDeepStrictEqual } from 'node:util';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { Ask } from '../http/ask.ts';
import { type Exchange, isSuccess, statusInWords, statusOf } from '../http/exchange.ts';
import type { Repetition } from '../http/script.ts';
import {
  cannotTell,
  type InconclusiveReason,
  inconclusive,
  type Judgement,
  notTriggered,
  observed,
  type Prerequisite,
  pass,
  type ScenarioCall,
  Stop,
  violation,
} from '../judgement.ts';
import { type Form, isGuess } from '../players/body-template.ts';
import type { Player } from '../players/players.ts';
import type { Context } from '../probe/context.ts';
import { guessesPattern } from '../probe/prerequisites.ts';
import type { Routed } from '../probe/served/routed-table.ts';
import { type Leaf, leavesOf } from '../values/json-walk.ts';
import { isServerFault } from '../values/status.ts';
import { type AttackContext, attackContext } from './attack-context.ts';
import { asksToTry, asStated, likeliestAsk } from './bodies-to-try.ts';
import type { Played, Step } from './flow.ts';
import { mostCalls } from './how-seen.ts';
import { identify, type Proof } from './identifiers.ts';
import { type Speaker, sendFirstTaken, sendUnjudged, sendWithBody } from './send-with-body.ts';
import { createSets } from './setting-values.ts';
import { alreadyUsed } from './used-up.ts';
import { type Seeing, seeing, type View } from './views.ts';
import { ignoreStop, requireAnswer, requireDone, requireServed } from './why-refused.ts';

/** A call that is sent with the likeliest body that carries its values; `Ask` is the part that is sent as it stands. */
export interface BodyAsk extends Ask, BodyNeeds {}

/** What the body of a call is for. A call that is sent as it stands needs none of it. */
export interface BodyNeeds {
  // What the body holds.

  /**
   * Values that the body must carry, by placeholder: forms without a place for them are not sent.
   * `{ 'other.id': context.id('friend') }` sends an invitation in whatever form the target takes.
   */
  readonly carry?: Readonly<Record<string, string | number>>;
  /**
   * Values that the body may carry, the most telling first: guessed bodies with a place for them are tried first, and
   * the others after them. `{ archiveId }` names an archive to a target that wants to know which one.
   */
  readonly offer?: Readonly<Record<string, string>>;
  /**
   * The placeholder for a member that a refusal asks for, by names of members in the target's answers:
   * `{ entryId: 'pageId' }` where the journal shows the id of a page as `entryId`.
   */
  readonly shownAs?: Readonly<Record<string, string>>;
  /** Where a refusal listed the values that a member takes, the index of the one to send: 1 for a role of the other side. */
  readonly choice?: number;
  /**
   * A body from the profile without a place for the carried values is sent as well, since no later step looks for them:
   * any message may be claimed.
   */
  readonly anyFixed?: true;

  // How its effect is known. Where the body is a guess, further forms are tried until the effect shows.

  /** The view that shows the effect: the party shows the friend who was invited. */
  readonly until?: View;
  /** The view that no longer shows its value after the effect: the list of friends without the one who was removed. */
  readonly untilGone?: View;

  // What counts against nobody.

  /** The call is a report whose whole content is its body, as of a match against bots: a guess without effect is no failure. */
  readonly reports?: true;
  /**
   * The part of the call that this run made up, in words (`a name of ours`): the target may refuse it, and its effect is
   * not judged either.
   */
  readonly madeUp?: string;
  /**
   * The part that a target need not take, in words (`an amount of experience`): its refusal is no failure, even of a body
   * from the profile.
   */
  readonly mayRefuse?: string;
}

interface Setting extends Omit<BodyAsk, 'until' | 'untilGone'> {
  /** A unique value, sent where the body has a place for it. */
  readonly value: string;
  /** The placeholder that stands for it; default: `value`. */
  readonly as?: string;
  /** Where a value shows once it is set. */
  readonly shownIn: (value: string) => View;
}

/** A value that was set and then shown. */
export interface Kept {
  readonly value: string;
  /** The value is unique to this run; false where the profile's body fixes it. */
  readonly isOwn: boolean;
  /** The values that a refusal allows, where it is one of them. */
  readonly choices?: readonly string[];
}

/** The actors of a scenario, and each of them in the further sessions that `signInAgain` makes. */
export type Again<Role extends string> = Role | `${Role} (session ${2 | 3})`;

export interface StepContext<Role extends string = string> extends AttackContext, Seeing<Role> {
  readonly player: (role: Role) => Player;
  /** The id by which other players name this one; ends the step where no answer gave it. */
  readonly id: (role: Role) => string;
  /** Ends the step where nobody could sign in; as a violation where the login itself is at fault. */
  readonly signedIn: () => void;
  /** Opens a second or third session of the player, which is not renewed; false where the target refuses. */
  readonly signInAgain: (role: Role, nth?: 2 | 3) => Promise<boolean>;
  /** Adds two players, a test JWT each, whom the login takes for one; undefined where it tells any two apart. */
  readonly lookalikes: () => Promise<StepContext<'player' | 'other'> | undefined>;
  /** Whether its players may have played before, in this run or another, and done what can be done only once. */
  readonly playedBefore: () => boolean;
  /** Adds one more player in this role, unless it has one; returns the reason where no player can be had. */
  readonly bringIn: (role: string) => Promise<string | undefined>;
  /** The value that an earlier step returned; ends this step as `prerequisite-failed` where that one did not pass. */
  readonly resultOf: <Value>(step: Step<Value>) => Value;
  /** The value that an earlier step returned; undefined where that step did not pass. */
  readonly resultIfPassed: <Value>(step: Step<Value>) => Value | undefined;
  /** Sends a call as it stands, as a role or without a session, and judges nothing. */
  readonly send: (role: Role | undefined, operation: Operation, ask?: Ask) => Promise<Exchange>;
  /** Sends a call that must be accepted, with a body that carries the given values. */
  readonly mustSucceed: (role: Role | undefined, operation: Operation, ask?: BodyAsk) => Promise<Exchange>;
  /** Sets a value and reads it back: a unique one, or the one that the profile's body fixes. */
  readonly sets: (role: Role | undefined, operation: Operation, setting: Setting) => Promise<Kept>;
  /** Expects that the target accepted a call that was sent before. */
  readonly expectAccepted: (operation: Operation, exchange: Exchange) => Promise<void>;
  /** Runs the work while no other scenario of this run is in the matchmaking queue. Must not be nested. */
  readonly aloneInQueue: <Value>(work: () => Promise<Value>) => Promise<Value>;
  /** Notes that the operation's effect was seen, so that its guessed body is learnt; default: the one it accepted. */
  readonly confirmBody: (operation: Operation, form?: Form) => void;
  /** Notes how the target answered an outsider: a caller who has no part in what the call is about. */
  readonly noteOutsider: (operation: Operation, isLetIn: boolean, exchange: Exchange) => void;
  /** Returns the call that `mustSucceed` would send first, to be sent by other means. */
  readonly likeliestAsk: (role: Role | undefined, operation: Operation, ask?: BodyAsk) => Ask;
  /** Bodies that the operation may take, likeliest first; the profile's alone where it gives one. */
  readonly forms: (operation: Operation) => readonly Form[];
  /** Whether the operation is served, by evidence against controls. */
  readonly routed: (operation: Operation) => Promise<Routed>;
  /** The candidate body that a refusal of another one asks for; undefined where it names no member. */
  readonly mended: (operation: Operation, refused: Form, refusal: Exchange) => Promise<Form | undefined>;
  /** Whether the profile or the run gives this parameter a value. */
  readonly isGiven: (operation: Operation, parameter: string) => boolean;
  /** Whether the call names a guessed version pattern: its answer is then no failure. */
  readonly guessesPattern: (operation: Operation) => boolean;
  /** Finds an identifier in an answer: at the profile's pointer, by its name, or by proof. */
  readonly identifier: (from: Exchange, operation: Operation, name: string, proof?: Proof) => Promise<string>;
  /** Ends the step with a violation where `holds` is false; `expected` and `actual` say it in words. */
  readonly expect: (
    holds: boolean,
    expected: string,
    actual: string,
    evidence?: Exchange,
    repetition?: Repetition,
  ) => void;
  /** Records the behaviour that the target chose; asserts nothing. */
  readonly observe: (behaviour: string, evidence?: Exchange) => void;
  /**
   * Sends a call whose answer the document leaves open, and records its status as the behaviour; a server error is a
   * violation, even if `observe` follows. With values to carry, it tries bodies until one is not refused as a body.
   */
  readonly observeAnswer: (role: Role | undefined, operation: Operation, ask?: BodyAsk) => Promise<Exchange>;
  /** Sends only the call that `mustSucceed` would send first, and judges nothing. */
  readonly sendLikeliest: (role: Role | undefined, operation: Operation, ask?: BodyAsk) => Promise<Exchange>;
  /** Sends as `sendLikeliest` does, and records the answer as `observeAnswer` does. */
  readonly observeLikeliest: (
    role: Role | undefined,
    operation: Operation,
    ask?: BodyAsk,
  ) => Promise<Exchange>;
  /** Adds a detail to a pass. */
  readonly note: (detail: string) => void;
  /** Ends the step as not triggered: its situation did not arise, which is no failure. */
  readonly notTriggered: (detail: string) => never;
  /** Ends the step as inconclusive. */
  readonly cannotTell: (reason: InconclusiveReason, detail: string) => never;
  /** Makes a value that no other step of this run or another sends. */
  readonly unique: (word: string) => string;
  /** Names the checks that make the calls which this step watches, so that a rerun of this step includes them. */
  readonly watchesCallsOf: (...checks: string[]) => void;
  /**
   * Registers a teardown call for the end of the scenario; it tries bodies that carry the values until one is
   * accepted. `instead` is the operation to call where the first one fails.
   */
  readonly addTeardown: (role: Role, operation: Operation, how?: BodyAsk, instead?: Operation) => void;
}

export function createStepContext(
  played: Played,
  context: Context,
): {
  stepContext: StepContext;
  judgement: () => Judgement | undefined;
  /** The checks that the step named by `watchesCallsOf`. */
  others: readonly string[];
} {
  const { flows } = context;
  const others: string[] = [];
  let judgement: Judgement | undefined;
  const notes: string[] = [];

  const player = (role: string): Player => {
    const found = played.people.get(role);
    if (found === undefined) throw new Error(`nobody plays ${role} here`);
    return found;
  };
  const playerOf = (role: string | undefined) => (role === undefined ? undefined : player(role));
  const othersThan = (who: Player | undefined) =>
    [...played.people.values()].filter(({ id }) => id !== who?.id);
  /** Drops the answer of a call that is no longer shown, since an answer may be large. */
  const withoutAnswer = ({ exchange: _, ...call }: ScenarioCall): ScenarioCall => call;
  const noteCall = (by = 'anonymous caller', { id, effect }: Operation, exchange: Exchange) => {
    const { response, error } = exchange;
    const answer = response ? `${response.status}` : `no answer: ${error?.kind}`;
    const last = played.calls.at(-1);
    const call = { step: played.step, by, operation: id, answer };
    if (effect === 'read') played.reads.set(exchange, { by, writes: played.writes.length });
    else if (isSuccess(exchange)) played.writes.push({ by, operation: id, exchange });
    const { times = 0, exchange: _, ...before } = last ?? {};
    if (isDeepStrictEqual(call, before)) played.calls.splice(-1, 1, { ...call, times: times + 1, exchange });
    else played.calls.push({ ...call, times: 1, exchange });
    const past = played.calls.at(-1 - mostCalls);
    if (past) played.calls.splice(-1 - mostCalls, 1, withoutAnswer(past));
  };
  const send = async (role: string | undefined, operation: Operation, ask: Ask = {}) => {
    const who = playerOf(role);
    const exchange = await flows.send(
      who,
      flows.asCalled(operation),
      asStated(operation, ask, { context, player: who, others: othersThan(who) }),
    );
    noteCall(role, operation, exchange);
    return exchange;
  };
  const note = (detail: string) => notes.push(detail);
  /** Names of the members in which a call sent the value, or a placeholder that may stand for it. */
  const sentAs = (value: string) => {
    const leaves = [...played.taken.values()].flatMap(({ template }) => leavesOf(template));
    const isSent = (leaf: Leaf) => leaf.value === value || /\{\{(?!player\.|now\b)/.test(`${leaf.value}`);
    return new Set(leaves.filter(isSent).map(({ name }) => name));
  };
  const { shownPlaces, named } = played;
  const views = { send, note, context, shownPlaces, sentAs, named, playerOf };
  const speakerOf = (role: string | undefined): Speaker => ({
    ...views,
    player: playerOf(role),
    others: othersThan(playerOf(role)),
    role,
    guessed: played.guessed,
    refusing: played.refusing,
    taken: played.taken,
  });

  const stepContext: StepContext = {
    player,
    send,
    note,
    ...attackContext({ played, context, player, playerOf, speakerOf, noteCall }),
    unique: (word) => flows.unique(word, played.checkId),
    watchesCallsOf: (...checks) => void others.push(...checks),
    id(role) {
      const { id } = player(role);
      if (id === undefined) throw cannotTell('unknown-resource', `no answer names the id of the ${role}`);
      played.named.add(id);
      return id;
    },
    signedIn() {
      const fault = flows.loginFault();
      if (fault !== undefined)
        throw new Stop({
          ...violation(fault.expected, fault.actual),
          level: fault.level,
          ...(fault.clause !== undefined && { clause: fault.clause }),
        });
      const why = context.noSession();
      if (why !== undefined) throw cannotTell('no-session', why);
    },
    async signInAgain(role, nth = 2) {
      const twice = await flows.withSecondSession(player(role));
      if (twice === undefined) return false;
      played.people.set(`${role} (session ${nth})`, twice);
      return true;
    },
    async lookalikes() {
      const found = await flows.lookalikes();
      if (found === undefined) return undefined;
      for (const [nth, role] of (['player', 'other'] as const).entries())
        played.people.set(role, found[nth] as Player);
      return stepContext;
    },
    playedBefore: () => played.playedBefore,
    async bringIn(role) {
      if (played.people.has(role)) return undefined;
      const found = await flows.spare(`${played.purpose} ${role}`, [...played.people.values()]);
      if (!found.ok) return found.why;
      played.people.set(role, found.player);
      return undefined;
    },
    resultOf({ name }) {
      const before = played.endings.get(name);
      if (before === undefined) throw new Error(`${name} is no earlier step of this scenario`);
      // Without the event that the earlier step waited for, this step is not applicable either.
      if (before.judgement.kind === 'not-applicable') throw new Stop(before.judgement);
      // What a player can do only once was done before, so what builds on it cannot be seen either.
      if (before.judgement.kind === 'observed' && before.judgement.behaviour === alreadyUsed)
        throw new Stop(before.judgement);
      if (!played.values.has(name)) throw new Stop(blockedBy(before, name));
      return played.values.get(name) as never;
    },
    resultIfPassed(step) {
      try {
        return stepContext.resultOf(step);
      } catch (error) {
        ignoreStop(error);
        return undefined;
      }
    },
    sets: (...args) => createSets(stepContext)(...args),
    mustSucceed: async (role, operation, ask = {}) => sendWithBody(operation, ask, speakerOf(role)),
    expectAccepted: (operation, exchange) => requireDone(operation, exchange, context),
    async aloneInQueue(work) {
      // Finding out whether queue operations are served takes calls that wait while this work runs, so it comes first.
      await Promise.all(Object.values(areas.queue).map(context.routed));
      return flows.aloneInQueue(work);
    },
    noteOutsider: (operation, isLetIn, exchange) =>
      context.flows.noteOutsider({ operation, isLetIn, exchange, step: played.step }),
    confirmBody(operation, form = played.taken.get(operation.id)) {
      played.guessed.delete(operation.id);
      if (form && isGuess(form)) flows.guessWorked(operation, form);
    },
    likeliestAsk: (role, operation, ask = {}) => likeliestAsk(operation, ask, speakerOf(role)),
    forms: flows.forms,
    routed: context.routed,
    mended: flows.mend,
    isGiven: flows.stated,
    guessesPattern: (operation) => guessesPattern(operation, context),
    async identifier(from, operation, name, proof) {
      const found = await identify(from, { operation, name, proof, flows });
      played.named.add(found);
      return found;
    },
    ...seeing(views),
    expect(holds, expected, actual, evidence, repetition) {
      if (!holds)
        throw new Stop({ ...violation(expected, actual, evidence), ...(repetition && { repetition }) });
    },
    observe(behaviour, evidence) {
      // A server error is no behaviour that the target chose.
      if (judgement?.kind !== 'violation') judgement = observed(behaviour, evidence);
    },
    async observeAnswer(role, operation, ask) {
      const exchange = ask?.carry
        ? await sendUnjudged(operation, ask, speakerOf(role))
        : requireAnswer(await send(role, operation, ask));
      const status = statusOf(exchange);
      if (status >= 400) await requireServed(operation, context);
      // A server error is no choice: the players of a flow ask only for what an ordinary client may ask for.
      judgement =
        isServerFault(status) && status !== 503
          ? {
              ...violation(`${operation.id} is answered without a server error`, `${status}`, exchange),
              clause: 'sense.answers',
              level: 'inferred',
            }
          : observed(statusInWords(exchange), exchange);
      return exchange;
    },
    sendLikeliest: (role, operation, ask = {}) =>
      send(role, operation, likeliestAsk(operation, ask, speakerOf(role))),
    observeLikeliest: (role, operation, ask = {}) =>
      stepContext.observeAnswer(role, operation, likeliestAsk(operation, ask, speakerOf(role))),
    notTriggered(detail) {
      throw new Stop(notTriggered(detail));
    },
    cannotTell(reason, detail) {
      throw cannotTell(reason, detail);
    },
    addTeardown(role, operation, how = {}, instead) {
      const speaker = speakerOf(role);
      const ways = () => (how.carry === undefined ? [how] : asksToTry(operation, how, speaker));
      // Ends the step now where no known body carries the values. Teardown fills them anew, by what is known then.
      for (const way of ways()) asStated(operation, way, speaker);
      if (instead) asStated(instead, {}, speaker);
      flows.later({
        scenario: played.purpose,
        operation,
        put: () => sendFirstTaken(operation, ways(), speaker),
        ...(instead && { instead: () => send(role, instead) }),
      });
    },
  };
  return {
    stepContext,
    judgement: () => judgement ?? (notes.length > 0 ? pass(undefined, notes.join('; ')) : undefined),
    others,
  };
}

/** The judgement of a step whose prerequisite did not pass; it names the first step in the chain that did not. */
function blockedBy(before: Prerequisite, name: string): Judgement {
  const { judgement } = before;
  const root = (judgement.kind === 'inconclusive' && judgement.prerequisite) || before;
  const evidence = root.judgement.kind === 'not-applicable' ? undefined : root.judgement.evidence;
  return {
    ...inconclusive('prerequisite-failed', `${name}: ${inWords(judgement)}`, evidence),
    prerequisite: root,
  };
}

function inWords(judgement: Judgement): string {
  if (judgement.kind === 'violation') return `expected ${judgement.expected}, got ${judgement.actual}`;
  return judgement.kind === 'inconclusive' ? `${judgement.reason}, ${judgement.detail}` : judgement.kind;
}
