// Proves the attacks: each server without a lock or a check of ownership is found, and no correct one is accused.
import { goesOnAfter } from '../../engine/attack/waiting.ts';
import { accusing } from '../../engine/judgement.ts';
import { sideBySide } from '../../engine/values/side-by-side.ts';
import { flip } from '../../engine/values/switch-points.ts';
import { attackMutants } from '../../fixtures/mutants/attacks/all.ts';
import { waryServers } from '../../fixtures/mutants/attacks/correct-servers.ts';
import { forgingConforming } from '../../fixtures/mutants/attacks/forging.ts';
import { httpConforming } from '../../fixtures/mutants/attacks/http.ts';
import { discreetServers } from '../../fixtures/mutants/attacks/leaks.ts';
import { refusingWhileUnderWay } from '../../fixtures/mutants/attacks/lost-answers.ts';
import { lockedServers } from '../../fixtures/mutants/attacks/races.ts';
import type { Mutant } from '../../fixtures/mutants/mutant.ts';
import { correctShops, type RacyShop, racyShops, shopIsHere } from '../../fixtures/racy-shop/servers.ts';
import { type AttackGuardRow, attackGuardLines, proveAttackGuards } from './attack-guards.ts';
import { judgeAll, judgeMissedAgain } from './judge-all.ts';
import { askedAgainLines } from './matrix.ts';
import type { ProofRow } from './prover.ts';
import { attackProverOn, chosen, openGround } from './prover.ts';
import { attackShop } from './racy-shops.ts';

export interface AttackProof {
  readonly mutants: number;
  /** Mutants that were found with 19 of 20 seeds or more. */
  readonly found: number;
  /** How many seeds each mutant and each correct server was tried with. */
  readonly seeds: number;
  /** Correct servers that were tried: the embedded one without and with its profile, and racy ones with their locks. */
  readonly correct: number;
  /** How often several calls were sent to a correct server at one moment. */
  readonly bursts: number;
  /** Steps that accused a correct server. */
  readonly accused: readonly string[];
  /** Steps that passed on the embedded server and that no mutant turned. */
  readonly unproven: readonly string[];
  /** What removing each guard showed; guards keep the steps from accusing correct servers. */
  readonly guards: readonly AttackGuardRow[];
  /** Servers whose runtime this machine lacks. */
  readonly leftOut: readonly string[];
  readonly rows: readonly AttackRow[];
}

/** What the first seed that missed the mutant showed; where none missed it, what the first seed showed. */
interface AttackRow extends ProofRow {
  /** Seeds with which it was found. */
  readonly foundWith: number;
}

export interface ProveAttacks {
  readonly seed: string;
  /** How many seeds to attack with: this one and those derived from it. Default 1. */
  readonly seeds?: number;
  /** Names of mutants and correct servers to ask, or parts of names. Default: all of them, and the guards. */
  readonly only?: readonly string[];
  readonly onProgress?: (done: number, of: number) => void;
  /** Called with what a seed showed, in words. */
  readonly onSeed?: (line: string) => void;
}

/** Most mutants that are attacked at once: most of the time each waits, and their servers share this thread. */
const atOnce = 12;
/** Fewest bursts to send to correct servers: those that get bursts are asked with further seeds until it is reached. */
const leastBursts = 2_000;
/** Servers that do what is right or allowed, each with the steps that must not accuse it. */
export const correctServers = [
  ...lockedServers.map((server) => ({ ...server, name: `the locked server of ${server.turns[0]}` })),
  ...httpConforming,
  ...forgingConforming,
  ...refusingWhileUnderWay,
  ...discreetServers,
  ...waryServers,
];

const embedded: Mutant = {
  name: 'the embedded server',
  wrong: 'nothing',
  clause: '',
  operations: [],
  turns: [],
  mutation: () => () => undefined,
};

/** Shops that run at once: each takes about one core of two. */
const shopsAtOnce = 2;

