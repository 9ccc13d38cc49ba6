// Proves the attacks: each server without a lock or a check of ownership is found, and no correct one is accused.
import { attackMutants, lockedServers } from '../../fixtures/mutants/attacks.ts';
import { waryServers } from '../../fixtures/mutants/correct-servers.ts';
import { forgingConforming } from '../../fixtures/mutants/forging.ts';
import { httpConforming } from '../../fixtures/mutants/http-attacks.ts';
import { discreetServers } from '../../fixtures/mutants/leaks.ts';
import { patientServers } from '../../fixtures/mutants/lost-answers.ts';
import type { Mutant } from '../../fixtures/mutants/mutant.ts';
import { correctShops, type RacyShop, racyShops, shopIsHere } from '../../fixtures/racy-shop/servers.ts';
import { type AttackGuardRow, attackGuardLines, proveAttackGuards } from './attack-guards.ts';
import type { ProofRow } from './prove.ts';
import { askAll, attackProverOn, chosen, openGround } from './prove.ts';
import { attackShop } from './racy-shops.ts';
import { sideBySide } from './side-by-side.ts';

export interface AttackProof {
  readonly mutants: number;
  /** Mutants that were found with nineteen of twenty seeds, or more. */
  readonly found: number;
  /** With so many seeds each mutant was asked, and each correct server. */
  readonly seeds: number;
  /** Correct servers that were tried: the embedded one without and with its profile, and racy ones with their locks. */
  readonly correct: number;
  /** How often several calls were sent to them at one moment. */
  readonly bursts: number;
  /** Steps that accused one of them. */
  readonly accused: readonly string[];
  /** Steps that passed on the embedded server and that no mutant turned. */
  readonly unproven: readonly string[];
  /** What keeps the steps from wronging correct servers, each taken away in turn. */
  readonly guards: readonly AttackGuardRow[];
  /** Servers whose runtime this machine lacks. */
  readonly leftOut: readonly string[];
  readonly rows: readonly AttackRow[];
}

/** What was seen with the first seed that missed it, or else with the first. */
interface AttackRow extends ProofRow {
  /** Seeds with which it was found. */
  readonly foundWith: number;
}

export interface ProveAttacks {
  readonly seed: string;
  /** So many seeds, this one and those made of it; default 1. */
  readonly seeds?: number;
  /** Names of mutants and correct servers to ask, or parts of them; all of them, and the guards, where there is none. */
  readonly only?: readonly string[];
  readonly onProgress?: (done: number, of: number) => void;
}

/** Attacks that are under way at once: more would meet one another in one thread, and not at the server. */
const atOnce = 6;
const violated = (outcome: string) => outcome === 'fail' || outcome === 'warn';

/** Servers that do what is right or allowed, each with the steps that must not accuse it. */
export const correctServers = [
  ...lockedServers.map((server) => ({ ...server, name: `the locked server of ${server.turns[0]}` })),
  ...httpConforming,
  ...forgingConforming,
  ...patientServers,
  ...discreetServers,
  ...waryServers,
];

const embedded: Mutant = {
  ...{ name: 'the embedded server', wrong: 'nothing', clause: '', operations: [], turns: [] },
  mutation: () => () => undefined,
};

/** So many shops and their runs at once: each takes about one core of two. */
const shopsAtOnce = 2;

/** Runs the attacks against every attack mutant, and against the servers that are correct. */
export async function proveAttacks(options: ProveAttacks): Promise<AttackProof> {
  const { seed, seeds = 1, only = [], onProgress } = options;
  const right = correctServers.map((server) => ({ ...embedded, ...server }));
  const shops = [...racyShops, ...correctShops];
  const asked = new Set<unknown>(chosen([...attackMutants, ...right, embedded, ...shops], only));
  const mutants = attackMutants.filter((each) => asked.has(each));
  const isHere = !shops.some((each) => asked.has(each)) || shopIsHere();
  const chosenShops = (of: readonly RacyShop[]) => of.filter((each) => isHere && asked.has(each));
  const rounds: Round[] = [];
  for (let nth = 1; nth <= seeds; nth += 1)
    rounds.push(
      await proveOnce(nth === 1 ? seed : `${seed}.${nth}`, {
        mutants,
        right: right.filter((each) => asked.has(each)),
        shops: { racy: chosenShops(racyShops), correct: chosenShops(correctShops) },
        asksEmbedded: asked.has(embedded),
        asksGuards: nth === 1 && only.length === 0,
        onProgress: (done) => onProgress?.((nth - 1) * mutants.length + done, seeds * mutants.length),
      }),
    );
  const rows = (rounds[0]?.rows ?? []).map((_, at) =>
    overSeeds(rounds.map((round) => round.rows[at] as ProofRow)),
  );
  const turned = new Set(rows.flatMap((row) => row.turned));
  const passed = only.length === 0 ? (rounds[0]?.passed ?? []) : [];
  return {
    mutants: rows.length,
    found: rows.filter(({ outcome }) => outcome === 'killed').length,
    seeds,
    correct: rounds[0]?.correct ?? 0,
    bursts: rounds.reduce((sum, { bursts }) => sum + bursts, 0),
    accused: rounds.flatMap(({ accused }) => accused),
    unproven: passed.filter((id) => !turned.has(id)),
    guards: rounds.flatMap(({ guards }) => guards),
    leftOut: isHere ? [] : shops.filter((each) => asked.has(each)).map(({ name }) => name),
    rows,
  };
}

