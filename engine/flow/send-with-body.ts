// Sends a call that must be accepted: with the profile's body, or with guessed bodies until one has its effect.
import type { Operation } from '../../catalog/operation.ts';
import type { Ask } from '../http/ask.ts';
import { type Exchange, isSuccess, sentJson, statusOf } from '../http/exchange.ts';
import { inconclusive, type Judgement, Stop } from '../judgement.ts';
import { mostMended, refusesBody } from '../players/bodies.ts';
import { type Form, isAskedFor, isGuess } from '../players/body-template.ts';
import { wantsCharacterAsKey } from '../players/mended-bodies.ts';
import { complaintsIn } from '../players/refusals/refusals.ts';
import { atVersion } from '../players/refusals/version-conflict.ts';
import type { Context } from '../probe/context.ts';
import { isObject, leavesOf } from '../values/json-walk.ts';
import {
  askIn,
  type Body,
  bodiesFor,
  givenFor,
  takenFirst,
  type Writer,
  writtenFrom,
} from './bodies-to-try.ts';
import { mentions } from './places.ts';
import { formsAsShown } from './shown-forms.ts';
import type { BodyAsk } from './step-context.ts';
import {
  type AcceptedGuess,
  carriedBy,
  isStatedOtherwise,
  isUnderstood,
  namesOnlyIds,
} from './understood.ts';
import { withoutExcuse } from './unserved.ts';
import { pollView, readBy, readOnce, type ViewReads } from './views.ts';
import { accepted, judgeExcusedRefusal, refusedWhy, requireAnswer } from './why-refused.ts';
import { bodiesInWords } from './wording.ts';

/** The sender of a call, and what its scenario knows. */
export interface Speaker extends ViewReads, Writer {
  readonly context: Context;
  readonly role: string | undefined;
  readonly guessed: Guessed;
  readonly refusing: Set<string>;
}

/** The guessed body that an operation accepted. */
interface GuessAccepted {
  readonly form: Form;
  /** Asks the target whether it reads what the body names. */
  readonly isUnderstood: () => Promise<boolean>;
}

/** The guessed bodies that operations accepted, by operation id. */
export type Guessed = Map<string, GuessAccepted>;

/** How long the effect of a guessed body is waited for, in ms: less than for a stated body. */
const guessShowsWithinMs = 600;
/** Statuses that refuse the caller or the rate: no other body would change that. */
const refusesCaller = new Set([401, 403, 429]);

/**
 * Sends the call with one body after another, until one is accepted and, where it is a guess, its effect shows.
 * @throws Stop where none is, with the judgement of the decisive refusal
 */
export async function sendWithBody(
  operation: Operation,
  request: BodyAsk,
  speaker: Speaker,
): Promise<Exchange> {
  const { context, role, send } = speaker;
  await context.flows.loadSharedValues(operation);
  const trial = createTrial(operation, request, speaker);
  for (let body = await trial.next(); body !== undefined; body = await trial.next()) {
    const ask = { ...askIn(request), ...body.ask };
    const exchange = requireAnswer(await send(role, operation, ask));
    if (accepted(operation, exchange, context)) {
      if (await trial.isDone(body, exchange)) return exchange;
    } else if (trial.afterRefusal(body, exchange) === 'stop')
      return lateSuccess(operation, ask, { exchange, mayRefuse: mayRefuse(body, request) }, speaker);
  }
  return trial.outcome();
}

/** Why the target may refuse the call with this body; undefined where it may not. */
const mayRefuse = ({ isOurs }: Body, { mayRefuse: stated, madeUp }: BodyAsk): string | undefined =>
  stated ?? (isOurs ? madeUp : undefined);

