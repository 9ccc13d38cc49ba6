// Sends forged tokens to a target, at its login or on reads, and judges by a later read whose account they open.
import type { StepContext } from '../../engine/flow/step-context.ts';
import { type Exchange, isSuccess, statusOf } from '../../engine/http/exchange.ts';
import { Stop, violation } from '../../engine/judgement.ts';
import { type Forgery, flipped, type Jwt } from '../../engine/players/forged-jwt.ts';
import { is5xx } from '../../engine/values/status.ts';
import { switchPoint } from '../../engine/values/switch-points.ts';
import { leaveMark } from '../login/session-marks.ts';

/**
 * The outcome of a token. `in`: a read shows the victim's data. `somebody-else`: it signs in, and a read is answered that
 * shows nothing of the victim. `unheard`: there was no answer, 429 or 5xx.
 */
type Attempt =
  | { readonly kind: 'in'; readonly evidence: Exchange }
  | { readonly kind: 'somebody-else' | 'refused' | 'unheard' };

/** Where forged tokens are sent: to the login, or as the session of a read. */
export interface EntryPoint {
  /** Good tokens: of a player of this run, and of the victim, whom the forged ones name. */
  readonly own: Jwt;
  readonly victim: Jwt;
  readonly attempt: (context: StepContext, token: string) => Promise<Attempt>;
  /** The outcome of a token whose signature was changed. */
  readonly whenChanged: Attempt['kind'];
  /** Whether the target lets such a token in. */
  readonly takesAny: boolean;
  /** Whether anybody can sign in as anybody here, so that accepting a forged token is no finding. */
  readonly isOpen: boolean;
  /** What a read shows to a token that is let in, in words. */
  readonly what: string;
  readonly byHand: string;
}

/** Makes forged tokens for an entry point. */
export type Forge = (
  entry: EntryPoint,
  context: StepContext,
) => readonly Forgery[] | Promise<readonly Forgery[]>;

/** Data that belongs to one player alone. */
export interface Kept {
  readonly read: (
    context: StepContext,
    role: string | undefined,
  ) => Promise<{ evidence: Exchange; shows: boolean }>;
  /** What a read shows of the data, in words. */
  readonly what: string;
}

/** Stores data of a player that none of the others is shown; ends the step where one of them is. */
export async function keepFor(
  context: StepContext,
  role: string,
  others: readonly (string | undefined)[],
): Promise<Kept> {
  const mark = await leaveMark(context, role);
  const read: Kept['read'] = async (as, reader) => {
    const evidence = await as.send(reader, mark.operation);
    return { evidence, shows: isSuccess(evidence) && as.mentions(evidence, mark.value) };
  };
  for (const other of others)
    if ((await read(context, other)).shows)
      context.cannotTell(
        'needs-state',
        `not exercised: ${mark.operation.id} shows ${mark.what} to others too`,
      );
  return { read, what: `${mark.operation.id} shows ${mark.what}` };
}

/** The login tokens of the roles `own` and `victim`. */
export async function tokensOf(context: StepContext): Promise<readonly [string, string]> {
  const [own, victim] = await Promise.all(['own', 'victim'].map((role) => context.player(role).token()));
  return [own ?? '', victim ?? ''];
}

interface Tried {
  readonly found?: { readonly what: string; readonly evidence: Exchange };
  /** How many tokens were answered and opened nothing of the victim's. */
  readonly refused: number;
  /** The refused tokens that signed somebody else in, in words. */
  readonly others: readonly string[];
}

/** Tries tokens one by one until one gets in. Returns that one, and the outcomes of those before it. */
export async function firstLetIn(
  context: StepContext,
  attempt: EntryPoint['attempt'],
  forgeries: readonly Forgery[],
): Promise<Tried> {
  let refused = 0;
  const others: string[] = [];
  for (const { what, token } of forgeries) {
    const { kind, ...tried } = await attempt(context, token);
    if (kind === 'refused' || kind === 'somebody-else') refused += 1;
    if (kind === 'somebody-else') others.push(what);
    if ('evidence' in tried) return { found: { what, evidence: tried.evidence }, refused, others };
  }
  return { refused, others };
}

/**
 * Tries the forged tokens at an entry point.
 * @param looksElsewhere whether a target that verifies no signature refuses another wrong claim of the same kind: then
 * it accepts this token by mistake
 */
export async function expectRefused(
  context: StepContext,
  entry: EntryPoint,
  forgeries: readonly Forgery[],
  looksElsewhere: () => Promise<boolean> = async () => false,
): Promise<void> {
  const { attempt, isOpen } = entry;
  const { found, refused, others } = await firstLetIn(context, attempt, forgeries);
  if (found === undefined) {
    if (refused === 0) context.cannotTell('rate-limited', 'not exercised: no attempt was answered');
    if (others.length > 0) return context.observe(asSomebodyElse(others));
    context.note(`refused: ${forgeries.map(({ what }) => what).join('; ')}`);
    return;
  }
  if (letsAnybodyIn(isOpen) && !(await looksElsewhere()))
    return context.observe(`accepted, since no signature is verified: ${found.what}`, found.evidence);
  throw accepted(entry, found.what, found.evidence);
}

/**
 * Where no signature is verified, that is reported once: a further token that is let in is no finding of its own. The
 * prover replaces this by `false`.
 */
export const letsAnybodyIn = switchPoint((isOpen: boolean) => isOpen);

/** The Stop for a token that was let in. @param what how it was made, in words */
export const accepted = ({ what: shown, byHand }: EntryPoint, what: string, evidence: Exchange): Stop =>
  new Stop({
    ...violation(
      'a token that is refused, or that is nobody',
      `a token with ${what} is let in, and then ${shown}`,
      evidence,
    ),
    byHand: `ASSAY_SESSION: ${byHand} with ${what}`,
  });

/** Returns how the attempt to read with a token ended. */
export function attemptOf({ evidence, shows }: Awaited<ReturnType<Kept['read']>>): Attempt {
  if (shows) return { kind: 'in', evidence };
  const status = statusOf(evidence);
  return { kind: status === 0 || status === 429 || is5xx(status) ? 'unheard' : 'refused' };
}

/** Tries tokens with a changed signature: where one is let in, no signature is verified. */
export async function signatureChanged(
  context: StepContext,
  attempt: EntryPoint['attempt'],
  jwt: Jwt,
): Promise<Pick<EntryPoint, 'whenChanged' | 'takesAny'>> {
  const { found, refused, others } = await firstLetIn(context, attempt, flipped(jwt));
  if (found === undefined && refused === 0)
    context.cannotTell('rate-limited', 'not exercised: a changed signature was not answered');
  const whenChanged = found ? 'in' : others.length > 0 ? 'somebody-else' : 'refused';
  return { whenChanged, takesAny: whenChanged === 'in' };
}

/** Words for tokens that are not refused and open no victim's account: they sign somebody else in. */
export const asSomebodyElse = (others: readonly string[]): string =>
  `signs in as somebody else: ${others.join('; ')}`;

/** Ends the step where no signatures are verified: only a target that verifies them shows which key it uses. */
export function requireVerifying(context: StepContext, entry: EntryPoint): void {
  if (entry.takesAny) context.notTriggered('no signature is verified here, so no key is used');
}
