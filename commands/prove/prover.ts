// Proves the checks: each mutant must turn the checks it breaks (from a pass to a failure or a warning), and no others.
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { areas } from '../../catalog/catalog.ts';
import { root } from '../../engine/files.ts';
import { type Client, createClient } from '../../engine/http/client.ts';
import { createRedactor, type Redactor } from '../../engine/http/redact.ts';
import { accusing, type Outcome } from '../../engine/judgement.ts';
import { signInWith } from '../../engine/players/sign-in.ts';
import { type Discovery, discover } from '../../engine/players/sign-in-discovery.ts';
import { createPlayerTokens, type PlayerTokens, testJwt } from '../../engine/players/tokens.ts';
import { type Check, planned, type Suite } from '../../engine/probe/check.ts';
import { openCheckRunner } from '../../engine/run/check-runner.ts';
import { openTarget } from '../../engine/run/open-target.ts';
import { select } from '../../engine/run/plan.ts';
import type { Target } from '../../engine/target/target.ts';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { didYouMean } from '../../engine/values/text.ts';
import { flowMutants } from '../../fixtures/mutants/flows/all.ts';
import type { Mutant, Mutation } from '../../fixtures/mutants/mutant.ts';
import { ruleMutations } from '../../fixtures/mutants/rules/all.ts';
import { startMutatedServer } from '../../fixtures/mutants/serve.ts';
import { makeHosts } from '../../fixtures/reference/server.ts';
import { attacks as attackSuites, suites } from '../run/suites.ts';
import { startEmbedded } from '../serve/embedded.ts';
import { allPass, type Draw, drawMutants } from './draw.ts';
import { judgeAll, judgeMissedAgain } from './judge-all.ts';
import { type Proof, proofOf } from './matrix.ts';

interface SigningIn {
  readonly client: Client;
  /** The unmutated target with a run id of the mutant's own. */
  readonly target: Target;
  /** The same target with the hosts of the mutant. */
  readonly mutated: Target;
  readonly tokens: PlayerTokens;
  readonly redactor: Redactor;
}

/** Signs in player 1 of a mutant in the way that was discovered at the unmutated target. */
type ConformingSignIn = (asTarget: Target, signing: SigningIn) => Promise<Discovery>;

function createConformingSignIn(): ConformingSignIn {
  const discoveries = new Map<Target, Promise<Discovery>>();
  return async (asTarget, { client, target, mutated, tokens, redactor }) => {
    const earlier = discoveries.get(asTarget);
    if (earlier === undefined) {
      const first = discover(client, target, tokens, redactor);
      discoveries.set(asTarget, first);
      return first;
    }
    const [discovery, given] = [await earlier, await tokens.of(1)];
    if (discovery.kind !== 'found' || 'why' in given) return discovery;
    // At the mutant, so that it sees this player sign in like any other; at the unmutated target where it refuses.
    for (const at of [mutated, target]) {
      const signed = await signInWith(discovery.recipe, client, at, { token: given.token, nth: 1 });
      if ('session' in signed) return { ...discovery, ...given, session: signed.session };
    }
    throw new Error('the embedded server lets nobody in a second time');
  };
}

export interface CheckOutcome {
  readonly id: string;
  readonly outcome: Outcome;
  /** The reason code, where it could not be judged or there was nothing to judge. */
  readonly reason?: string;
  /** The observed behaviour of an open point. */
  readonly behaviour?: string;
  /** What was expected and what came, or why it could not be judged. */
  readonly why: string;
}

interface AskedOutcome extends CheckOutcome {
  /** The command that runs this check again, as a report prints it. */
  readonly rerun: string;
}

export interface ProofRow {
  readonly mutant: string;
  readonly wrong: string;
  readonly clause: string;
  readonly outcome: 'killed' | 'survived';
  /** Checks that were asked. */
  readonly asked: number;
  readonly turned: readonly string[];
  /** Checks in `turned` that the mutant was not made for, each with the reason why it is right that it turns. */
  readonly alsoTurned: Readonly<Record<string, string>>;
  /** Why only steps of flows were asked; missing where all checks of its operations were asked. */
  readonly flowsAlone?: string;
  /** Checks that should have turned or reported another behaviour and did not: what they reported instead. */
  readonly missed: readonly CheckOutcome[];
  /** Checks that turned and should not have. */
  readonly collateral: readonly CheckOutcome[];
  /** The mutant was missed beside others; this row holds what it showed alone. */
  readonly askedAgain?: true;
  /** How often attacks sent several calls at one moment; missing where nothing attacked. */
  readonly bursts?: number;
  readonly durationMs: number;
}

