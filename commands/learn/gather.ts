// Makes the calls that `learn` learns from (every operation's plain call by two players, and the flows), and decides which
// bodies and statuses the profile may state.
import { catalog, operationById } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { type Client, createClient } from '../../engine/http/client.ts';
import type { Exchange } from '../../engine/http/exchange.ts';
import { createRedactor } from '../../engine/http/redact.ts';
import { type InconclusiveReason, type Judgement, judgementOf } from '../../engine/judgement.ts';
import { type Bodies, createBodies } from '../../engine/players/bodies.ts';
import type { Form } from '../../engine/players/body-template.ts';
import { createPlayers } from '../../engine/players/players.ts';
import { whyNoSession } from '../../engine/players/sign-in-discovery.ts';
import type { Check } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import { createContext } from '../../engine/run/create-context.ts';
import type { OpenedTarget } from '../../engine/run/open-target.ts';
import { silentProfile } from '../../engine/target/profile.ts';
import { type Json, parameterNames } from '../../engine/target/profile-validation.ts';
import type { Target } from '../../engine/target/target.ts';
import { defaultLimits } from '../../engine/values/default-limits.ts';
import { is4xx, is5xx } from '../../engine/values/status.ts';
import { counted } from '../../engine/values/text.ts';
import { routed } from '../../suites/rules/routed.ts';
import { fewestMembers } from './fewest-members.ts';
import type { LearnRunOptions } from './from-run.ts';
import { matchCall } from './match/match-call.ts';
import { type UnjudgedFlow, unjudgedFlows } from './unlearnt.ts';

export interface Played {
  readonly step: Pick<Check, 'level' | 'operations'>;
  readonly judgement: Judgement;
}

/** Reasons for which a step made no call, so that it shows nothing of its operations. */
const notAsked = new Set<InconclusiveReason>(['prerequisite-failed', 'needs-players', 'no-session']);

/**
 * Ids of the operations that a step passed with, and that no step failed with or could not judge: what was refused once
 * may be refused again, and is not to be promised.
 */
export function provedBySteps(played: readonly Played[]): Set<string> {
  const asserting = played.filter(({ step }) => step.level !== 'open');
  const idsOf = (those: readonly Played[]) =>
    new Set(those.flatMap(({ step }) => step.operations.map(({ id }) => id)));
  const doubted = idsOf(asserting.filter(({ judgement }) => isDoubt(judgement)));
  const passed = idsOf(asserting.filter(({ judgement }) => judgement.kind === 'pass'));
  return passed.difference(doubted);
}

const isDoubt = (judgement: Judgement) =>
  judgement.kind === 'violation' || (judgement.kind === 'inconclusive' && !notAsked.has(judgement.reason));

// Bodies that the profile may state: from then on a run sends no other.

/**
 * By operation id: a body whose effect showed, or that a profile stated; any that was accepted where there is nothing
 * to say but who it is. Another one that was merely accepted may have done nothing.
 */
export function settledBodies(
  { chosen, forms }: Pick<Bodies, 'chosen' | 'forms'>,
  effective: ReadonlyMap<string, Form>,
): Map<string, Json> {
  const settled = new Map<string, Json>();
  const accepted = chosen();
  for (const operation of catalog) {
    const form = effective.get(operation.id) ?? accepted.get(operation.id);
    if (form === undefined || !form.carries.every(isKnown)) continue;
    const tried = forms(operation);
    const isProved = effective.has(operation.id) || form.from === 'profile';
    if (isProved || !tried.some(saysMore)) settled.set(operation.id, form.template);
  }
  return settled;
}

/**
 * Those of them that the plain call was not refused for: a guess that had its effect in a flow may ask too much of a call
 * out of the blue, and a stated one is held against the target.
 * @param answers of plain calls put with them
 */
export function withoutRefused(
  settled: ReadonlyMap<string, Json>,
  effective: ReadonlyMap<string, Form>,
  answers: readonly { readonly id: string; readonly status: number }[],
): Map<string, Json> {
  const refused = new Set(answers.flatMap(({ id, status }) => (isRefusal(id, status) ? [id] : [])));
  return new Map([...settled].filter(([id]) => !effective.has(id) || !refused.has(id)));
}

/** Returns whether a status refuses the body: the server failed at it, it was not understood, or nothing was missing that excuses a refusal. */
function isRefusal(id: string, status: number): boolean {
  const operation = operationById(id);
  if (is5xx(status)) return true;
  if (operation === undefined || !is4xx(status) || status === 429) return false;
  if (status === 400 || status === 415 || status === 422) return true;
  const { absence, precondition } = operation;
  return absence === 'never' && precondition !== 'follows' && !(precondition === 'once' && status === 409);
}

