// Views: reads that show the effect of a call, or no longer show it, and how a step expects either.
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { waitForCopies } from '../compare/noise.ts';
import type { Ask } from '../http/ask.ts';
import {
  answerLeaves,
  type Exchange,
  isSuccess,
  refusesInBody,
  statusInWords,
  statusOf,
} from '../http/exchange.ts';
import { cannotTell, Stop, violation } from '../judgement.ts';
import type { Player } from '../players/players.ts';
import type { Context } from '../probe/context.ts';
import { shownPointer } from '../values/json-walk.ts';
import { is5xx } from '../values/status.ts';
import { switchPoint } from '../values/switch-points.ts';
import { isRightGuess, withoutParameter } from './guessed-selector.ts';
import { type Membership, mentions, type ShownPlaces, valuesUnder } from './places.ts';
import { type Polled, poll, pollTimeoutMs } from './polling.ts';
import { isOther, lastingChanges, type Snapshot, snapshot } from './snapshot.ts';
import { looksUnserved, withoutExcuse } from './unserved.ts';
import { accepted, refusedWhy, requireAnswer, requireDone, requireServed } from './why-refused.ts';
import { changeInWords, shownInstead, shownStill, soughtIn } from './wording.ts';

export interface View extends Pick<Ask, 'params' | 'body' | 'contentType' | 'extraQuery'> {
  readonly operation: Operation;
  /** The value to look for; without one, any success shows the view. */
  readonly value?: string;
  /** A value known to be in the list where `value` is to be: `value` in another place does not count. */
  readonly fellow?: string;
  /** `value` counts only as one entry of a list or a map, and not where it stood before it was added. */
  readonly inList?: true;
  /** The reader has no part in it: `value` counts in any of the places that showed it to another player. */
  readonly outsider?: true;
  /** `value` is a secret: any place in the answer counts. */
  readonly anywhere?: true;
  /** The value in words, for people: "the name that was set". */
  readonly what: string;
  /** The parameter that selects a part of the list: where it is guessed, a missing entry may lie outside that part. */
  readonly selectedBy?: string;
  /** The role of the reader; default: the role that acts. */
  readonly by?: string;
}

/** A view whose reader is settled. */
export interface ReadersView extends Omit<View, 'by'> {
  /** The role of the reader; undefined for an anonymous caller. */
  readonly reader: string | undefined;
}

/** Settles who reads a view: the reader that it names, else the role that acts. */
export const readBy = (role: string | undefined, { by = role, ...view }: View): ReadersView => ({
  ...view,
  reader: by,
});

export interface ViewReads {
  readonly send: (role: string | undefined, operation: Operation, ask: Ask) => Promise<Exchange>;
  readonly note: (detail: string) => void;
  readonly context: Pick<Context, 'flows' | 'noteLag' | 'readTimeout'>;
  readonly shownPlaces: ShownPlaces;
  /** Names of the members in which the scenario's calls sent a value, or would send it. */
  readonly sentAs: (value: string) => ReadonlySet<string>;
  /** Ids that the target's own answers gave in this scenario. */
  readonly named: ReadonlySet<string>;
  readonly playerOf: (role: string | undefined) => Player | undefined;
}

/** `there`: the value is shown. `still`: it is where it was seen before. `gone`: it is no longer there. */
type Sought = 'there' | 'still' | 'gone';

/** The call of a view. */
export const askOf = ({ params, body, contentType, extraQuery }: View): Ask => ({
  ...(params && { params }),
  ...(body !== undefined && { body }),
  ...(contentType !== undefined && { contentType }),
  ...(extraQuery !== undefined && { extraQuery }),
});

/** Reads a view once. */
export const readOnce = ({ send }: Pick<ViewReads, 'send'>, view: ReadersView): Promise<Exchange> =>
  send(view.reader, view.operation, askOf(view));