interface ProverOptions {
  /** The embedded server's hosts; all mutants share its world. */
  readonly world: readonly FastifyInstance[];
  /** The embedded server as a target, started on the same world. */
  readonly target: Target;
  /** The same with the embedded server's profile, for mutants that only show with it. */
  readonly profiled: Target;
  readonly suites: readonly Suite[];
  /** How many login tokens each mutant is asked with. Default: as many as a run makes. */
  readonly players?: number | undefined;
  /** The suites are attacks: each mutant is asked only the checks that it is made for, since attacks take long. */
  readonly attacks?: true;
}

/** Outcomes that count as turned. A harness error is no finding, so it counts as one that should not have turned. */
const turned: ReadonlySet<Outcome> = new Set([...accusing, 'harness-error']);
/** Timeout of a call in ms: longer than a busy machine takes, so that slowness alone turns no check. */
const unhurriedMs = 60_000;
const budgetMs = 300_000;
const concurrency = 32;

/** What a preflight would have seen of a host that wants the session. */
const refusedWithout = {
  operation: areas.logs.logsBatch.id,
  differs: 'status',
  without: 401,
  spoiled: 401,
  with: 202,
} as const;

interface AskOptions extends Pick<Mutant, 'timeoutMs' | 'sessionHost'> {
  readonly asTarget?: Target;
  /** As in `Mutant`. */
  readonly discovered?: boolean | undefined;
}

export interface Prover {
  readonly checks: readonly Check[];
  readonly prove: (mutant: Mutant) => Promise<ProofRow>;
  /** The checks that accuse the mutant, but whose `rerun` command finds nothing when it is tried. */
  readonly notFoundAgain: (mutant: Mutant) => Promise<readonly AskedOutcome[]>;
  /** The results of the unmutated server, without its profile and with it. */
  readonly conforming: () => Promise<{ readonly outcomes: Draw['conforming']; readonly bursts: number }>;
}

