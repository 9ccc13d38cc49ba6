// A rule rehearsed without a target: a script answers what it asks. For the tests of rules.
import { type Operation, parametersOf } from '../../catalog/operation.ts';
import { type Ask, keyOf, requestOf } from '../../engine/http/ask.ts';
import type {
  Exchange,
  Headers,
  Response,
  TransportError,
  TransportKind,
} from '../../engine/http/exchange.ts';
import type { InconclusiveReason, Judgement, NotApplicableReason } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';

/** What the script says to one ask; a `TransportKind` alone breaks the connection. Default: 200 with no body. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text as it stands, bytes as they stand, anything else as JSON with its media type. */
  readonly body?: unknown;
  readonly wire?: Partial<Response['wire']>;
  readonly error?: TransportKind | Omit<TransportError, 'message'>;
  /** Default: 1. */
  readonly durationMs?: number;
}

/** A sample of a rule has its number for `nth`, the first being 1. */
export type Script = (ask: Omit<Ask, 'nth'> & { readonly nth?: number }, operation: Operation) => Answer;

const numbered = ({ nth, ...ask }: Ask) => ({
  ...ask,
  ...(nth !== undefined && { nth: typeof nth === 'number' ? nth : Number(nth.split(' ').at(-1)) + 2 }),
});

/** Rules play no flows; what the profile states is stated by `facts`. */
const noFlows = {
  accepts: () => undefined,
  spoken: () => false,
  forms: () => [],
  stated: () => true,
} as unknown as Context['flows'];

/** A judgement in one word: its reason where it has one. */
export type Told = 'pass' | 'violation' | 'warning' | 'observed' | InconclusiveReason | NotApplicableReason;

export interface Rehearsed {
  readonly judgement: Judgement;
  readonly told: Told;
  /** What was asked, each exchange once, in order. */
  readonly asked: readonly Ask[];
}

/**
 * Has a rule judge an operation on a served row of a signed-in player. Equal asks share one answer, as in a run.
 * @param facts what this rehearsal's context says otherwise
 */
export async function rehearse(
  rule: Rule,
  operation: Operation,
  script: Script,
  facts: Partial<Context> = {},
): Promise<Rehearsed> {
  const asked: Ask[] = [];
  const shared = new Map<string, Exchange>();
  const ask = async (row: Operation, put: Ask = {}): Promise<Exchange> => {
    const key = keyOf(row, { ...put, as: put.as ?? 'main' });
    const known = shared.get(key);
    if (known) return known;
    asked.push(put);
    const made = exchangeOf(row, put, script(numbered(put), row));
    shared.set(key, made);
    return made;
  };
  const context: Context = {
    ask,
    unknownIds: async () => [],
    routed: async () => ({ served: true, why: 'rehearsed' }),
    noSession: () => undefined,
    takesSession: (host) => host === 'base',
    wall: () => 'nothing is known of the session there',
    isPlayer: (id) => id.startsWith('player-'),
    crowded: () => false,
    given: () => true,
    unreachable: () => undefined,
    lost: () => undefined,
    incidents: () => [],
    unmatched: () => [],
    latency: () => ({}),
    inVain: () => 0,
    deadSession: async () => ({ ok: true }),
    rawProbe: async () => ({ findings: [] }),
    pause: async () => {},
    seed: '1',
    host: () => host,
    ambient,
    ambientGiven: new Set(Object.keys(ambient)),
    stated: () => undefined,
    flows: noFlows,
    ...facts,
  };
  const judgement = await rule.judge(operation, context);
  return { judgement, told: tell(judgement), asked };
}

function tell(judgement: Judgement): Told {
  if (judgement.kind === 'violation') return judgement.onlyWarns ? 'warning' : 'violation';
  return 'reason' in judgement ? judgement.reason : judgement.kind;
}

const host = 'http://target.test';
const ambient = { CDN_ROOT_FOLDER_PATH: 'root', gameVersion: '1.0', versionPattern: '1' };

/** An exchange as the client would have made it. */
export function exchangeOf(operation: Operation, ask: Ask, answer: Answer): Exchange {
  const params = Object.fromEntries(parametersOf(operation).map((name) => [name, `assay-${name}`]));
  const signedIn: Headers = ask.as?.startsWith('(') ? [] : [['authorization', `Bearer ${ask.as ?? 'main'}`]];
  const request = requestOf(operation, ask, { host, ambient, params, headers: signedIn });
  const { durationMs = 1 } = answer;
  const about = { request, startedAt: 0, durationMs, attempts: 1, waits: 0 };
  if (answer.error === undefined) return { ...about, response: responseOf(answer) };
  const error =
    typeof answer.error === 'string' ? { kind: answer.error, reusedConnection: false } : answer.error;
  return { ...about, error: { message: `${request.method} ${request.url}: ${error.kind}`, ...error } };
}

/** A response as the client would have made it. */
function responseOf({ status = 200, headers = {}, body = '', wire }: Answer): Response {
  const asItStands = typeof body === 'string' || body instanceof Uint8Array;
  const bytes =
    body instanceof Uint8Array
      ? body
      : new TextEncoder().encode(asItStands ? String(body) : JSON.stringify(body));
  const typed: Readonly<Record<string, string>> = asItStands
    ? headers
    : { 'content-type': 'application/json', ...headers };
  return {
    status,
    headers: Object.entries(typed).map(([name, value]) => [name.toLowerCase(), value] as const),
    body: bytes,
    wire: { bytes: bytes.length, ...wire },
  };
}
