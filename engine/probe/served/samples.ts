// Gathers what the verdict of `routed` needs: the operation's answer, its controls, and a second sample where a 404 may
// mean an unknown resource.
import { areas } from '../../../catalog/catalog.ts';
import type { Host, Method, Operation } from '../../../catalog/operation.ts';
import { hasPlaceholder, segmentsOf, shadowOf } from '../../../catalog/path-templates.ts';
import { type GivenWords, pathInWords } from '../../../catalog/words.ts';
import { areOfOneKind } from '../../compare/contrast.ts';
import {
  type Answers,
  type Comparison,
  type ControlKind,
  compareWithControl,
  isAbsent,
  nameControls,
  type UnroutedNoise,
} from '../../compare/controls.ts';
import { isUnusableControl, noAnswer, silenceOf } from '../../compare/no-answer.ts';
import { type Ask, nobody, own } from '../../http/ask.ts';
import { allows, type Exchange, statusOf } from '../../http/exchange.ts';
import { once } from '../../values/once.ts';
import { isServerFault } from '../../values/status.ts';
import { redirectOf } from '../matchers/http-fields.ts';
import { jsonIn, saysNothing } from '../matchers/json.ts';
import { type FileContent, type Observation, open, type Routed } from './routed-table.ts';

/** Sends a control of an operation: its request on a path that has no route. Each `nth` is another call. */
export type Control = (operation: Operation, kind: ControlKind, nth: number, ask?: Ask) => Promise<Exchange>;
type Asker = (operation: Operation, ask?: Ask) => Promise<Exchange>;

/** Repeated failures of these calls may lock the caller out. */
const guarded: readonly Operation[] = [areas.auth.login, areas.general.redeem];

/**
 * The answers to a call, by number. A read, or a call that was not found, is sent again for each number; any other call
 * has its one answer each time.
 */
export function answersOf(ask: Asker, operation: Operation, answer: Exchange, put: Ask = {}): Answers {
  const repeats = mayRepeat(operation, answer);
  return async (nth) => (nth > 1 && repeats ? ask(operation, { ...put, nth }) : answer);
}

/** Repeats a call that met a server error, if it may: by chance such an error would differ from every control. */
async function askPastError(ask: Asker, operation: Operation, put: Ask = {}): Promise<Exchange> {
  const first = await ask(operation, put);
  if (!isServerFault(statusOf(first)) || !mayRepeat(operation, first)) return first;
  for (const nth of ['after an error', 'after two errors']) {
    const again = await ask(operation, { ...put, nth });
    if (!noAnswer(again) && !isServerFault(statusOf(again))) return again;
  }
  return first;
}

const mayRepeat = (operation: Operation, answer: Exchange) =>
  (isAbsent(answer) || operation.effect === 'read') && !guarded.includes(operation);

/** The number of the control that the operation's own caller sends; all others are shared, and sent by one player. */
const ownControl = 3;

/** Compares an operation's answer with one of its controls, both made by the same ask. */
export const compareWith = (
  control: Control,
  operation: Operation,
  kind: ControlKind,
  answers: Answers,
  ask?: Ask,
  noise?: () => Promise<UnroutedNoise>,
): Promise<Comparison> =>
  compareWithControl(
    answers,
    (nth) => {
      const isOwn = nth === ownControl && ask?.as === undefined;
      return control(operation, kind, nth, isOwn ? { ...ask, as: own } : ask);
    },
    noise,
  );

const samples = [1, 2, 3, 4] as const;

/** Whether the controls of an operation get one status and media type, however often they are sent. */
export async function isSteady(control: Control, operation: Operation): Promise<boolean> {
  const put = (['root', 'sibling'] as const).map(async (kind) => {
    const answers = await Promise.all(samples.map((nth) => control(operation, kind, nth)));
    const [first, ...others] = answers.filter((answer) => !isUnusableControl(answer));
    return others.every((other) => first === undefined || areOfOneKind(first, other));
  });
  return (await Promise.all(put)).every(Boolean);
}

/**
 * A second sample of an `id` or `state` operation whose 404 looks unrouted; one difference is enough.
 * Nothing here changes the target: a call without a credential, OPTIONS, a body cut off in the middle, GET.
 * @returns what showed that the operation is served, or undefined
 */
async function secondSample(
  ask: Asker,
  control: Control,
  operation: Operation,
  noise: () => Promise<UnroutedNoise>,
): Promise<string | undefined> {
  const allowed = async (method: 'OPTIONS' | 'GET') => {
    const other: Ask = { method, body: null };
    const [here, there] = await Promise.all([ask(operation, other), control(operation, 'tail', 1, other)]);
    return allows(here, operation.method) && !allows(there, operation.method) && !isUnusableControl(there)
      ? `404, but ${method} lists ${operation.method} in Allow here and not on unrouted paths`
      : undefined;
  };
  const cutOff = async () => {
    if (operation.method !== 'POST' && operation.method !== 'PUT') return undefined;
    const half: Ask = { body: '{"a":' };
    const [here, there] = await Promise.all([ask(operation, half), control(operation, 'tail', 1, half)]);
    return statusOf(here) === 400 && statusOf(there) !== 400 && !isUnusableControl(there)
      ? '404, but a body cut off in the middle is a 400 here and not on unrouted paths'
      : undefined;
  };
  const unsigned = async () => {
    const without: Ask = { as: nobody };
    const here = await askPastError(ask, operation, without);
    // A refusal of the method shows no route that takes it.
    if (isUnusableControl(here) || [405, 501].includes(statusOf(here))) return undefined;
    const answers = answersOf(ask, operation, here, without);
    const compared = await Promise.all(
      (['tail', 'root'] as const).map((kind) =>
        compareWith(control, operation, kind, answers, without, noise),
      ),
    );
    return compared.every(({ differs, failed }) => differs && failed === undefined)
      ? `404, but ${statusOf(here)} without a credential, unlike unrouted paths`
      : undefined;
  };
  return (
    (await unsigned()) ??
    (await allowed('OPTIONS')) ??
    (await cutOff()) ??
    (operation.method === 'GET' ? undefined : await allowed('GET'))
  );
}