/** The bodies of one call, and what the answers to them showed so far. */
function createTrial(operation: Operation, request: BodyAsk, speaker: Speaker) {
  const { context, role, send, guessed, refusing, taken } = speaker;
  const { until, untilGone } = request;
  const view = until ?? untilGone;
  const ask = askIn(request);
  const asking = {
    context,
    send: async (members: object) =>
      requireAnswer(await send(role, operation, { ...ask, body: JSON.stringify(members) })),
  };
  const queue = bodiesFor(operation, request, speaker);
  const mend = createMender(operation, request, speaker);
  const versions = createVersions(operation, request, speaker);
  const asShown = createBodiesAsShown(operation, request, speaker);
  let last: { readonly body: Body; readonly exchange: Exchange } | undefined;
  /** The forms that were sent, by their answers. */
  const sent = new Map<Exchange, Form>();
  /** A guess that was accepted, and whose effect did not show. */
  let inVain: (AcceptedGuess & { readonly exchange: Exchange }) | undefined;
  let refusedValue: Exchange | undefined;
  let refusedChoice: Exchange | undefined;

  const showsEffect = async (attempt: AcceptedGuess, exchange: Exchange): Promise<boolean> => {
    if (view === undefined) return true;
    const { by, ...own } = view;
    const sought = until ? 'there' : 'gone';
    const { holds, last: read } = await pollView(readBy(role, view), sought, speaker, guessShowsWithinMs);
    // If the caller sees the effect and the viewer does not, the body is not the reason.
    if (holds || (by !== undefined && (await pollView(readBy(role, own), sought, speaker, 0)).holds)) {
      // The effect showed, so the body is no longer a guess.
      guessed.delete(operation.id);
      const { form } = attempt;
      if (form) taken.set(operation.id, form);
      if (form && isGuess(form)) context.flows.guessWorked(operation, versions.lasting(form));
      return true;
    }
    const attemptWithRead = { ...attempt, exchange, sought: { answer: exchange, read } };
    // Prefers a guess whose answer shows what was sent: it says most about whether the body was read.
    if (inVain === undefined || inVain.shown.length === 0 || isStatedOtherwise(attemptWithRead))
      inVain = attemptWithRead;
    return false;
  };

  return {
    next: async (): Promise<Body | undefined> =>
      queue.shift() ?? (inVain ? undefined : await mend.next()) ?? (await asShown.next(last?.exchange)),

    /** Whether the accepted body ends the trial: a guess does once its effect shows. */
    async isDone(body: Body, exchange: Exchange): Promise<boolean> {
      const { form, guess } = body;
      last = { body, exchange };
      if (form) sent.set(exchange, form);
      context.flows.noteServed(operation, exchange);
      if (form && mend.isMade(form)) context.flows.learn(operation, form);
      // A guess whose effect is still looked for does not replace a form that was accepted before.
      const isUsual = !request.choice && (!guess || view === undefined || !taken.has(operation.id));
      if (form && isUsual) taken.set(operation.id, form);
      if (!guess) return true;
      const attempt = {
        form,
        body: body.ask.body,
        shown: carriedBy(request).filter((value) => mentions(exchange, value)),
      };
      // A target that refuses one body and accepts another has read what the second one names.
      const isRead = form && (isAskedFor(form) || refusing.has(operation.id)) && namesOnlyIds(form, request);
      // The closure lives as long as the scenario, so it holds no answer, which may be large.
      if (form && !isRead)
        guessed.set(operation.id, {
          form,
          isUnderstood: () => isUnderstood(operation, request, attempt, asking),
        });
      return showsEffect(attempt, exchange);
    },

    /** After a refusal, either another body is tried (`retry`) or the refusal is judged (`stop`). */
    afterRefusal(body: Body, exchange: Exchange): 'retry' | 'stop' {
      const { form, offers } = body;
      last = { body, exchange };
      if (form) sent.set(exchange, form);
      const status = statusOf(exchange);
      const atVersions = versions.bodies(form, exchange);
      if (atVersions.length > 0) {
        queue.unshift(...atVersions);
        return 'retry';
      }
      const guess = form && isGuess(form) ? form : undefined;
      if (guess && refusesWhatItNames.has(status) && wantsCharacterAsKey(exchange)) {
        mend.refused(guess, exchange);
        return 'retry';
      }
      if (guess && refusesBody(exchange)) {
        refusing.add(operation.id);
        mend.refused(guess, exchange);
        if (choicesIn(exchange, request.carry?.value).length > 0) refusedChoice ??= exchange;
        return 'retry';
      }
      // An earlier guess was accepted, so this refusal is about what this guess names.
      const isAboutBody = (guess && inVain !== undefined) || offers > 0;
      if (isAboutBody && !refusesCaller.has(status)) return 'retry';
      // The target read this guess and found nothing under what it names: earlier refusals may name the right members.
      const isAboutValue = guess && mend.isOpen() && refusesWhatItNames.has(status);
      if (isAboutValue) queue.length = 0;
      // Of several values that the target listed, this one may be the wrong one here: a currency that buys nothing.
      if (!isAboutValue && !(form && refusesChoice.has(status) && mend.hasOthers(form))) return 'stop';
      refusedValue ??= exchange;
      return 'retry';
    },

    /**
     * The answer to a guess that the target accepted and understood, though no effect showed.
     * @throws Stop where there is none, with the judgement of the decisive answer
     */
    async outcome(): Promise<Exchange> {
      if (inVain && (await isUnderstood(operation, request, inVain, asking))) {
        guessed.delete(operation.id);
        return inVain.exchange;
      }
      const { body, exchange } = last as NonNullable<typeof last>;
      // One guess was accepted without effect: a later refusal of another guess is not the decisive answer.
      const isOfBody = refusesBody(exchange);
      const found = isOfBody ? (inVain?.exchange ?? refusedValue ?? exchange) : exchange;
      const mayChoose = isOfBody || exchange === inVain?.exchange;
      const decisive = mayChoose ? (refusedChoice ?? found) : found;
      const judgement = await judgementOfRefusal(operation, decisive, context, mayRefuse(body, request));
      const own = sent.get(decisive);
      const forms = [...(own ? [own] : []), ...[...sent.values()].toReversed()];
      throw new Stop(withOrigins(judgement, forms));
    },
  };
}

