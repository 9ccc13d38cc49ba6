// Finds which credential of a login's answer is a session: tries each candidate against a control and a spoiled copy,
// then finds out whether it changes with every answer and needs a CSRF header.
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { differences } from '../compare/compare.ts';
import { requestOf } from '../http/ask.ts';
import type { Client } from '../http/client.ts';
import { type Exchange, isSuccess, refusesInBody, statusOf, text } from '../http/exchange.ts';
import type { SessionEvidence } from '../target/session-transport.ts';
import { surroundingsOf, type Target } from '../target/target.ts';
import { combined, next, type Session, signed, spoiled } from './session.ts';
import type { Candidates } from './session-token.ts';

/** The exchange without echoes of the credential in its answer: an echo proves nothing. */
export function withoutEcho(exchange: Exchange, { credentials, query = [], secrets }: Session): Exchange {
  const { response } = exchange;
  if (!response) return exchange;
  const pieces = [...[...credentials, ...query].map(([, value]) => value), ...secrets].sort(
    (a, b) => b.length - a.length,
  );
  const body = text(response);
  const masked = pieces.reduce((masked, piece) => replaced(masked, piece, '‹credential›'), body);
  if (masked === body) return exchange;
  return { ...exchange, response: { ...response, body: new TextEncoder().encode(masked) } };
}

/** Longer pieces use our own search: the engine's takes quadratic time where both texts repeat one letter. */
const longestNative = 64;

/** The text with a mark in place of each occurrence of a piece, in time linear in both (Knuth, Morris and Pratt). */
function replaced(within: string, piece: string, mark: string): string {
  if (piece.length <= longestNative) return within.replaceAll(piece, mark);
  if (piece.length > within.length) return within;
  const back = failures(piece);
  const parts: string[] = [];
  let from = 0;
  let matched = 0;
  for (let at = 0; at < within.length; at += 1) {
    const code = within.charCodeAt(at);
    while (matched > 0 && piece.charCodeAt(matched) !== code) matched = back[matched - 1] as number;
    if (piece.charCodeAt(matched) === code) matched += 1;
    if (matched < piece.length) continue;
    parts.push(within.slice(from, at + 1 - piece.length));
    from = at + 1;
    matched = 0;
  }
  return from === 0 ? within : `${parts.join(mark)}${mark}${within.slice(from)}`;
}

/** For each prefix of a piece, the length of the longest shorter prefix that it ends with. */
function failures(piece: string): Uint32Array {
  const back = new Uint32Array(piece.length);
  let length = 0;
  for (let at = 1; at < piece.length; at += 1) {
    const code = piece.charCodeAt(at);
    while (length > 0 && piece.charCodeAt(length) !== code) length = back[length - 1] as number;
    if (piece.charCodeAt(length) === code) length += 1;
    back[at] = length;
  }
  return back;
}

// What a proven session may need besides: its next value from every answer, or a CSRF header beside its cookie.

/**
 * Tests whether a session changes with every answer: the new one works, and the old one does not. Tries the new one
 * first: a target may end all of a player's sessions when an old one comes back.
 * @param following the session that the answer to `used` gave, if it did
 */
async function settled(
  ask: Ask,
  operation: Operation,
  used: Session,
  following: Session | undefined,
): Promise<Pick<Proven, 'session' | 'rotates'>> {
  const stays = { session: used, rotates: false };
  if (!following) return stays;
  const answer = await ask(operation, following);
  if (!isSuccess(answer)) return stays;
  const newest = next(following, answer) ?? following;
  return isSuccess(await ask(operation, used)) ? stays : { session: newest, rotates: true };
}

/** Calls other than GET that change nothing and need neither identifier nor body. */
const harmless: readonly Operation[] = [
  areas.extensions.playerLevel,
  areas.extensions.needMigration,
  areas.extensions.bundles,
];
/** Statuses that refuse a call whose cookie comes without the CSRF header. */
const refusals = new Set([400, 401, 403, 419]);
const mostTried = 16;

/**
 * Finds the header that calls which change something require beside the cookie; reads may do without it.
 * A value is kept only where such a call is accepted with it, and neither without it nor with a spoiled one.
 */
async function withCsrf(ask: Ask, proven: Proven, values: readonly Session[]): Promise<Proven> {
  const { session, rotates } = proven;
  if (session.transport.kind !== 'cookie' || rotates || values.length === 0) return proven;
  for (const operation of harmless) {
    const alone = await ask(operation, session);
    if (isSuccess(alone)) return proven;
    if (!refusals.has(statusOf(alone)) && !refusesInBody(alone)) continue;
    const tried = values.slice(0, mostTried).map(async (value) => {
      const both = combined(session, value);
      return { value, both, answer: await ask(operation, both) };
    });
    for (const { value, both, answer } of await Promise.all(tried)) {
      if (!isSuccess(answer)) continue;
      if (isSuccess(await ask(operation, combined(session, spoiled(value))))) continue;
      return { ...proven, ...(await settled(ask, operation, both, next(both, answer))) };
    }
  }
  return proven;
}