/** What one seed showed. */
interface Round extends Pick<AttackProof, 'correct' | 'bursts' | 'accused' | 'guards'> {
  readonly rows: readonly ProofRow[];
  /** Steps that passed on the embedded server. */
  readonly passed: readonly string[];
}

interface Asked {
  readonly mutants: readonly Mutant[];
  readonly right: readonly Mutant[];
  readonly shops: { readonly racy: readonly RacyShop[]; readonly correct: readonly RacyShop[] };
  readonly asksEmbedded: boolean;
  readonly asksGuards: boolean;
  readonly onProgress: (done: number) => void;
}

async function proveOnce(seed: string, asked: Asked): Promise<Round> {
  const { mutants, right, shops, asksEmbedded, asksGuards, onProgress } = asked;
  const ground = await openGround(seed);
  try {
    const prover = await attackProverOn(ground);
    const rows = await askAll(prover, mutants, onProgress, atOnce);
    const attackAll = (of: readonly RacyShop[]) =>
      sideBySide(of, shopsAtOnce, (each) => attackShop(each, seed));
    rows.push(...(await attackAll(shops.racy)));
    const before = prover.bursts();
    const { plain, profile } = asksEmbedded
      ? await prover.conforming()
      : { plain: new Map<string, never>(), profile: new Map<string, never>() };
    const held = [...(await askAll(prover, right, undefined, atOnce)), ...(await attackAll(shops.correct))];
    const bursts = prover.bursts() - before;
    const accused = [
      ...[...plain, ...profile].flatMap(([id, { outcome, why }]) =>
        violated(outcome) ? [`${id} on the embedded server (seed ${seed}): ${why}`] : [],
      ),
      ...held.flatMap(({ mutant, turned }) => turned.map((id) => `${id} on ${mutant} (seed ${seed})`)),
    ];
    const guards = asksGuards ? await proveAttackGuards(prover.prove, correctServers) : [];
    const passed = [...plain].flatMap(([id, { outcome }]) => (outcome === 'pass' ? [id] : []));
    return { rows, correct: (asksEmbedded ? 2 : 0) + held.length, bursts, accused, guards, passed };
  } finally {
    ground.close();
  }
}

/** The rows of one mutant, one for each seed, as one. */
function overSeeds(rows: readonly ProofRow[]): AttackRow {
  const foundWith = rows.filter(({ outcome }) => outcome === 'killed').length;
  const shown = rows.find(({ outcome }) => outcome !== 'killed') ?? (rows[0] as ProofRow);
  const isFound = foundWith * 20 >= rows.length * 19;
  return { ...shown, outcome: isFound ? 'killed' : 'survived', foundWith };
}

export const attacksHold = ({ mutants, found, accused, unproven, guards }: AttackProof): boolean =>
  found === mutants && accused.length === 0 && unproven.length === 0 && guards.every(({ needed }) => needed);

/** For `proof.json`. */
export const attackCounts = ({ accused, unproven: _, ...counts }: AttackProof) => ({
  ...counts,
  accused: accused.length,
});

/** For a terminal. */
export function attackLines(proof: AttackProof): string[] {
  const { mutants, found, seeds, correct, bursts, accused, unproven, guards, leftOut, rows } = proof;
  const missed = rows.filter(({ foundWith }) => foundWith < seeds);
  const withSeeds = seeds === 1 ? '' : `, each with 19 of 20 seeds or more (${seeds} were tried)`;
  return [
    ...missed.flatMap((row) => [
      `${row.mutant}: ${seeds === 1 ? 'not found' : `found with ${row.foundWith} of ${seeds} seeds`}`,
      ...row.missed.map(({ id, outcome, why }) => `    ${id} ${outcome}: ${why}`),
    ]),
    ...accused.map((line) => `accused: ${line}`),
    ...unproven.map((id) => `no mutant turns ${id}`),
    ...leftOut.map((name) => `LEFT OUT: ${name}, since this machine has no python3`),
    `${found} of ${mutants} attack mutants found${withSeeds} · ${accused.length} of ${correct} correct servers accused in ${bursts} bursts`,
    ...(guards.length > 0 ? attackGuardLines(guards) : []),
  ];
}