/**
 * The success of a refused call that is accepted when it is sent again.
 * @throws Stop where it is refused again, with the judgement of the refusal
 */
async function lateSuccess(
  operation: Operation,
  ask: Ask,
  refusal: { readonly exchange: Exchange; readonly mayRefuse: string | undefined },
  { context, player, named, send, role }: Speaker,
): Promise<Exchange> {
  const { exchange, mayRefuse } = refusal;
  if (mayRefuse !== undefined)
    throw new Stop(await judgeExcusedRefusal(operation, exchange, mayRefuse, context));
  const found = await withoutExcuse({
    operation,
    ask,
    exchange,
    player,
    send: (...call) => send(role, ...call),
    named,
    context,
  });
  if (found?.kind === 'late') return found.exchange;
  throw new Stop(found?.judgement ?? (await refusedWhy(operation, exchange, context)));
}

/** The texts that a refusal allows in place of a value that was sent. */
export function choicesIn(refusal: Exchange, value: unknown): readonly string[] {
  if (value === undefined) return [];
  const sent = leavesOf(sentJson(refusal)).filter((leaf) => leaf.value === value);
  return complaintsIn(refusal)
    .filter(({ path }) => sent.some(({ name }) => name === path.at(-1)))
    .flatMap(({ allowed = [] }) => allowed.filter((choice) => typeof choice === 'string'));
}

const refusesWhatItNames: ReadonlySet<number> = new Set([404, 409, 410]);
const refusesChoice: ReadonlySet<number> = new Set([...refusesWhatItNames, 402]);

/** The body with each of the other values that a refusal listed. Each knows the rest, since `choice` may pick one. */
function alternativesOf({ others = [], ...first }: Partial<Form> = {}): readonly Form[] {
  return others.map((form) => ({
    ...form,
    others: [first as Form, ...others.filter((each) => each !== form)],
  }));
}

/** Makes bodies with the version that the refusal of a guess names, and with the next one; once per call. */
function createVersions(operation: Operation, request: BodyAsk, speaker: Speaker) {
  const without = new Map<Form, Form>();
  return {
    bodies(form: Form | undefined, refusal: Exchange): readonly Body[] {
      if (form === undefined || !isGuess(form) || without.size > 0 || !isObject(form.template)) return [];
      const forms = atVersion(refusal, form.template).map((template) => ({ ...form, template }));
      for (const each of forms) without.set(each, form);
      return writtenFrom(forms, operation, request, speaker, givenFor(operation, speaker)).bodies;
    },
    /** The form without the version, which is good for any later write. */
    lasting: (form: Form): Form => without.get(form) ?? form,
  };
}