/** What a profile may name; other values are found by flows of their own. */
const isKnown = (name: string) =>
  /^(?:(?:player|other)\.(?:id|name)|value|unique|now)$/.test(name) || parameterNames.includes(name);

const saysMore = ({ carries, template }: Form) =>
  carries.some((name) => name !== 'player.id') ||
  (carries.length === 0 && JSON.stringify(template).length > 4);

/**
 * The smaller bodies, but for those with which a step no longer passes: there the larger one stays, and what was no
 * smaller is not stated. Where such a step judges no operation with a body, its area keeps the larger ones.
 * @param again steps that passed before, played by other players with the smaller bodies as a profile states them
 */
export function withoutBroken(
  smaller: ReadonlyMap<string, Json>,
  larger: ReadonlyMap<string, Json>,
  again: readonly Played[],
): Map<string, Json> {
  const kept = new Map(smaller);
  for (const { step } of again.filter(({ judgement }) => isDoubt(judgement))) {
    const ids = new Set(step.operations.map(({ id }) => id));
    const areas = new Set(step.operations.map(({ area }) => area));
    const isCited = smaller.keys().some((id) => ids.has(id));
    for (const [id, body] of smaller) {
      const isSuspect = isCited ? ids.has(id) : areas.has(operationById(id)?.area ?? '');
      const before = larger.get(id) ?? body;
      const isReduced = JSON.stringify(before) !== JSON.stringify(body);
      if (isSuspect && isReduced) kept.set(id, before);
      else if (isSuspect && isCited) kept.delete(id);
    }
  }
  return kept;
}

/** The bodies of a run in which some operations are offered these alone, and others what they took before. */
const offering = (
  bodies: Bodies,
  offers: ReadonlyMap<string, readonly Form[]>,
  effective: ReadonlyMap<string, Form>,
): Bodies => ({
  ...bodies,
  forms: (operation) => {
    const before = effective.get(operation.id);
    return offers.get(operation.id) ?? (before ? [before] : bodies.forms(operation));
  },
});

/** Plays the steps side by side, and puts back what they changed. What throws is no judgement. */
async function playSteps<Step extends Check>(
  context: Context,
  steps: readonly Step[],
): Promise<{ readonly step: Step; readonly judgement: Judgement }[]> {
  const outcomes = await Promise.allSettled(steps.map((step) => step.run(context)));
  await context.flows.tearDown();
  return outcomes.flatMap((outcome, at) =>
    outcome.status === 'fulfilled' ? [{ step: steps[at] as Step, judgement: outcome.value }] : [],
  );
}

/** A second player for plain calls: what holds for two players is more likely to hold for all. */
const secondPlayer = 'second';

export interface Gathered {
  /** With the segments that were found out on the way. */
  readonly target: Target;
  /** Plain calls and the steps of flows, in the order in which they ended. */
  readonly exchanges: readonly { readonly exchange: Exchange; readonly inFlow: boolean }[];
  readonly served: ReadonlySet<string>;
  /** Ids of operations that a run would call not served, on hosts that serve others. */
  readonly missing: ReadonlySet<string>;
  readonly bodies: ReadonlyMap<string, Json>;
  /** Ids of operations that flows saw succeed. */
  readonly proved: ReadonlySet<string>;
  readonly unjudged: readonly UnjudgedFlow[];
  /** By operation id: how its last plain call was answered. */
  readonly answered: ReadonlyMap<string, number>;
}

