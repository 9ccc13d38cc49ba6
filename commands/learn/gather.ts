// Makes the calls that `learn` learns from: every operation's plain call by two players, and the flows.
import { areas, catalog } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { type Client, createClient } from '../../engine/http/client.ts';
import { type Exchange, isSuccess, sentJson } from '../../engine/http/exchange.ts';
import { createRedactor } from '../../engine/http/redact.ts';
import { type InconclusiveReason, judgementOf } from '../../engine/judgement.ts';
import { createBodies } from '../../engine/players/bodies.ts';
import type { Form } from '../../engine/players/body-template.ts';
import { createPlayers } from '../../engine/players/players.ts';
import { whyNoSession } from '../../engine/players/sign-in-discovery.ts';
import type { Check } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import { createContext } from '../../engine/run/create-context.ts';
import type { OpenedTarget } from '../../engine/run/open-target.ts';
import { silentProfile } from '../../engine/target/profile.ts';
import type { Json } from '../../engine/target/profile-validation.ts';
import type { Target } from '../../engine/target/target.ts';
import { defaultLimits } from '../../engine/values/default-limits.ts';
import { isNested } from '../../engine/values/json-walk.ts';
import { counted } from '../../engine/values/text.ts';
import { routed } from '../../suites/rules/routed.ts';
import type { LearnRunOptions } from './from-run.ts';
import { matchCall } from './match/match-call.ts';
import {
  fewestMembers,
  isDoubt,
  provedBySteps,
  settledBodies,
  withoutBroken,
  withoutRefused,
} from './stated-bodies.ts';
import { unjudgedFlows } from './unlearnt.ts';

/** Plays the steps side by side, then undoes what they changed. Leaves out steps that throw. */
async function playSteps(context: Context, steps: readonly Check[]) {
  const played = steps.map(async (step) => ({ step, judgement: await step.run(context) }));
  const outcomes = await Promise.allSettled(played);
  await context.flows.tearDown();
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
}

/** A second player for plain calls: what holds for two players is more likely to hold for all. */
const secondPlayer = 'second';

export type Gathered = Awaited<ReturnType<typeof gather>>;

/** Makes the calls, one after another where one changes what the next one finds. */
export async function gather(
  { target, preflight, concurrency }: OpenedTarget,
  { rate, readOnly = false, note = () => {} }: Pick<LearnRunOptions, 'rate' | 'readOnly' | 'note'> = {},
) {
  const { discovery, unreachable } = preflight;
  const { timeoutMs, budgetMs } = defaultLimits;
  const redactor = createRedactor(target.secrets);
  const exchanges: Exchange[] = [];
  const client = recording(
    createClient({
      ...target.transport,
      timeoutMs,
      concurrency,
      deadline: Date.now() + budgetMs,
      redactor,
      rate,
    }),
    exchanges,
  );
  try {
    const players =
      discovery?.kind === 'found' ? createPlayers({ client, target, discovery, redactor }) : undefined;
    const bodies = createBodies(target);
    const effective = new Map<string, Form>();
    const around = { client, players, noSession: whyNoSession(discovery), unreachable, readOnly };
    const context = createContext({
      ...around,
      target,
      bodies,
      guessWorked: ({ id }, form) => effective.set(id, form),
    });
    const isReachable = ({ id, host }: Operation) =>
      context.given(host) && unreachable[host] === undefined && context.flows.omitted(id) === undefined;
    const operations = catalog.filter(isReachable);
    note(`asks ${operations.length} operations one by one, as two players …`);
    const served = new Set((await plainCalls(context, lastThingsLast(operations))).keys());
    const plain = exchanges.splice(0);
    const { scenarios } = await import('../run/suites.ts');
    const steps = scenarios
      .flatMap(({ checks }) => checks)
      .filter(
        ({ operations, changes, attack }) =>
          !attack && operations.every(isReachable) && !(readOnly && changes),
      );
    note(`${served.size} are served; plays ${steps.length} steps of flows with them …`);
    const judged = await playSteps(context, steps);
    const proved = provedBySteps(judged);
    const { missing, undecided } = await notServed(context, operations, served);
    const played = exchanges.splice(0);
    if (effective.size > 0)
      note(`looks which members the bodies of ${counted(effective.size, 'operation')} need …`);
    const formsBefore = (operation: Operation) => {
      const before = effective.get(operation.id);
      return before ? [before] : bodies.forms(operation);
    };
    const smallest = await fewestMembers(effective, async (offers) => {
      const took = new Map<string, Form[]>();
      const shown = judged.filter(
        ({ step, judgement }) =>
          judgement.kind === 'pass' && step.operations.some(({ id }) => offers.has(id)),
      );
      const offered = createContext({
        ...around,
        target,
        bodies: { ...bodies, forms: (operation) => offers.get(operation.id) ?? formsBefore(operation) },
        planned: new Set(shown.map(({ step }) => step.id)),
        guessWorked: ({ id }, form) => took.set(id, [...(took.get(id) ?? []), form]),
      });
      await playSteps(
        offered,
        shown.map(({ step }) => step),
      );
      return took;
    });
    // Leaves out the calls made in search of the smallest bodies: no client would send them.
    exchanges.length = 0;
    const reduced = settledBodies(bodies, smallest);
    const withReduced = (steps: readonly Check[]) =>
      playSteps(createContext({ ...around, target: stating(reduced, target) }), steps);
    note('plays the steps again with what was learnt …');
    const first = await withReduced(
      judged.flatMap(({ step, judgement }) => (judgement.kind === 'pass' ? [step] : [])),
    );
    // A busy machine may break a step, too: it is played once more before its operations get back their larger bodies.
    const broken = first.flatMap(({ step, judgement }) => (isDoubt(judgement) ? [step] : []));
    const second = new Map((await withReduced(broken)).map((each) => [each.step, each]));
    const again = first.map((each) => second.get(each.step) ?? each);
    const proven = withoutBroken(reduced, settledBodies(bodies, effective), again);
    // Bodies that the profile states stay, whether a step broke with them or not.
    const settled = new Map([...reduced].filter(([id]) => !effective.has(id)).concat([...proven]));
    played.push(...exchanges.splice(0));
    // The first plain calls of these operations sent other bodies, so their answers are treated like those in flows.
    const anew = catalog.filter(({ id }) => effective.has(id) && settled.has(id));
    // Calls every served operation once more, in reverse order, so that schemas are not learnt from one state alone.
    const servedLast = lastThingsLast(catalog.filter(({ id }) => served.has(id)).toReversed());
    const answered = await plainCalls(
      createContext({ ...around, target: stating(settled, target) }),
      servedLast,
    );
    const plainAnswers = exchanges.map(answerOf);
    const isAnew = ({ request }: Exchange) => anew.some(({ id }) => id === operationIn(request));
    return {
      /** With the segments that were found out on the way. */
      target,
      /** Plain calls and the steps of flows, in the order in which they ended. */
      exchanges: [
        ...plain.map((exchange) => ({ exchange, inFlow: isAnew(exchange) })),
        ...played.map((exchange) => ({ exchange, inFlow: true })),
        ...exchanges.map((exchange) => ({ exchange, inFlow: false })),
      ],
      served,
      /** Ids of operations that a run would call not served, on hosts that serve others. */
      missing,
      /** By id of an operation that may be missing as well: the reason why a run would not decide. */
      undecided,
      bodies: withoutRefused(settled, effective, plainAnswers),
      /** Ids of operations that flows saw succeed. */
      proved,
      unjudged: unjudgedFlows(judged),
      tookBody: new Set([...plain, ...played, ...exchanges].flatMap(bodyTaker)),
      answered,
    };
  } finally {
    client.close();
  }
}