/** Runs the attacks against every attack mutant, and against the servers that are correct. */
export async function proveAttacks(options: ProveAttacks): Promise<AttackProof> {
  const { seed, seeds = 1, only = [], onProgress, onSeed } = options;
  const right = correctServers.map((server) => ({ ...embedded, ...server }));
  const shops = [...racyShops, ...correctShops];
  const chosenOnes = new Set<unknown>(chosen([...attackMutants, ...right, embedded, ...shops], only));
  const isHere = !shops.some((each) => chosenOnes.has(each)) || shopIsHere();
  const mutants = attackMutants.filter((each) => chosenOnes.has(each));
  const asked: AttackedServers = {
    mutants,
    racyShops: racyShops.filter((each) => isHere && chosenOnes.has(each)),
    right: right.filter((each) => chosenOnes.has(each)),
    correctShops: correctShops.filter((each) => isHere && chosenOnes.has(each)),
    asksEmbedded: chosenOnes.has(embedded),
    asksGuards: only.length === 0,
  };
  const all = seeds * mutants.length;
  const rounds: Round[] = [];
  const ask = async (what: AttackedServers) => {
    const nth = rounds.length;
    const tell = (done: number) => onProgress?.(nth * mutants.length + done, all);
    const own = nth === 0 ? seed : `${seed}.${nth + 1}`;
    const begun = performance.now();
    const putBack = nth === 0 ? () => {} : endingAtFirst();
    const round = await proveOnce(own, what, tell).finally(putBack);
    rounds.push(round);
    const missed = round.rows.flatMap((row) => (row.outcome === 'killed' ? [] : [row.mutant]));
    const found = `${round.rows.length - missed.length} of ${round.rows.length} found, `;
    onSeed?.(
      `seed ${own}: ${round.rows.length > 0 ? found : ''}${round.accused.length} accused in ${round.bursts} bursts, ${Math.round((performance.now() - begun) / 1_000)} s${missed.map((name) => `; not ${name}`).join('')}${round.accused.map((line) => `\n    accused: ${line}`).join('')}`,
    );
    return round;
  };
  const first = await ask(asked);
  const bursts = () => rounds.reduce((sum, round) => sum + round.bursts, 0);
  const sending = new Set(first.held.flatMap((row) => (row.bursts ? [row.mutant] : [])));
  const sends = ({ name }: { readonly name: string }) => sending.has(name);
  const sendingOnes = { right: asked.right.filter(sends), correctShops: asked.correctShops.filter(sends) };
  const noneOfThem = { right: [], correctShops: [], asksEmbedded: false };
  const isEnough = () => only.length === 0 && bursts() >= leastBursts;
  while (rounds.length < seeds)
    await ask({ ...asked, ...(isEnough() ? noneOfThem : sendingOnes), asksGuards: false });
  while (only.length === 0 && !isEnough())
    await ask({ ...asked, ...sendingOnes, mutants: [], racyShops: [], asksGuards: false });

  const asking = rounds.slice(0, seeds);
  const rows = first.rows.map((_, at) => overSeeds(asking.map((round) => round.rows[at] as ProofRow)));
  const turned = new Set(rows.flatMap((row) => row.turned));
  return {
    mutants: rows.length,
    found: rows.filter(({ outcome }) => outcome === 'killed').length,
    seeds,
    correct: (asked.asksEmbedded ? 2 : 0) + first.held.length,
    bursts: bursts(),
    accused: rounds.flatMap(({ accused }) => accused),
    unproven: only.length === 0 ? first.passed.filter((id) => !turned.has(id)) : [],
    guards: first.guards,
    leftOut: isHere ? [] : shops.filter((each) => chosenOnes.has(each)).map(({ name }) => name),
    rows,
  };
}

/** Ends an attack at its first finding. Only the first seed has to show in how many rounds a fault shows. */
export const endingAtFirst = (): (() => void) => flip(goesOnAfter, (decides) => !decides);

/** What one seed showed. */
interface Round extends Pick<AttackProof, 'bursts' | 'accused' | 'guards'> {
  readonly rows: readonly ProofRow[];
  /** Rows of the correct servers. */
  readonly held: readonly ProofRow[];
  /** Steps that passed on the embedded server. */
  readonly passed: readonly string[];
}