// A candidate is a session when an operation answers it differently from both the call without it and the call with a
// spoiled one.

/** Sends a call with or without a session. Never rejects. */
export type Ask = (operation: Operation, session?: Session) => Promise<Exchange>;

export function askerOf(client: Client, target: Target): Ask {
  return (operation, session) => {
    const request = requestOf(operation, {}, surroundingsOf(target, operation));
    return client.send(session ? signed(request, session) : request, { priority: 0 });
  };
}

interface Proven {
  readonly kind: 'proven';
  /** The session's current value. */
  readonly session: Session;
  /** Every answer gives the next session and ends the one that was sent. */
  readonly rotates: boolean;
  readonly evidence: SessionEvidence;
}

/** Reads that need neither identifier nor body and are about the player, the likeliest guarded first. */
const probes: readonly Operation[] = [
  areas.me.location,
  areas.general.currencies,
  areas.general.inventories,
  areas.playerName.get,
  areas.party.details,
  areas.messages.list,
  areas.onboarding.get,
  areas.players.blocked,
];

interface Control {
  readonly operation: Operation;
  readonly without: Exchange;
}

/** Calls each probe once without a session, except those that the profile leaves out. */
export function controls(ask: Ask, { profile }: Pick<Target, 'profile'>): Promise<Control[]> {
  const called = probes.filter(({ id }) => !profile?.omitted.has(id));
  return Promise.all(called.map(async (operation) => ({ operation, without: await ask(operation) })));
}

/** Most candidates that are tried at the first probe, the second and so on, since a login's answer may hold many. */
const widths = { usual: [24, 12, 6, 3, 3, 3, 3, 3], rarer: [16, 6, 3], derived: [24] };

type Proof =
  | Proven
  /** A credential makes a difference, but a spoiled one works as well. */
  | { readonly kind: 'any-credential'; readonly evidence: SessionEvidence };

/** Returns the first candidate that is a session: tries each alone, then the cookies together with each token. */
export async function proveSession(
  ask: Ask,
  found: readonly Control[],
  { usual, rarer, derived, besideCookies }: Candidates,
): Promise<Proof | undefined> {
  const cookies = usual.find(({ transport }) => transport.kind === 'cookie');
  const withCookies = (others: readonly Session[]) =>
    cookies ? others.filter((each) => each !== cookies).map((each) => combined(cookies, each)) : [];
  const guarded = found.filter(({ without }) => isAnswer(without)).sort((a, b) => openness(a) - openness(b));
  const open = guarded.filter(({ without }) => statusOf(without) < 300).slice(0, 4);
  const stages = [usual, withCookies(usual), rarer, withCookies(besideCookies)];
  let credulous: Proof | undefined;
  for (const stage of stages) {
    const proof = await byStatus(ask, guarded, stage, stage === usual ? widths.usual : widths.rarer);
    if (proof?.kind === 'proven') return withCsrf(ask, proof, besideCookies);
    credulous ??= proof;
  }
  const named = await byStatus(ask, guarded, await changing(ask, guarded, derived), widths.derived);
  if (named?.kind === 'proven') return withCsrf(ask, named, besideCookies);
  credulous ??= named;
  for (const stage of stages) {
    const proven = await byContent(ask, open, stage);
    if (proven) return proven;
  }
  return credulous;
}

/**
 * Returns the derived sessions that are worth trying one by one. They are many, so all headers for one value are sent
 * together first: where that does not change the status, none of them is worth trying.
 */
async function changing(
  ask: Ask,
  [first]: readonly Control[],
  derived: readonly Session[],
): Promise<readonly Session[]> {
  if (first === undefined) return [];
  const isScheme = ({ transport }: Session) => transport.kind === 'bearer';
  const byValue = Map.groupBy(
    derived.filter((session) => !isScheme(session)),
    ({ secrets: [value] }) => value,
  );
  const kept = await Promise.all(
    Array.from(byValue.values(), async (sessions) => {
      const answer = await ask(first.operation, combined(...(sessions as [Session])));
      return isAnswer(answer) && statusOf(answer) !== statusOf(first.without) ? sessions : [];
    }),
  );
  return [...kept.flat(), ...derived.filter(isScheme)];
}

