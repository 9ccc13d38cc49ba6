// Learns which members of a target's answers show a refusal, and finds by them the refusals that have a success status.
import type { Host } from '../../catalog/operation.ts';
import { type Exchange, isSuccess, jsonValue, statusOf } from '../http/exchange.ts';
import { isObject } from '../values/json-walk.ts';
import { is2xx, is4xx } from '../values/status.ts';
import { switchPoint } from '../values/switch-points.ts';
import { letters } from '../values/text.ts';

/** A member at the root of every answer (`ok`, `code`) that differs between success and refusal. Plain data. */
export interface Sign {
  readonly name: string;
  /** Its state in every success: a short scalar as JSON, `empty` or `filled`; `absent` where no success has it. */
  readonly done: string;
  /** Its state in every refusal; absent where refusals differ: any state but `done`, `null` and `empty`. */
  readonly refused?: string;
}
/** An answer that shows all of these signs is a refusal. */
export type RefusalForm = readonly Sign[];

const filled = 'filled';
const absent = 'absent';
const mostMembers = 32;
const longestWord = 40;

/** The state of each member at the root of an answer, by its name. */
type MemberStates = ReadonlyMap<string, string>;

/** The states of an answer's members; undefined where the root is no object. */
function memberStates(exchange: Exchange): MemberStates | undefined {
  const root = jsonValue(exchange);
  if (!isObject(root)) return undefined;
  return new Map(membersOf(root).map(([name, value]) => [name, stateOf(value)]));
}

const membersOf = (root: object): [string, unknown][] => Object.entries(root).slice(0, mostMembers);

/** A short scalar as JSON; of anything else only whether it is empty or filled, since its content varies. */
function stateOf(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0 ? 'empty' : filled;
  const text = JSON.stringify(value) ?? 'null';
  if (text === '""') return 'empty';
  return text.length > longestWord ? filled : text;
}

const isTextOrFilled = (state: string) => state === filled || state.startsWith('"');
const isNothing = (state: string) => state === 'null' || state === 'empty';
const isNumber = (state: string) => /^-?\d/.test(state);
const isFlag = (state: string) => state === 'true' || state === 'false';

/** Successes needed, of different calls. There may be just two: a sign-in, and the read that proves its session. */
const fewestSuccesses = 2;

/** Learns from answers whose status shows whether the call was done. */
export function createRefusalWatch() {
  const done = new Map<string, MemberStates>();
  const refused = new Map<string, MemberStates>();
  /** Undefined while no member is known to show a refusal. */
  const form = (): RefusalForm | undefined => {
    const seen = [[...done.values()], [...refused.values()]] as const;
    const signs = signsOf(...seen);
    const sure = signs.some(isSure) ? signs : undefined;
    // One code in all refusals may be that of callers without a session; others then have codes of their own.
    return sure?.some((sign) => isSure(sign) && !isCode(sign.refused)) ? sure : (wordForm(...seen) ?? sure);
  };
  return {
    form,
    /** Learns from an answer of the main API. Returns it, marked where the form known so far shows a refusal. */
    note(exchange: Exchange): Exchange {
      const answer = marked(form(), exchange);
      const status = statusOf(answer);
      const into = isSuccess(answer) ? done : is4xx(status) && status !== 429 ? refused : undefined;
      const seen = into && memberStates(answer);
      const { method, url } = answer.request;
      if (into && seen) into.set(`${status} ${method} ${url.replace(/[?#].*/s, '')}`, seen);
      return answer;
    },
  };
}

/**
 * Returns the members in which successes and refusals differ. Leaves out answers that share no member with the others,
 * such as those to a path without a route.
 */
function signsOf(done: readonly MemberStates[], refused: readonly MemberStates[]): Sign[] {
  const sharesMember = (one: MemberStates, others: readonly MemberStates[]) =>
    others.some((other) => [...one.keys()].some((name) => other.has(name)));
  const successes = done.filter((answer) => sharesMember(answer, refused));
  const refusals = refused.filter((answer) => sharesMember(answer, successes));
  const [first] = successes;
  if (first === undefined || successes.length < fewestSuccesses) return [];
  return [...first.keys()].flatMap((name) =>
    signOf(name, new Set(successes.map(stateIn(name))), refusals.map(stateIn(name))),
  );
}

const successWords = /^(ok|okay|success|successful|succeeded|done|noerror)$/;
const failureWords = /^(error|errors|fail|failed|failure|ko|nok)$/;
const isCode = (state = ''): boolean => state.startsWith('"') && !failureWords.test(letters(state));
const isSuccessWord = (state: string): boolean => state.startsWith('"') && successWords.test(letters(state));

/**
 * The form of a target that has a word for success and codes for refusals: `{"result": "OK"}`, and `{"result": "FULL",
 * "message": …}` with any status. Another word is a refusal only beside what each refusal has and no success: answers
 * with a status of success may be refusals themselves, and successes may have words of their own. Where no refusal has
 * the member, as where whoever is not signed in is redirected, but each success, a `message` is what stands beside it.
 */