interface AttackedServers {
  readonly mutants: readonly Mutant[];
  readonly racyShops: readonly RacyShop[];
  readonly right: readonly Mutant[];
  readonly correctShops: readonly RacyShop[];
  readonly asksEmbedded: boolean;
  readonly asksGuards: boolean;
}

async function proveOnce(
  seed: string,
  asked: AttackedServers,
  onProgress: (done: number) => void,
): Promise<Round> {
  const ground = await openGround(seed);
  try {
    const prover = attackProverOn(ground);
    const attackAll = (of: readonly RacyShop[]) =>
      sideBySide(of, shopsAtOnce, (each) => attackShop(each, seed));
    const both = async (servers: readonly Mutant[], shops: readonly RacyShop[], tell?: typeof onProgress) =>
      (await Promise.all([judgeAll(prover, servers, tell, atOnce), attackAll(shops)])).flat();
    const rows = await judgeMissedAgain(await both(asked.mutants, asked.racyShops, onProgress), (name) => {
      const server = asked.mutants.find((mutant) => mutant.name === name);
      const shop = asked.racyShops.find((racy) => racy.name === name);
      return server ? prover.prove(server) : shop && attackShop(shop, seed);
    });
    const [held, untouched] = await Promise.all([
      both(asked.right, asked.correctShops),
      asked.asksEmbedded ? prover.conforming() : undefined,
    ]);
    const seen = untouched ? [...untouched.outcomes.plain, ...untouched.outcomes.profile] : [];
    const accused = [
      ...seen.flatMap(([id, { outcome, why }]) =>
        accusing.has(outcome) ? [`${id} on the embedded server (seed ${seed}): ${why}`] : [],
      ),
      ...held.flatMap(({ mutant, turned }) => turned.map((id) => `${id} on ${mutant} (seed ${seed})`)),
    ];
    const bursts = held.reduce((sum, row) => sum + (row.bursts ?? 0), untouched?.bursts ?? 0);
    const guards = asked.asksGuards ? await proveAttackGuards(prover.prove, correctServers) : [];
    const passed = [...(untouched?.outcomes.plain ?? [])].flatMap(([id, { outcome }]) =>
      outcome === 'pass' ? [id] : [],
    );
    return { rows, held, bursts, accused, guards, passed };
  } finally {
    ground.close();
  }
}

/** Merges the rows of one mutant, one for each seed, into one. */
function overSeeds(rows: readonly ProofRow[]): AttackRow {
  const foundWith = rows.filter(({ outcome }) => outcome === 'killed').length;
  const shown = rows.find(({ outcome }) => outcome !== 'killed') ?? (rows[0] as ProofRow);
  const isFound = foundWith * 20 >= rows.length * 19;
  const askedAgain = rows.some((row) => row.askedAgain);
  return { ...shown, ...(askedAgain && { askedAgain }), outcome: isFound ? 'killed' : 'survived', foundWith };
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
    ...askedAgainLines(rows),
    ...leftOut.map((name) => `LEFT OUT: ${name}, since this machine has no python3`),
    `${found} of ${mutants} attack mutants found${withSeeds} · ${accused.length} of ${correct} correct servers accused in ${bursts} bursts`,
    ...(guards.length > 0 ? attackGuardLines(guards) : []),
  ];
}

/** The same as Markdown, with a row for each mutant. */
export const attackMarkdown = (proof: AttackProof): string =>
  [
    ...attackLines(proof).flatMap((line) => [line, '']),
    '| mutant | what is wrong | found by | seeds |',
    '|---|---|---|---|',
    ...proof.rows.map(({ mutant, wrong, turned, foundWith }) => {
      const cells = [mutant, wrong, turned.join(', ') || '–', `${foundWith} of ${proof.seeds}`];
      return `| ${cells.join(' | ').replaceAll('\n', ' ')} |`;
    }),
    '',
  ].join('\n');