async function byStatus(
  ask: Ask,
  guarded: readonly Control[],
  candidates: readonly Session[],
  widths: readonly number[],
): Promise<Proof | undefined> {
  // Where a session changes with every answer, each try ends it, so its successor is tried next.
  const current = [...candidates];
  let weaker: Proven | undefined;
  let credulous: Proof | undefined;
  for (const [nth, { operation, without }] of guarded.entries()) {
    const tried = current.slice(0, widths[nth] ?? 0).map(async (session, at) => {
      const answer = await ask(operation, session);
      const following = next(session, answer);
      if (following) current[at] = following;
      return { session, answer, following };
    });
    const telling = (await Promise.all(tried))
      .filter(({ answer }) => isAnswer(answer) && statusOf(answer) < 500)
      .filter(({ answer }) => statusOf(answer) !== statusOf(without))
      .sort((a, b) => worth(a.answer) - worth(b.answer));
    for (const { session, answer, following } of telling) {
      const [wrong, again] = await Promise.all([ask(operation, spoiled(session)), ask(operation)]);
      if (!isAnswer(wrong)) continue;
      if (statusOf(again) !== statusOf(without)) break;
      const evidence = evidenceOf(operation, without, wrong, answer, 'status');
      if (statusOf(wrong) === statusOf(answer)) {
        if (worth(answer) === 0) credulous ??= { kind: 'any-credential', evidence };
        continue;
      }
      const proven: Proven = { kind: 'proven', session, rotates: false, evidence };
      if (worth(answer) === 0) return { ...proven, ...(await settled(ask, operation, session, following)) };
      weaker ??= proven;
    }
  }
  return weaker ?? credulous;
}

/** Rounds per candidate. Where two machines answer by chance, one round in 32 looks like a difference. */
const contentRounds = 4;

/** For a target that answers 200 to everybody: the content must differ in every round, more than it does by itself. */
async function byContent(
  ask: Ask,
  open: readonly Control[],
  candidates: readonly Session[],
): Promise<Proven | undefined> {
  for (const { operation } of open) {
    const rounds = candidates.slice(0, 3).map(async (session) => {
      for (let round = 1; round < contentRounds; round += 1)
        if (!(await contentRound(ask, operation, session))) return undefined;
      const last = await contentRound(ask, operation, session);
      return last && (await repeatsWhatIsSent(ask, operation, session)) ? undefined : last;
    });
    const proven = (await Promise.all(rounds)).find((each) => each !== undefined);
    if (proven) return proven;
  }
  return undefined;
}

/** Whether two wrong credentials get different contents: the content then depends on the request, not on its sender. */
async function repeatsWhatIsSent(ask: Ask, operation: Operation, session: Session): Promise<boolean> {
  const put = async (wrong: Session) => withoutEcho(await ask(operation, wrong), wrong);
  const [one, other] = [spoiled(session), spoiled(session, 2)];
  const [first, again, second] = [await put(one), await put(one), await put(other)];
  return differences(first, second, differences(first, again)).size > 0;
}

/** Sends the control, call, spoiled call, call and control in this order, so that a change over time shows. */
async function contentRound(ask: Ask, operation: Operation, session: Session): Promise<Proven | undefined> {
  const wrongSession = spoiled(session);
  const without = await ask(operation);
  const answer = withoutEcho(await ask(operation, session), session);
  const wrong = withoutEcho(await ask(operation, wrongSession), wrongSession);
  const answerAgain = withoutEcho(await ask(operation, session), session);
  const withoutAgain = await ask(operation);
  const all = [without, answer, wrong, answerAgain, withoutAgain];
  if (!all.every(isAnswer)) return undefined;
  const unstable = new Set([...differences(without, withoutAgain), ...differences(answer, answerAgain)]);
  const differs = (other: Exchange) => differences(answer, other, unstable).size > 0;
  if (!differs(without) || !differs(wrong)) return undefined;
  const evidence = evidenceOf(operation, without, wrong, answer, 'content');
  return { kind: 'proven', session, rotates: false, evidence };
}

function evidenceOf(
  { id }: Operation,
  without: Exchange,
  wrong: Exchange,
  answer: Exchange,
  differs: SessionEvidence['differs'],
): SessionEvidence {
  const statuses = { without: statusOf(without), spoiled: statusOf(wrong), with: statusOf(answer) };
  return { operation: id, ...statuses, differs };
}

/** Whether an exchange shows anything about the credential: no answer, 429 and 503 do not. */
const isAnswer = (exchange: Exchange) => ![0, 429, 503].includes(statusOf(exchange));
/** Operations that refuse anonymous callers are tried before those that anybody may read. */
const openness = ({ without }: Control) => ([401, 403].includes(statusOf(without)) ? 0 : 1);
/** The rank of an answer to a candidate: 0 for a success, 1 for other answers, 2 for a refusal. Lower proves more. */
const worth = (answer: Exchange) => {
  const status = statusOf(answer);
  if (status < 300) return 0;
  return [400, 401, 403].includes(status) ? 2 : 1;
};