/** Polls a view until its value is `there`, `still` there or `gone`. */
export async function pollView(
  view: ReadersView,
  sought: Sought,
  reads: ViewReads,
  fullMs: number = pollTimeoutMs(),
): Promise<Polled> {
  const { note, context, shownPlaces } = reads;
  const { operation, what } = view;
  const holds = (exchange: Exchange) => {
    const status = statusOf(exchange);
    if (sought === 'gone')
      return status > 0 && status < 500 && status !== 429 && !isThere(exchange, view, shownPlaces);
    if (!isSuccess(exchange)) return false;
    if (view.value === undefined) return true;
    return sought === 'still'
      ? shownPlaces.stillShown(view, exchange)
      : shownPlaces.shown(view, exchange) === 'yes';
  };
  const kind = `${operation.id} ${sought}`;
  const withinMs = context.readTimeout.forRead(operation.host, kind, fullMs);
  const calledAs = context.flows.asCalled(operation);
  const polled = await poll(() => readOnce(reads, view), holds, withinMs);
  if (!polled.holds) context.readTimeout.noteInVain(operation.host, kind, polled.waitedMs);
  if (isSuccess(polled.last)) context.flows.noteServed(operation, polled.last);
  if (polled.holds && sought === 'there') shownPlaces.noteShown(view, polled.last);
  if (polled.holds && polled.waitedMs > 0) {
    // Where another step meanwhile changed how the read is called, the wait shows no replication lag.
    if (context.flows.asCalled(operation) === calledAs) context.noteLag(operation.host, polled.waitedMs);
    note(`${what} ${sought === 'gone' ? 'gone from' : 'in'} ${operation.id} after ${polled.waitedMs} ms`);
  }
  return polled;
}

/** Whether an answer shows the value of a view; a view without a value counts as shown where it is a success. */
function isThere(exchange: Exchange, view: ReadersView, shownPlaces: ShownPlaces): boolean {
  if (view.value === undefined) return isSuccess(exchange);
  return shownPlaces.membership(view, exchange) !== 'out';
}

/** A changed field of an entry that is still listed may mean that the player whom it names is gone. */
export const mayMeanGone = switchPoint((field: string | undefined): field is string => field !== undefined);

/** How a step reads what its calls did, and what the target shows besides. */
export interface Seeing<Role extends string> {
  /** Expects that a read shows a value, at once or eventually. */
  readonly sees: (role: Role | undefined, view: View) => Promise<Exchange>;
  /** Expects that a read still shows a value in the place where the same player saw it before. */
  readonly stillSees: (role: Role | undefined, view: View) => Promise<Exchange>;
  /** Reads a view before its value is added, as the negative control; returns whether it shows the value already. */
  readonly sampleBefore: (role: Role | undefined, view: View) => Promise<boolean>;
  /** Whether an answer shows a value in the place where it was seen before, or anywhere where it was never seen. */
  readonly shows: (role: Role | undefined, view: View, answer: Exchange) => boolean;
  /**
   * Expects that a read no longer shows a value where it was seen. An earlier step has to have seen it there; in
   * another place the value may belong to a history.
   */
  readonly seesNot: (role: Role | undefined, view: View) => Promise<Exchange>;
  /** Takes a snapshot of a read; ends the step where the read is not answered 2xx. */
  readonly snapshot: (role: Role, operation: Operation, ask?: Ask) => Promise<Snapshot>;
  /** Takes a snapshot once lagging replicas have caught up, so that a late change is not taken for the next step's. */
  readonly settledSnapshot: (role: Role, operation: Operation, ask?: Ask) => Promise<Snapshot>;
  /** Places in the main API's answers, outside lists, whose values this run saw change by themselves. */
  readonly wandering: () => ReadonlySet<string>;
  /** Polls a read until it differs from an earlier snapshot; false where it never did. */
  readonly pollUntilDifferent: (
    role: Role,
    before: Snapshot,
    operation: Operation,
    ask?: Ask,
  ) => Promise<boolean>;
  /**
   * Takes a snapshot that differs from an earlier one, at once or when replicas have caught up; undefined where there
   * is none. A clock in an answer is no change. For behaviours that are observed, not judged.
   */
  readonly lastingChange: (before: Snapshot) => Promise<Snapshot | undefined>;
  /** Whether two snapshots differ in more than values that change by themselves. */
  readonly snapshotsDiffer: (before: Snapshot, after: Snapshot) => boolean;
  /**
   * Ends the step with a violation where the read shows something else than an earlier snapshot, in repeated samples
   * too.
   * @param what the expectation in words: `the wallet as it was`
   * @param after a later snapshot; by default it is taken now
   */
  readonly expectUnchanged: (before: Snapshot, what: string, after?: Snapshot) => Promise<void>;
  readonly mentions: (exchange: Exchange, value: string) => boolean;
  /** Ids of players of this run that a JSON answer names, each once. */
  readonly playersIn: (exchange: Exchange) => readonly string[];
  /** The texts and whole numbers in a JSON answer under names that match the pattern, each once. */
  readonly values: (exchange: Exchange, name: RegExp) => readonly string[];
  /** Polls; returns whether a read shows a value in the end or, with `gone`, no longer does. Neither is a failure. */
  readonly eventually: (role: Role | undefined, view: View, gone?: 'gone') => Promise<boolean>;
  /**
   * Reads without the guessed parameter that selects a part of the view; returns whether that shows the value. If so,
   * flows leave the parameter out from then on. False where it selects nothing, or the profile gives its value.
   */
  readonly seesInWhole: (role: Role | undefined, view: View) => Promise<boolean>;
}