/**
 * Makes the plain call of every operation that is served, as two players.
 * @returns by the ids of those operations the status of the last such call, 0 where it was not answered; calls that
 *   show whether an operation is served are others, and may be anonymous
 */
async function plainCalls(context: Context, operations: readonly Operation[]): Promise<Map<string, number>> {
  const answered = new Map<string, number>();
  // One after another, so that no call depends on the timing of another.
  for (const operation of operations) {
    const { served: isServed } = await context.routed(operation);
    if (isServed !== true) continue;
    // The second player stays signed in: where a target refuses with a success, an ended session is not noticed.
    const as = operation.ends === 'session' ? 'session-ender' : secondPlayer;
    const { response } = await context.ask(operation, { as });
    answered.set(operation.id, response?.status ?? 0);
    // Repeats a call that succeeds once: a later run may use the same accounts, which have made it already.
    if (operation.precondition === 'once') await context.ask(operation, { nth: 2 });
  }
  return answered;
}

/**
 * Ids of operations that a run judges not served, and of those that it leaves undecided with its reason; none of a host
 * that serves nothing, whose URL may be wrong.
 */
async function notServed(context: Context, operations: readonly Operation[], served: ReadonlySet<string>) {
  const hosts = new Set(operations.filter(({ id }) => served.has(id)).map(({ host }) => host));
  const doubtful = operations.filter(({ host }) => hosts.has(host));
  const judged = doubtful.map(async (operation) => ({
    operation,
    judgement: await judgementOf(routed.judge(operation, context)),
  }));
  const missing = new Set<string>();
  const undecided = new Map<string, InconclusiveReason>();
  for (const { operation, judgement } of await Promise.all(judged)) {
    if (judgement.kind === 'violation') missing.add(operation.id);
    if (judgement.kind === 'inconclusive') undecided.set(operation.id, judgement.reason);
  }
  return { missing, undecided };
}

/** The id of the operation that a request calls; undefined where none matches, or its host was not given (no URL). */
export function operationIn({ method, url }: Exchange['request']) {
  const parsed = URL.parse(url);
  return parsed ? matchCall(method, parsed)?.operation.id : undefined;
}

const answerOf = ({ request, response }: Exchange) => ({
  id: operationIn(request) ?? '',
  status: response?.status ?? 0,
});

/** The id of the operation that accepted a body with content; none for the login, whose body is learnt elsewhere. */
function bodyTaker(exchange: Exchange): readonly string[] {
  const sent = sentJson(exchange);
  const id = operationIn(exchange.request);
  const saysSomething = isNested(sent) && Object.keys(sent).length > 0;
  return id !== undefined && id !== areas.auth.login.id && saysSomething && isSuccess(exchange) ? [id] : [];
}

/** The target with a profile that states these bodies. */
function stating(bodies: ReadonlyMap<string, Json>, target: Target): Target {
  const { headers, secrets, parameters, profile } = target;
  const spoken = Array.from(bodies, ([id, body]) => [id, { ...profile?.operations[id], body }]);
  return {
    ...target,
    profile: {
      ...silentProfile,
      parameters,
      headers,
      secrets,
      ...profile,
      operations: { ...profile?.operations, ...Object.fromEntries(spoken) },
    },
  };
}

/** Moves operations to the end that end what others need. */
const lastThingsLast = (operations: readonly Operation[]) => [
  ...operations.filter(({ ends }) => ends === undefined),
  ...operations.filter(({ ends }) => ends !== undefined),
];

function recording(client: Client, exchanges: Exchange[]): Client {
  return {
    close: client.close,
    async send(request, options) {
      const exchange = await client.send(request, options);
      exchanges.push(exchange);
      return exchange;
    },
  };
}