function wordForm(done: readonly MemberStates[], refused: readonly MemberStates[]): RefusalForm | undefined {
  const names = new Set(done.flatMap((answer) => [...answer.keys()]));
  for (const name of names) {
    const [word, ...others] = new Set(done.flatMap((answer) => answer.get(name) ?? []).filter(isSuccessWord));
    if (word === undefined || others.length > 0) continue;
    const successes = done.filter((answer) => answer.get(name) === word);
    if (successes.length < fewestSuccesses) continue;
    const refusals = refused.filter((answer) => answer.has(name));
    if (refusals.length === 0 && successes.length < done.length) continue;
    if (refusals.some((answer) => !isTextOrFilled(answer.get(name) ?? '') || answer.get(name) === word))
      continue;
    const beside = (refusals[0] ? [...refusals[0].keys()] : ['message']).filter(
      (member) =>
        refusals.every((answer) => isTextOrFilled(answer.get(member) ?? '')) &&
        successes.every((answer) => !answer.has(member)),
    );
    if (beside.length > 0)
      return [{ name, done: word }, ...beside.map((member) => ({ name: member, done: absent }))];
  }
  return undefined;
}

const stateIn = (name: string) => (answer: MemberStates) => answer.get(name);

/** None unless the member has one state in all successes and another one in each refusal. */
function signOf(
  name: string,
  inDone: ReadonlySet<string | undefined>,
  inRefused: readonly (string | undefined)[],
): Sign[] {
  const [done, ...others] = inDone;
  const [first, ...further] = inRefused;
  if (done === undefined || others.length > 0 || first === undefined) return [];
  if (inRefused.some((state) => state === undefined || state === done)) return [];
  const isSameInAll = further.every((state) => state === first);
  // Not exact: a number, since the next refusal may have another code; and content that was seen only once.
  const isExact = isFlag(first) || isNothing(first) || (further.length > 0 && !isNumber(first));
  if (isSameInAll && isExact) return [{ name, done, refused: first }];
  return inRefused.some((state) => state === undefined || isNothing(state)) ? [] : [{ name, done }];
}

/**
 * Whether the sign shows a refusal by itself. A text that differs from that of the successes does not, since texts vary
 * for any reason. Nor does a member without content, since a success may have none.
 */
const isSure = ({ done, refused = filled }: Sign): boolean =>
  (isFlag(done) && isFlag(refused)) ||
  isNumber(done) ||
  (isNothing(done) && !isNothing(refused)) ||
  refused.startsWith('"');

/** Whether an answer shows all signs of a refusal. */
function showsRefusal(form: RefusalForm, exchange: Exchange): boolean {
  const seen = memberStates(exchange);
  return form.every(({ name, done, refused }) => {
    const state = seen?.get(name);
    if (state === undefined || state === done) return false;
    return refused === undefined ? !isNothing(state) : state === refused;
  });
}

const successFlags = /^(is)?(ok|success|successful|succeeded)$/;
const errorMembers = /^(errors?|failure|fault)$/;

/**
 * Whether an answer refuses in a form that many APIs share: `{"ok": false}`, `{"error": {…}}`. The target's own form
 * cannot be learnt where all its refusals have a success status or are those of paths without a route.
 */
function hasCommonRefusal(exchange: Exchange): boolean {
  const root = jsonValue(exchange);
  if (!isObject(root)) return false;
  return membersOf(root).some(([name, value]) => {
    const word = letters(name);
    if (successFlags.test(word)) return value === false;
    return errorMembers.test(word) && isTextOrFilled(stateOf(value));
  });
}

/** Whether an answer with a status of success says by a flag that it is none, as `{"success": false}` does. */
export function deniesSuccess(exchange: Exchange): boolean {
  const root = is2xx(statusOf(exchange)) ? jsonValue(exchange) : undefined;
  return (
    isObject(root) &&
    membersOf(root).some(([name, value]) => value === false && successFlags.test(letters(name)))
  );
}

/** Words that an answer has for records that it took, as the alternatives of a pattern. */
export const takenWords = 'accepted|stored|saved|ingested|inserted|persisted|written';
const takenCount = new RegExp(`^(?:${takenWords})(?:count|records|events|logs|entries)?$`);
const leftOut = /^(rejected|failed|invalid|dropped|skipped|errors)(records|events|logs|entries|items)?$/;

/** Most bytes of an answer that may count the records of a batch. */
const longestCount = 65_536;

/** Whether an answer to a batch counts nothing as taken and lists what it left out, beside it or in an envelope. */
function takesNothing(exchange: Exchange): boolean {
  if ((exchange.response?.body.length ?? 0) > longestCount) return false;
  const root = jsonValue(exchange);
  const objects = isObject(root)
    ? [root, ...membersOf(root).flatMap(([, each]) => (isObject(each) ? [each] : []))]
    : [];
  return objects.some((each) => {
    const members = membersOf(each).map(([name, value]) => [letters(name), value] as const);
    return (
      members.some(([name, value]) => takenCount.test(name) && value === 0) &&
      members.some(([name, value]) => leftOut.test(name) && Array.isArray(value) && value.length > 0)
    );
  });
}

/** Whether the body of an answer refuses the call, in a common form or in the one that was learnt. */
export const bodyRefuses = switchPoint(
  (form: RefusalForm | undefined, exchange: Exchange): boolean =>
    hasCommonRefusal(exchange) ||
    takesNothing(exchange) ||
    (form !== undefined && showsRefusal(form, exchange)),
);

/** The answer, with `refuses` set where its status is a success and its body refuses the call. */
export function marked(form: RefusalForm | undefined, exchange: Exchange): Exchange {
  const { response } = exchange;
  if (response === undefined || !is2xx(response.status)) return exchange;
  return bodyRefuses(form, exchange) ? { ...exchange, response: { ...response, refuses: true } } : exchange;
}

/** As `marked`, by the host that answers: a client-data file is content, whatever its text says of refusals. */
export const markedFrom = (host: Host, form: RefusalForm | undefined, exchange: Exchange): Exchange =>
  host === 'cdn' ? exchange : marked(form, exchange);
