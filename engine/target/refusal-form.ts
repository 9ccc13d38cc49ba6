// Learns how a target says in a body that it refuses a call, where it may say so with a success status; and finds such answers.
import { type Exchange, isSuccess, jsonValue, statusOf } from '../http/exchange.ts';
import { isObject } from '../values/json-walk.ts';
import { is2xx, is4xx } from '../values/status.ts';
import { switchPoint } from '../values/switch-points.ts';
import { letters } from '../values/text.ts';

/** A member at the root of every answer that stands otherwise where a call is refused. Plain data. */
export interface Sign {
  readonly name: string;
  /** How it stands in every success. */
  readonly done: string;
  /** How it stands in a refusal; absent: filled, in any way but that of a success. */
  readonly refused?: string;
}
/** An answer that shows all of these signs refuses its call. */
export type RefusalForm = readonly Sign[];

const filled = 'filled';
const mostMembers = 32;
const longestWord = 40;

/** How each member at the root stands: short scalars by their value, anything else only as there or empty. */
function standings(exchange: Exchange): ReadonlyMap<string, string> | undefined {
  const root = jsonValue(exchange);
  if (!isObject(root)) return undefined;
  return new Map(membersOf(root).map(([name, value]) => [name, standing(value)]));
}

const membersOf = (root: object): [string, unknown][] => Object.entries(root).slice(0, mostMembers);

function standing(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0 ? 'empty' : filled;
  const text = JSON.stringify(value) ?? 'null';
  if (text === '""') return 'empty';
  return text.length > longestWord ? filled : text;
}

const saysMore = (how: string) => how === filled || how.startsWith('"');
const isNothing = (how: string) => how === 'null' || how === 'empty';
const isNumber = (how: string) => /^-?\d/.test(how);
const isFlag = (how: string) => how === 'true' || how === 'false';

/** Successes of different calls that it takes: a sign-in and the read that proves its session may be all that is seen. */
const fewestDone = 2;

type Standings = ReadonlyMap<string, string>;

export interface RefusalWatch {
  /** Takes in an answer of the main API; returns it marked by what is known so far. */
  readonly note: (exchange: Exchange) => Exchange;
  /** Undefined where no member is known to say it. */
  readonly form: () => RefusalForm | undefined;
}

/** Learns from answers whose status says whether the call was done. */
export function createRefusalWatch(): RefusalWatch {
  const done = new Map<string, Standings>();
  const refused = new Map<string, Standings>();
  const form = () => {
    const signs = signsOf([...done.values()], [...refused.values()]);
    return signs.some(isSure) ? signs : undefined;
  };
  return {
    form,
    note(exchange) {
      const answer = marked(form(), exchange);
      const status = statusOf(answer);
      const into = isSuccess(answer) ? done : is4xx(status) && status !== 429 ? refused : undefined;
      const seen = into && standings(answer);
      const { method, url } = answer.request;
      if (into && seen) into.set(`${status} ${method} ${url.replace(/[?#].*/s, '')}`, seen);
      return answer;
    },
  };
}

/** Answers of a form of their own, such as that of a path without a route, say nothing of the others. */
function signsOf(done: readonly Standings[], refused: readonly Standings[]): Sign[] {
  const alike = (one: Standings, others: readonly Standings[]) =>
    others.some((other) => [...one.keys()].some((name) => other.has(name)));
  const successes = done.filter((answer) => alike(answer, refused));
  const refusals = refused.filter((answer) => alike(answer, successes));
  const [first] = successes;
  if (first === undefined || successes.length < fewestDone) return [];
  return [...first.keys()].flatMap((name) =>
    signOf(name, new Set(successes.map(at(name))), refusals.map(at(name))),
  );
}

const at = (name: string) => (answer: Standings) => answer.get(name);

function signOf(
  name: string,
  inDone: ReadonlySet<string | undefined>,
  inRefused: readonly (string | undefined)[],
): Sign[] {
  const [done, ...others] = inDone;
  const [first, ...further] = inRefused;
  if (done === undefined || others.length > 0 || first === undefined) return [];
  if (inRefused.some((how) => how === undefined || how === done)) return [];
  const isOne = further.every((how) => how === first);
  const isExact = isFlag(first) || isNothing(first) || (further.length > 0 && !isNumber(first));
  if (isOne && isExact) return [{ name, done, refused: first }];
  return inRefused.some((how) => how === undefined || isNothing(how)) ? [] : [{ name, done }];
}

/** A text may differ from call to call for any reason, and a success may hold nothing: neither says by itself that a call was refused. */
const isSure = ({ done, refused = filled }: Sign): boolean =>
  (isFlag(done) && isFlag(refused)) ||
  isNumber(done) ||
  (isNothing(done) && !isNothing(refused)) ||
  refused.startsWith('"');

/** Whether an answer shows the signs of a refusal, and none of a success. */
function showsRefusal(form: RefusalForm, exchange: Exchange): boolean {
  const seen = standings(exchange);
  return form.every(({ name, done, refused }) => {
    const how = seen?.get(name);
    if (how === undefined || how === done) return false;
    return refused === undefined ? !isNothing(how) : how === refused;
  });
}

const flags = /^(is)?(ok|success|successful|succeeded)$/;
const errors = /^(errors?|failure|fault)$/;

/**
 * Whether an answer says in the words of many APIs that it refuses: `{"ok": false}`, `{"error": {…}}`. A target may show no
 * form of its own: each of its refusals has a status of success, or is one of a path without a route.
 */
function saysError(exchange: Exchange): boolean {
  const root = jsonValue(exchange);
  if (!isObject(root)) return false;
  return membersOf(root).some(([name, value]) => {
    const word = letters(name);
    if (flags.test(word)) return value === false;
    return errors.test(word) && saysMore(standing(value));
  });
}

export const refusesInBody = switchPoint(
  (form: RefusalForm | undefined, exchange: Exchange): boolean =>
    saysError(exchange) || (form !== undefined && showsRefusal(form, exchange)),
);

/** The answer, marked where it says in its body that it refuses, though its status is one of success. */
export function marked(form: RefusalForm | undefined, exchange: Exchange): Exchange {
  const { response } = exchange;
  if (response === undefined || !is2xx(response.status)) return exchange;
  return refusesInBody(form, exchange) ? { ...exchange, response: { ...response, refuses: true } } : exchange;
}
