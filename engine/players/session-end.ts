// Tests whether a session is still alive, by a call with it and without it; and ends a session by logout.
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { differences } from '../compare/compare.ts';
import { requestOf } from '../http/ask.ts';
import type { Client } from '../http/client.ts';
import { type Exchange, statusOf } from '../http/exchange.ts';
import type { SessionEvidence } from '../target/session-transport.ts';
import { surroundingsOf, type Target } from '../target/target.ts';
import type { OrWhy } from '../values/or-why.ts';
import { is2xx } from '../values/status.ts';
import { switchPoint } from '../values/switch-points.ts';
import { formOf, type Written, write } from './body-template.ts';
import { next, type Session, signed } from './session.ts';
import { askerOf } from './session-proof.ts';

interface Life {
  readonly alive: boolean;
  /** The session that the answer gave to replace this one, if it did. */
  readonly next: Session | undefined;
}

/** Whether an answer shows a live session. Where statuses differ, only they count: a refusal may name its caller. */
export const isAnswered = switchPoint(
  (
    differs: SessionEvidence['differs'],
    answer: Exchange,
    withoutSession: Exchange,
    apart: ReadonlySet<string>,
  ) => (differs === 'status' ? statusOf(answer) !== statusOf(withoutSession) : apart.size > 0),
);

export type Liveness = (session: Session) => Promise<Life>;

/**
 * Returns a function that tests whether a session is still alive.
 * @param probe a read that answers differently with a session than without
 * @param differs `status` compares only statuses, since a refusal may name its caller
 */
export function createLiveness(
  client: Client,
  target: Target,
  probe: Operation,
  differs: SessionEvidence['differs'],
): Liveness {
  const ask = askerOf(client, target);
  return async (session) => {
    // In this order: two controls within one millisecond would hold the same time, which then looks like content.
    const first = await ask(probe);
    const answer = await ask(probe, session);
    const second = await ask(probe);
    const apart = differences(answer, first, differences(first, second));
    const alive = isAnswered(differs, answer, first, apart);
    return { alive, next: next(session, answer) };
  };
}

// A session after logout: a well-formed credential that is valid for nobody.
export type DeadSession = OrWhy<{ readonly session: Session }>;

interface EndSessionOptions {
  readonly client: Client;
  readonly target: Target;
  readonly liveness: Liveness;
  readonly session: Session | undefined;
}

/** Longest time until a logout takes effect. The prover makes it 0. */
export const logoutTakesEffectWithinMs = switchPoint(() => 5_000);
const pollEveryMs = 250;

/** The profile's body of a logout; the plain body where the profile has none, or one with an unknown value. */
function statedBody({ profile, parameters, runId }: Target, { playerId }: Session): Partial<Written> {
  const { body, contentType } = profile?.operations[areas.me.logout.id] ?? {};
  if (body === undefined) return {};
  const own = { ...parameters, 'player.id': playerId, unique: runId, now: new Date().toISOString() };
  const writing = write(formOf(body, 'profile', contentType), own);
  return writing.ok ? writing.written : {};
}

/** Logs a session out and waits until the target refuses it. */
export async function endSession(options: EndSessionOptions): Promise<DeadSession> {
  const { client, target, liveness, session: first } = options;
  if (first === undefined) return { ok: false, why: 'nobody could sign in' };
  const before = await liveness(first);
  const session = before.next ?? first;
  if (!before.alive) return { ok: false, why: 'the credential made no difference before the logout either' };
  const around = surroundingsOf(target, areas.me.logout);
  const ask = statedBody(target, session);
  const logout = await client.send(signed(requestOf(areas.me.logout, ask, around), session), { priority: 0 });
  const status = statusOf(logout);
  if (!is2xx(status))
    return { ok: false, why: `logout was answered ${status === 0 ? 'with a broken connection' : status}` };
  const until = Date.now() + logoutTakesEffectWithinMs();
  while (Date.now() < until && (await liveness(session)).alive)
    await new Promise((resolve) => setTimeout(resolve, pollEveryMs));
  return { ok: true, session };
}