/** Once every candidate was refused, makes bodies from what refusals ask for, each from the refusal before. */
function createMender(operation: Operation, request: BodyAsk, speaker: Speaker) {
  const made = new Set<Form>();
  let mended = 0;
  let lead: { readonly form: Form; readonly exchange: Exchange } | undefined;
  let others: readonly Form[] = [];
  const written = (form: Form | undefined): Body | undefined => {
    // A member that only the refusal names is filled with any text, or with another player's id.
    const spare = givenFor(operation, speaker);
    const [body] = form ? writtenFrom([form], operation, request, speaker, spare).bodies : [];
    return body?.form && body;
  };
  const next = async (): Promise<Body | undefined> => {
    const { form, exchange } = lead ?? {};
    lead = undefined;
    if (form === undefined || exchange === undefined || mended === mostMended) return undefined;
    mended += 1;
    const found = await speaker.context.flows.mend(operation, form, exchange, request.shownAs);
    const body = written(found);
    if (body) others = alternativesOf(found);
    return body;
  };
  return {
    isOpen: () => lead !== undefined,
    isMade: (form: Form) => made.has(form),
    refused(form: Form, exchange: Exchange) {
      if (lead === undefined || made.has(form)) lead = { form, exchange };
    },
    /** Whether the form has one of several values that the target listed, and others of them are left. */
    hasOthers: (form: Form) => made.has(form) && others.length > 0,
    async next(): Promise<Body | undefined> {
      let body = await next();
      for (; body === undefined && others.length > 0; others = others.slice(1)) body = written(others[0]);
      if (body?.form) made.add(body.form);
      return body;
    },
  };
}

/** Once every guess was refused for its body or had no effect, makes bodies from the read that is to show it. */
function createBodiesAsShown(operation: Operation, request: BodyAsk, speaker: Speaker) {
  const { carry = {}, until } = request;
  const isText = typeof carry.value === 'string' && Object.keys(carry).length === 1;
  let bodies: Body[] | undefined;
  return {
    async next(last: Exchange | undefined): Promise<Body | undefined> {
      if (!isText || until === undefined || last === undefined) return undefined;
      if (!refusesBody(last) && !isSuccess(last)) return undefined;
      if (speaker.context.flows.forms(operation).some((form) => !isGuess(form))) return undefined;
      bodies ??= writtenFrom(
        formsAsShown(await readOnce(speaker, readBy(speaker.role, until))),
        operation,
        request,
        speaker,
      ).bodies;
      return bodies.shift();
    },
  };
}

/**
 * Sends the call with one body after another, those that refusals ask for included, until one is not refused for its
 * body. Returns the last answer, and judges nothing.
 */
export async function sendUnjudged(
  operation: Operation,
  request: BodyAsk,
  speaker: Speaker,
): Promise<Exchange> {
  const { role, send } = speaker;
  const ask = askIn(request);
  const mend = createMender(operation, request, speaker);
  const queue = [...takenFirst(operation, request, speaker)];
  let last: Exchange | undefined;
  for (let next = queue.shift(); next !== undefined; next = queue.shift() ?? (await mend.next())) {
    last = requireAnswer(await send(role, operation, { ...ask, ...next.ask }));
    if (next.form === undefined || !isGuess(next.form) || !refusesBody(last)) break;
    mend.refused(next.form, last);
  }
  return last ?? requireAnswer(await send(role, operation, ask));
}

/** Sends one call after another, until one is not refused for its body. */
export async function sendFirstTaken(
  operation: Operation,
  ways: readonly Ask[],
  { send, role }: Pick<Speaker, 'send' | 'role'>,
): Promise<Exchange> {
  const [first = {}, ...others] = ways;
  let exchange = await send(role, operation, first);
  for (const way of others) {
    if (!refusesBody(exchange)) break;
    exchange = await send(role, operation, way);
  }
  return exchange;
}

/** Adds to a judgement that needs a body which bodies were sent, and where they come from. */
const withOrigins = (judgement: Judgement, forms: readonly Form[]): Judgement =>
  judgement.kind === 'inconclusive' && judgement.reason === 'needs-body' && forms.length > 0
    ? { ...judgement, detail: `${judgement.detail}; sent: ${bodiesInWords(forms)}` }
    : judgement;

/** The judgement where every body was refused; inconclusive where guesses were accepted and none had its effect. */
async function judgementOfRefusal(
  operation: Operation,
  last: Exchange,
  context: Context,
  mayRefuse: string | undefined,
) {
  if (accepted(operation, last, context))
    return inconclusive('needs-body', `${operation.id} took guessed bodies, and none had the effect`, last);
  if (mayRefuse !== undefined) return judgeExcusedRefusal(operation, last, mayRefuse, context);
  return refusedWhy(operation, last, context);
}