function createProver({ world, target, profiled, suites, players, attacks }: ProverOptions): Prover {
  const checks = suites.flatMap((suite) => suite.checks);
  let runs = 0;
  const conformingSignIn = createConformingSignIn();

  const ask = async (
    mutation: Mutation,
    selected: readonly Check[],
    { asTarget = target, discovered = false, timeoutMs = unhurriedMs, sessionHost }: AskOptions = {},
  ): Promise<{ readonly outcomes: AskedOutcome[]; readonly bursts: number }> => {
    const server = await startMutatedServer(world, mutation);
    // Each mutant has its own names and players, since all mutants share the world.
    runs += 1;
    const runId = `${asTarget.runId.slice(0, 4)}${runs.toString(36).padStart(4, '0')}`;
    const named = { ...asTarget, runId };
    const runTarget = { ...named, loginTokens: await tokensOf(named, players) };
    const redactor = createRedactor();
    const client = createClient({ timeoutMs, concurrency, redactor });
    try {
      const sessions = sessionHost && { [sessionHost]: { kind: 'taken', evidence: refusedWithout } as const };
      const mutated = { ...runTarget, hosts: server.hosts, ...(sessions && { sessions }) };
      const discoveryTarget = discovered ? mutated : runTarget;
      const tokens = createPlayerTokens(discoveryTarget, redactor);
      const signing = { client, target: discoveryTarget, mutated, tokens, redactor };
      // Signs in as at the unmutated server, so that checks meet the mutation; a mutant of sign-in is discovered anew.
      const discovery = discovered
        ? await discover(client, discoveryTarget, tokens, redactor)
        : await conformingSignIn(asTarget, signing);
      const runner = openCheckRunner(
        {
          target: mutated,
          discovery,
          unreachable: {},
          journal: undefined,
          strict: false,
          readOnly: false,
          attack: attacks ? 'on' : 'off',
          timeoutMs,
          concurrency,
          rate: undefined,
          deadline: Date.now() + budgetMs,
        },
        // Plans the selected steps alone: all others would take players away from them.
        players === undefined
          ? undefined
          : { planned: new Set(selected.map(({ id }) => id)), onProgress() {} },
      );
      const results = await Promise.all(selected.map(runner.perform));
      runner.close();
      const outcomes = results.map(({ id, outcome, reason, behaviour, detail, expected, actual, rerun }) => ({
        id,
        outcome,
        rerun,
        ...(reason !== undefined && { reason }),
        ...(behaviour !== undefined && { behaviour }),
        why:
          expected === undefined
            ? [reason, detail ?? behaviour].filter(Boolean).join(': ')
            : `expected ${expected}, got ${actual}`,
      }));
      return { outcomes, bursts: runner.bursts() };
    } finally {
      client.close();
      server.close();
    }
  };

  const selectedFor = (mutant: Mutant): Check[] => {
    const { operations, says = {}, flowsAlone } = mutant;
    const touched = new Set(operations.map(({ id }) => id));
    const due = dueOf(mutant);
    const isTouched = (check: Check) =>
      attacks === undefined &&
      (flowsAlone === undefined || check.id.includes('/')) &&
      check.operations.some(({ id }) => touched.has(id));
    const chosenAlone = (check: Check) => due.has(check.id) || check.id in says || isTouched(check);
    const flows = new Set(checks.filter(chosenAlone).flatMap(flowOf));
    // With few players it matters who has played before, so whole flows are asked.
    return checks.filter((check) =>
      players === undefined ? chosenAlone(check) : flowOf(check).some((flow) => flows.has(flow)),
    );
  };

  return {
    checks,
    async notFoundAgain(mutant) {
      const how = { ...mutant, asTarget: mutant.profile ? profiled : target };
      const { outcomes } = await ask(mutant.mutation, selectedFor(mutant), how);
      const lost: AskedOutcome[] = [];
      for (const found of outcomes.filter(({ outcome }) => accusing.has(outcome))) {
        const [, words = ''] = found.rerun.split('--only ');
        const only = words.split(' ').map((word) => word.replaceAll("'", ''));
        const { ids } = select(checks.map(planned), only);
        const again = await ask(
          mutant.mutation,
          checks.filter(({ id }) => ids.includes(id)),
          how,
        );
        if (!again.outcomes.some(({ outcome }) => accusing.has(outcome))) lost.push(found);
      }
      return lost;
    },
    async conforming() {
      let bursts = 0;
      const outcomesOn = async (asTarget: Target) => {
        const asked = await ask(() => () => undefined, checks, { asTarget });
        bursts += asked.bursts;
        return new Map(asked.outcomes.map((each) => [each.id, each]));
      };
      const [plain, profile] = [await outcomesOn(target), await outcomesOn(profiled)];
      return { outcomes: { plain, profile }, bursts };
    },
    async prove(mutant) {
      /** Whether a check is open: it accuses of nothing but a server error, which is then the mutant's own. */
      const records = (id: string) => checks.some((check) => check.id === id && check.level === 'open');
      const begun = performance.now();
      const { name, wrong, clause, says = {}, alsoTurns = {}, mayTurn = {}, flowsAlone } = mutant;
      const due = dueOf(mutant);
      const reasons = { ...mayTurn, ...alsoTurns };
      const selected = selectedFor(mutant);
      const { outcomes, bursts } = await ask(mutant.mutation, selected, {
        ...mutant,
        asTarget: mutant.profile ? profiled : target,
      });
      const found = outcomes.filter(({ outcome }) => turned.has(outcome));
      const missed = outcomes.filter(
        (each) =>
          (due.has(each.id) && !accusing.has(each.outcome)) ||
          (says[each.id] ?? outcomeText(each)) !== outcomeText(each),
      );
      const unknown = [...due, ...Object.keys(says)].filter((id) => !checks.some((check) => check.id === id));
      if (unknown.length > 0)
        throw new Error(`${name} is to show in ${unknown.join(', ')}, and there is no such check`);
      return {
        mutant: name,
        wrong,
        clause,
        outcome: missed.length === 0 ? 'killed' : 'survived',
        asked: selected.length,
        turned: found.map(({ id }) => id),
        alsoTurned: Object.fromEntries(
          found.flatMap(({ id }) => (id in reasons ? [[id, reasons[id] ?? '']] : [])),
        ),
        ...(flowsAlone !== undefined && { flowsAlone }),
        missed,
        collateral: found.filter(
          ({ id, outcome }) => !(due.has(id) || id in mayTurn || records(id)) || !accusing.has(outcome),
        ),
        ...(attacks && { bursts }),
        durationMs: Math.round(performance.now() - begun),
      };
    },
  };
}

