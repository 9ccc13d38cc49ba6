// Names two players or things in one call, where its body has a list, and checks that the call has its effect on both.
import type { Operation } from '../../catalog/operation.ts';
import { waitForCopies } from '../compare/noise.ts';
import type { Exchange } from '../http/exchange.ts';
import { cannotTell, Stop } from '../judgement.ts';
import { forTwo, secondOf } from '../players/body-template.ts';
import { placesOf } from './places.ts';
import type { StepContext } from './step-context.ts';
import { ignoreStop } from './why-refused.ts';

type Two<Value> = readonly [Value, Value];
type Nth = 0 | 1;

interface CallForTwo {
  readonly operation: Operation;
  /** The placeholder that stands for the id of each in a body. */
  readonly name: string;
  readonly ids: Two<string | number>;
  /** Returns whether the effect shows on the first (0) or on the second (1). */
  readonly has: (nth: Nth) => Promise<boolean>;
  /** Makes the call for one of them alone, where that takes more than the call itself. */
  readonly alone?: (nth: Nth) => Promise<unknown>;
  /** A read from before a call that removes both: an answer that lists one in the same place refuses nobody. */
  readonly listedIn?: Exchange;
}

export interface DoneForTwo extends Pick<CallForTwo, 'operation' | 'ids' | 'listedIn'> {
  /** The answer that accepted it, or why it was not sent or not accepted. */
  readonly answer: Exchange | Stop;
  readonly had: Two<boolean>;
  /** Whether a call for the one that was left out, alone, has its effect. */
  readonly hasAlone: boolean;
}

/** Whether the accepted body names both: where a list was refused, a body that names one may have been accepted. */
function namesBoth({ request: { body = '' } }: Exchange, ids: Two<string | number>): boolean {
  const sent = typeof body === 'string' ? body : new TextDecoder().decode(body);
  return ids.every((id) => sent.includes(JSON.stringify(String(id)).slice(1, -1)));
}

/**
 * Calls an operation once for two, with a body that has a list. Where only one is affected, the target has understood
 * the list; a call for the other one alone then shows whether it could be affected, too.
 */
export async function doneForTwo<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  { operation, name, ids, has, alone, listedIn }: CallForTwo,
): Promise<DoneForTwo> {
  const call = async () => {
    if (!context.forms(operation).some((form) => forTwo(form, name)))
      context.notTriggered(`no body of ${operation.id} names several`);
    const carry = { [name]: ids[0], [secondOf(name)]: ids[1] };
    const answer = await context.mustSucceed(role, operation, {
      carry,
      mayRefuse: `${operation.id} with two named`,
    });
    if (namesBoth(answer, ids)) return answer;
    throw cannotTell('needs-body', `no body of ${operation.id} that names two was accepted`, answer);
  };
  const answer = await call().catch((error: unknown) => {
    ignoreStop(error);
    const { judgement } = error as Stop;
    // A violation that does not come from naming two is judged by the step that names one.
    return judgement.kind === 'violation'
      ? cannotTell('needs-body', `with two named, ${judgement.actual} came for ${judgement.expected}`)
      : (error as Stop);
  });
  const done = { operation, ids, answer, ...(listedIn && { listedIn }) };
  if (answer instanceof Stop) return { ...done, had: [false, false], hasAlone: false };
  const atFirst: Two<boolean> = [await has(0), await has(1)];
  if (atFirst[0] === atFirst[1]) return { ...done, had: atFirst, hasAlone: atFirst[0] };
  // A lagging replica, from before one of them was added, shows that one as gone, too.
  await waitForCopies(context);
  const had: Two<boolean> = [await has(0), await has(1)];
  if (had[0] === had[1]) return { ...done, had, hasAlone: had[0] };
  const lacking = had[0] ? 1 : 0;
  await (alone?.(lacking) ?? context.mustSucceed(role, operation, { carry: { [name]: ids[lacking] } }));
  return { ...done, had, hasAlone: await has(lacking) };
}

/** Expects that a call had its effect on both that it named. @param what the effect in words: `are in the list` */
export function expectBoth(
  context: Pick<StepContext, 'cannotTell' | 'expect' | 'notTriggered' | 'confirmBody'>,
  { operation, ids, answer, had, hasAlone, listedIn }: DoneForTwo,
  what: string,
): void {
  if (answer instanceof Stop) throw answer;
  if (!had[0] && !had[1])
    context.cannotTell(
      'needs-body',
      `${operation.id} took a body that names two, and did nothing for either`,
    );
  context.confirmBody(operation);
  if (had[0] && had[1]) return;
  const [one, other] = (had[0] ? ids.toReversed() : ids).map(String);
  if (namesApart(answer, one, other, listedIn))
    context.notTriggered(`the answer of ${operation.id} names whom it leaves out in a place of their own`);
  if (!hasAlone)
    context.cannotTell('needs-state', `${operation.id} for the other one alone has no effect either`);
  context.expect(
    false,
    `both that one call of ${operation.id} names ${what}`,
    'one of them alone; the other one too, once a call names no other',
    answer,
  );
}

/** Whether an answer names `one` in a place where it does not name `other`: as refused, or as not done yet. */
function namesApart(answer: Exchange, one = '', other = '', listedIn?: Exchange): boolean {
  const usual = [placesOf(answer, other), ...(listedIn ? [placesOf(listedIn, one)] : [])];
  return [...placesOf(answer, one).keys()].some((path) => !usual.some((places) => places.has(path)));
}