export function seeing(views: ViewReads & { readonly context: Context }): Seeing<string> {
  const { send, context, shownPlaces } = views;
  const noiseNow = () => context.noise('base');
  const taken: Seeing<string>['snapshot'] = (role, operation, ask = {}) =>
    snapshot({
      read: () => send(role, operation, ask),
      readElsewhere: () => send(role, areas.general.config, {}),
      check: (last) => requireDone(operation, last, context),
    });
  /** The Stop for a view that still shows a value that must be gone: a violation, or inconclusive if in doubt. */
  const stillThere = async (view: ReadersView, last: Exchange): Promise<Stop> => {
    const { operation, what, value, fellow } = view;
    const doubt = value === undefined ? undefined : unclear(view, shownPlaces.membership(view, last));
    if (doubt !== undefined) return doubt;
    if (fellow !== undefined && !shownPlaces.tellsMembers(view, last))
      return cannotTell('unknown-resource', `${operation.id} does not show who is a member and who is not`);
    const again = await readOnce(views, view);
    const [field] = shownPlaces.changedFields(view, last, again);
    if (mayMeanGone(field))
      return cannotTell(
        'unknown-resource',
        `${operation.id} still lists ${what}, and says something else of it at ${shownPointer(field, 'the root')}: whether that means gone, no document says`,
      );
    return new Stop(
      violation(`${operation.id} no longer shows ${soughtIn(view)}`, shownStill(last, value), last),
    );
  };
  const copiesCatchUp = () => waitForCopies(context);
  return {
    async sees(role, given) {
      const view = readBy(role, given);
      const { holds, last } = await pollView(view, 'there', views);
      if (holds) return last;
      const whole = await seenInWhole(view, views);
      if (whole !== undefined) return whole;
      const shown = isSuccess(last) ? shownPlaces.shown(view, last) : 'no';
      throw (shown === 'as before' && unclear(view, shown)) || (await unseen(last, view, views));
    },
    async stillSees(role, given) {
      const view = readBy(role, given);
      const { holds, last } = await pollView(view, 'still', views);
      if (holds) return last;
      const membership = isSuccess(last) ? shownPlaces.membership(view, last) : 'out';
      throw unclear(view, membership) ?? (await unseen(last, view, views));
    },
    async sampleBefore(role, given) {
      const view = readBy(role, given);
      const answer = requireAnswer(await readOnce(views, view));
      shownPlaces.noteBefore(view, answer);
      return shownPlaces.shown(view, answer) !== 'no';
    },
    shows: (role, view, answer) =>
      isSuccess(answer) && shownPlaces.membership(readBy(role, view), answer) === 'in',
    async seesNot(role, given) {
      const view = readBy(role, given);
      const { holds, last } = await pollView(view, 'gone', views);
      requireAnswer(last);
      // A failed read does not show that the value is still there.
      if (!holds && is5xx(statusOf(last))) throw new Stop(await refusedWhy(view.operation, last, context));
      if (statusOf(last) === 401) throw cannotTell('auth-wall', `${view.operation.id} is answered 401`);
      if (!holds) throw await stillThere(view, last);
      return last;
    },
    snapshot: taken,
    // Lists are left out: a place that wanders in the list of one read may be a real change in that of another.
    wandering: () => new Set(noiseNow().wanders.filter((place) => !place.includes('/-'))),
    async settledSnapshot(role, operation, ask) {
      await copiesCatchUp();
      return taken(role, operation, ask);
    },
    async lastingChange(before) {
      const atOnce = await before.again();
      if (isOther(before, ...atOnce.samples)) return atOnce;
      await copiesCatchUp();
      const later = await before.again();
      const places = await lastingChanges(before, later, { noise: noiseNow() });
      return places.length > 0 ? later : undefined;
    },
    async pollUntilDifferent(role, before, operation, ask = {}) {
      const { holds, last } = await poll(
        () => send(role, operation, ask),
        (after) => accepted(operation, after, context) && isOther(before, after),
      );
      await requireDone(operation, last, context);
      return holds;
    },
    snapshotsDiffer: (before, after) => isOther(before, ...after.samples),
    async expectUnchanged(before, what, given) {
      const after = given ?? (await before.again());
      const places = await lastingChanges(before, after, { noise: noiseNow() });
      if (places.length === 0) return;
      const { was, is } = changeInWords(before.exchange, after.exchange, places);
      throw new Stop(violation(`${what}: ${was}`, is, after.exchange));
    },
    mentions,
    playersIn: (answer) =>
      [...new Set(answerLeaves(answer).map(({ value }) => String(value)))].filter(context.isPlayer),
    values: valuesUnder,
    seesInWhole: async (role, view) => (await seenInWhole(readBy(role, view), views)) !== undefined,
    async eventually(role, given, gone) {
      const view = readBy(role, given);
      const { holds, last } = await pollView(view, gone ?? 'there', views);
      requireAnswer(last);
      const doubt = gone && !holds ? unclear(view, shownPlaces.membership(view, last)) : undefined;
      if (doubt !== undefined) throw doubt;
      return holds;
    },
  };
}