/** Makes the calls, one after another where one changes what the next one finds. */
export async function gather(
  { target, preflight, concurrency }: OpenedTarget,
  { rate, readOnly = false, note = () => {} }: Pick<LearnRunOptions, 'rate' | 'readOnly' | 'note'> = {},
): Promise<Gathered> {
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
      took: ({ id }, form) => effective.set(id, form),
    });
    const isReachable = ({ id, host }: Operation) =>
      context.given(host) && unreachable[host] === undefined && context.flows.omitted(id) === undefined;
    const operations = catalog.filter(isReachable);
    note(`asks ${operations.length} operations one by one, as two players …`);
    const served = await plainCalls(context, lastThingsLast(operations));
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
    const missing = await notServed(context, operations, served);
    const played = exchanges.splice(0);
    if (effective.size > 0)
      note(`looks which members the bodies of ${counted(effective.size, 'operation')} need …`);
    const smallest = await fewestMembers(effective, async (offers) => {
      const took = new Map<string, Form[]>();
      const shown = judged.filter(
        ({ step, judgement }) =>
          judgement.kind === 'pass' && step.operations.some(({ id }) => offers.has(id)),
      );
      const offered = createContext({
        ...around,
        target,
        bodies: offering(bodies, offers, effective),
        planned: new Set(shown.map(({ step }) => step.id)),
        took: ({ id }, form) => took.set(id, [...(took.get(id) ?? []), form]),
      });
      await playSteps(
        offered,
        shown.map(({ step }) => step),
      );
      return took;
    });
    // Calls made in search of the smallest bodies are not those of a client.
    exchanges.length = 0;
    const reduced = settledBodies(bodies, smallest);
    const withReduced = (steps: readonly Check[]) =>
      playSteps(createContext({ ...around, target: stating(reduced, target) }), steps);
    note('plays the steps again with what was learnt …');
    const first = await withReduced(
      judged.flatMap(({ step, judgement }) => (judgement.kind === 'pass' ? [step] : [])),
    );
    // A busy machine breaks a step, too: what broke is played once more before a larger body is taken for it.
    const broken = first.flatMap(({ step, judgement }) => (isDoubt(judgement) ? [step] : []));
    const second = new Map((await withReduced(broken)).map((each) => [each.step, each]));
    const again = first.map((each) => second.get(each.step) ?? each);
    const proven = withoutBroken(reduced, settledBodies(bodies, effective), again);
    // What a profile stated stays, whatever becomes of it.
    const settled = new Map([...reduced].filter(([id]) => !effective.has(id)).concat([...proven]));
    played.push(...exchanges.splice(0));
    // Plain answers to another body than the stated one are treated like answers in flows.
    const anew = catalog.filter(({ id }) => effective.has(id) && settled.has(id));
    // Calls once more in reverse order, so that schemas are not learnt from one state alone.
    const servedLast = lastThingsLast(catalog.filter(({ id }) => served.has(id)).toReversed());
    await plainCalls(createContext({ ...around, target: stating(settled, target) }), servedLast);
    const plainAnswers = exchanges.map(answerOf);
    const isAnew = ({ request }: Exchange) => anew.some(({ id }) => id === operationIn(request));
    return {
      target,
      exchanges: [
        ...plain.map((exchange) => ({ exchange, inFlow: isAnew(exchange) })),
        ...played.map((exchange) => ({ exchange, inFlow: true })),
        ...exchanges.map((exchange) => ({ exchange, inFlow: false })),
      ],
      served,
      missing,
      bodies: withoutRefused(settled, effective, plainAnswers),
      proved,
      unjudged: unjudgedFlows(judged),
      answered: new Map(plainAnswers.map(({ id, status }) => [id, status])),
    };
  } finally {
    client.close();
  }
}

/** Puts the plain call of every operation that is served, by two players; returns the ids of those operations. */
async function plainCalls(context: Context, operations: readonly Operation[]): Promise<Set<string>> {
  const served = new Set<string>();
  // One after another, so that no call depends on the timing of another.
  for (const operation of operations) {
    const { served: isServed } = await context.routed(operation);
    if (isServed !== true) continue;
    served.add(operation.id);
    await context.ask(operation, { as: secondPlayer });
    // A later run may use the same accounts, which have already done it.
    if (operation.precondition === 'once') await context.ask(operation, { nth: 2 });
  }
  return served;
}

/** The judgement of a run on what no plain call showed to be served; a host that serves nothing may be another one. */
async function notServed(context: Context, operations: readonly Operation[], served: ReadonlySet<string>) {
  const hosts = new Set(operations.filter(({ id }) => served.has(id)).map(({ host }) => host));
  const doubtful = operations.filter(({ host }) => hosts.has(host));
  const judged = doubtful.map(async (operation) => ({
    operation,
    judgement: await judgementOf(routed.judge(operation, context)),
  }));
  const missing = (await Promise.all(judged)).filter(({ judgement }) => judgement.kind === 'violation');
  return new Set(missing.map(({ operation }) => operation.id));
}

/** The operation that a request is, by its path. */
export const operationIn = ({ method, url }: Exchange['request']) =>
  matchCall(method, new URL(url))?.operation.id;

const answerOf = ({ request, response }: Exchange) => ({
  id: operationIn(request) ?? '',
  status: response?.status ?? 0,
});

/** The target as a profile with these bodies describes it. */
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

/** Operations that end what others need. */
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