/** The checks that a mutant has to turn. */
const dueOf = ({ turns, alsoTurns = {} }: Pick<Mutant, 'turns' | 'alsoTurns'>): ReadonlySet<string> =>
  new Set([...turns, ...Object.keys(alsoTurns)]);

/** The flow of a step; empty for a check that is no step. */
const flowOf = ({ id }: Check): string[] => (id.includes('/') ? [id.slice(0, id.indexOf('/'))] : []);

/** One token per player, the same at every sign-in, like those of LOGIN_TOKEN. */
const tokensOf = (target: Target, players = 0): Promise<string[]> =>
  Promise.all(Array.from({ length: players }, (_, nth) => testJwt(target, nth + 1)));

const outcomeText = ({ outcome, reason, behaviour }: CheckOutcome) =>
  [outcome, reason ?? behaviour].filter((word) => word !== undefined).join(' ');

// The ground of a proof: one shared world, all checks, their results on the unmutated server, and the mutants.

/** The embedded server, shared by all mutants, as a server and as a target. */
interface Ground {
  readonly world: readonly FastifyInstance[];
  readonly target: Target;
  /** The same with the embedded server's profile, for mutants that break what a profile states. */
  readonly profiled: Target;
  readonly close: () => void;
}

const profile = join(root, 'fixtures', 'profiles', 'reference.json');

export async function openGround(seed: string): Promise<Ground> {
  const world = makeHosts();
  const { hosts, close } = await startMutatedServer(world, () => () => undefined);
  const targetWith = async (path?: string) => {
    const opened = await openTarget({ embedded: startEmbedded, env: {}, cwd: root, seed, profile: path });
    await opened.close();
    return { ...opened.target, hosts };
  };
  const [target, profiled] = await Promise.all([targetWith(), targetWith(profile)]);
  return { world, target, profiled, close };
}

/** Judges mutants by all checks but attacks, in this process, without a runner. */
export const proverOn = (ground: Ground, players?: number): Prover =>
  createProver({ ...ground, suites, players });

/** Judges mutants by attacks. */
export const attackProverOn = (ground: Ground): Prover =>
  createProver({ ...ground, suites: attackSuites, attacks: true });

export async function openProver(seed: string): Promise<Prover & Pick<Ground, 'close'>> {
  const ground = await openGround(seed);
  return { ...proverOn(ground), close: ground.close };
}

export interface ProveAll {
  readonly seed: string;
  /** Names of mutants to ask, or parts of names. Default: all mutants. */
  readonly only?: readonly string[];
  readonly onProgress?: (done: number, of: number) => void;
}

/** All mutants of a seed. */
export const mutantsFor = (draw: Draw): Mutant[] => [...drawMutants(ruleMutations, draw), ...flowMutants];

export async function proveAll({ seed, only = [], onProgress = () => {} }: ProveAll): Promise<Proof> {
  const prover = await openProver(seed);
  try {
    const { checks } = prover;
    // Reports a name that no seed draws, before it asks any mutant.
    chosen(mutantsFor({ checks, conforming: allPass(checks), seed, most: Number.POSITIVE_INFINITY }), only);
    const { outcomes: conforming } = await prover.conforming();
    const mutants = chosen(mutantsFor({ checks, conforming, seed }), only);
    const rows = await judgeMissedAgain(await judgeAll(prover, mutants, onProgress), (name) => {
      const missed = mutants.find((mutant) => mutant.name === name);
      return missed && prover.prove(missed);
    });
    return proofOf({ seed, checks, conforming, mutants, rows, isWhole: only.length === 0 });
  } finally {
    prover.close();
  }
}

/**
 * Returns the mutants whose name holds one of these parts; all mutants where no part is given.
 * @throws ConfigurationError where a part is in no name
 */
export function chosen<Named extends Pick<Mutant, 'name'>>(
  mutants: readonly Named[],
  only: readonly string[],
): readonly Named[] {
  if (only.length === 0) return mutants;
  const names = mutants.map(({ name }) => name);
  const unknown = only.filter((part) => !names.some((name) => name.includes(part)));
  if (unknown.length > 0) throw new ConfigurationError(unknown.map((part) => notAMutant(part, names)));
  return mutants.filter(({ name }) => only.some((part) => name.includes(part)));
}

const notAMutant = (part: string, names: readonly string[]) =>
  `--only: "${part.slice(0, 80)}" is part of no mutant's name${didYouMean(part, names, 3) || '.'} A word is a part of a name, such as stays, routed or party.create (with --list they are listed, and not judged)`;