/** The Stop for a membership that decides nothing; undefined where it decides. */
function unclear({ operation, what }: View, membership: Membership): Stop | undefined {
  if (membership === 'as before')
    return cannotTell('needs-state', `${operation.id} showed ${what} before, in the same place`);
  if (membership !== 'partly') return undefined;
  return cannotTell(
    'unknown-resource',
    `${operation.id} shows ${what} in some of the places that showed it, and not in others`,
  );
}

/**
 * Reads without the guessed selector: a guess that selects another part hides the value. Where the answer shows the
 * value, returns it, and flows leave the selector out from then on.
 */
async function seenInWhole(
  view: ReadersView,
  { send, context: { flows }, shownPlaces }: ViewReads & { readonly context: Context },
): Promise<Exchange | undefined> {
  const { operation, selectedBy, reader } = view;
  if (selectedBy === undefined || flows.stated(operation, selectedBy)) return undefined;
  const whole = withoutParameter(flows.asCalled(operation), selectedBy);
  if (whole === flows.asCalled(operation)) return undefined;
  const answer = await send(reader, whole, askOf(view));
  if (!isSuccess(answer) || shownPlaces.shown(view, answer) !== 'yes') return undefined;
  shownPlaces.noteShown(view, answer);
  flows.withoutGuess(operation, selectedBy);
  return answer;
}

/** The Stop for a read that does not show its value: a violation where it succeeded, or found nothing (404, 409). */
async function unseen(
  last: Exchange,
  view: ReadersView,
  views: ViewReads & { readonly context: Context },
): Promise<Stop> {
  requireAnswer(last);
  const { context, named } = views;
  const { operation, reader } = view;
  const status = statusOf(last);
  if (!isSuccess(last)) {
    const refused = {
      operation,
      ask: askOf(view),
      exchange: last,
      player: views.playerOf(reader),
      send: (...call: [Operation, Ask]) => views.send(reader, ...call),
      named,
      context,
    };
    const found = await withoutExcuse(refused);
    if (found?.kind === 'judged' && found.judgement.kind === 'inconclusive') throw new Stop(found.judgement);
    const unserved = await looksUnserved(refused);
    if (unserved) throw new Stop(unserved);
    await requireServed(operation, context);
    const why = await refusedWhy(operation, last, context);
    // A 404 is a violation here: an earlier step has made the resource.
    const isMissing = status === 404 || status === 409 || refusesInBody(last);
    if (why.kind !== 'inconclusive' || !isMissing) throw new Stop(why);
  }
  // A guessed selector is right once any read of this operation showed such a value.
  const isGuess = view.selectedBy !== undefined && !context.flows.stated(view.operation, view.selectedBy);
  const paths = views.shownPlaces.pathsShown(view);
  const sends = (...call: [Operation, Ask]) => views.send(reader, ...call);
  if (isGuess && paths.size === 0 && !(await isRightGuess(view, askOf(view), sends, context.flows)))
    return cannotTell('unknown-resource', `${view.operation.id} was asked with a guessed ${view.selectedBy}`);
  const { value } = view;
  const actual =
    isSuccess(last) && value !== undefined
      ? shownInstead(last, value, { paths, names: views.sentAs(value) })
      : statusInWords(last);
  return new Stop(violation(`${operation.id} shows ${soughtIn(view)}`, actual, last));
}