// The sampler of one operation with its own controls: everything that the verdict needs except its area.

/** Why an operation is open, or the observation that its verdict needs, except for its area. */
export type Alone = Routed | Omit<Observation, 'areaIsDead'>;

/** With this many controls, two machines of which one answers a fifth of all calls are both met in 34 of 35 runs. */
const controlsOfWandering = 16;

/** What the sampler of a run needs from outside. */
export interface SamplerFacts {
  readonly ask: Asker;
  readonly control: Control;
  /** How the host's answers to controls vary by themselves. */
  readonly unrouted: (host: Host) => UnroutedNoise;
  /** Why nobody is signed in; undefined when somebody is. */
  readonly noSession: () => string | undefined;
  /** Words that count as right: operations whose path holds them are judged like any other. */
  readonly words: GivenWords | undefined;
}

/** What the operations of a host together show of its unrouted paths. */
export interface HostProof {
  /** Whether this host's answer to unrouted paths is proven to mean that there is no route. */
  readonly proven: (host: Host, method: Method) => Promise<boolean>;
  /** Whether unrouted paths of this host get the same answer, however often they are called. */
  readonly steady: (host: Host) => Promise<boolean>;
}

export function createSampler(
  { ask, control, noSession, words, unrouted }: SamplerFacts,
  { proven, steady }: HostProof,
): (operation: Operation) => Promise<Alone> {
  /** Sends the operation's path with another value where the shadowing template has its parameter. */
  const shadowControl =
    (shadow: Operation): Control =>
    (operation, _kind, nth, plain) => {
      const segments = pathInWords(operation, words).split('/');
      const at = segmentsOf(shadow).findIndex(hasPlaceholder);
      const other = segments
        .map((segment, index) => (index === at ? `assay-shadow-${nth}` : segment))
        .join('/');
      const query = Object.entries(operation.query)
        .map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
        .join('&');
      return askPastError(ask, operation, { ...plain, path: query === '' ? other : `${other}?${query}` });
    };

  /** Sends many controls before a call that must not be repeated: it meets one of maybe several machines. */
  const drawn = once(
    async (operation: Operation) => {
      await Promise.all(
        Array.from({ length: controlsOfWandering }, (_, at) => control(operation, 'root', at + 1)),
      );
    },
    ({ host }) => host,
  );

  return async (operation) => {
    const answer = await askPastError(ask, operation);
    if (noAnswer(answer)) return unanswered(answer);
    const status = statusOf(answer);
    const answers = answersOf(ask, operation, answer);
    const noise = async () => {
      await (mayRepeat(operation, answer) ? steady(operation.host) : drawn(operation));
      return unrouted(operation.host);
    };
    const beside = (kind: ControlKind) => compareWith(control, operation, kind, answers, undefined, noise);
    const shadow = shadowOf(operation);
    const [sibling, root, over] = await Promise.all([
      beside('sibling'),
      beside('root'),
      shadow && compareWith(shadowControl(shadow), operation, 'sibling', answers, undefined, noise),
    ]);
    const decided = status < 300 && sibling.differs && root.differs;
    const tail = decided ? sibling : await beside('tail');
    const named = isAbsent(answer) || !sibling.differs ? [] : nameControls(operation);
    const names = await Promise.all(named.map(beside));
    const compared = [sibling, root, tail, ...(over ? [over] : []), ...names];
    const failed = compared.find((each) => each.failed)?.failed;
    if (failed) return unanswered(failed);
    const unlike = sibling.differs && tail.differs && root.differs;
    const isProven = !unlike && status !== 404 && (await proven(operation.host, operation.method));
    const mayBeConforming = !unlike && operation.mayBe404 !== 'never' && (status === 404 || isProven);
    const showed = mayBeConforming ? await secondSample(ask, control, operation, noise) : undefined;
    return {
      status,
      mayBe404: operation.mayBe404,
      signedIn: noSession() === undefined,
      leaves: redirectOf(answer)?.away ?? false,
      differs: {
        sibling: sibling.differs,
        tail: tail.differs,
        root: root.differs,
        ...(over && { shadow: over.differs }),
        ...(names.length > 0 && { name: names.every(({ differs }) => differs) }),
      },
      ...(operation.host === 'cdn' && { holds: fileContent(answer) }),
      unstable: compared.some((each) => each.unstable) || !(await steady(operation.host)),
      proven: isProven,
      ...(showed !== undefined && { secondSample: showed }),
    };
  };
}

function fileContent({ response }: Exchange): FileContent {
  const parsed = response && response.status < 300 ? jsonIn(response) : { why: 'it is no success' };
  return 'value' in parsed && saysNothing(parsed.value) ? 'nothing' : 'something';
}

/** The verdict where the operation or a control got no answer; for a control, a 503 without Retry-After is none. */
function unanswered(exchange: Exchange): Routed {
  const { reason, why } = silenceOf(exchange) ?? {
    reason: 'rate-limited',
    why: `an unrouted path is answered ${exchange.response?.status}`,
  };
  return open(reason, why);
}
