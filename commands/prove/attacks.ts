// Proves the attacks: each server without a lock or a check of ownership is found, and no correct one is accused.
import { attackMutants, lockedServers } from '../../fixtures/mutants/attacks.ts';
import { waryServers } from '../../fixtures/mutants/correct-servers.ts';
import { forgingConforming } from '../../fixtures/mutants/forging.ts';
import { httpConforming } from '../../fixtures/mutants/http-attacks.ts';
import { discreetServers } from '../../fixtures/mutants/leaks.ts';
import { patientServers } from '../../fixtures/mutants/lost-answers.ts';
import { type AttackGuardRow, attackGuardLines, proveAttackGuards } from './attack-guards.ts';
import type { ProofRow } from './prove.ts';
import { askAll, attackProverOn, chosen, openGround } from './prove.ts';

export interface AttackProof {
  readonly mutants: number;
  readonly found: number;
  /** Correct servers that were tried: the embedded one without and with its profile, and racy ones with their locks. */
  readonly correct: number;
  /** Steps that accused one of them. */
  readonly accused: readonly string[];
  /** Steps that passed on the embedded server and that no mutant turned. */
  readonly unproven: readonly string[];
  /** What keeps the steps from wronging correct servers, each taken away in turn. */
  readonly guards: readonly AttackGuardRow[];
  readonly rows: readonly ProofRow[];
}

export interface ProveAttacks {
  readonly seed: string;
  /** Names of mutants to ask, or parts of them; all of them, and the correct servers, where there is none. */
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

/** Runs the attacks against every attack mutant, and against the servers that are correct. */
export async function proveAttacks({ seed, only = [], onProgress }: ProveAttacks): Promise<AttackProof> {
  const mutants = chosen(attackMutants, only);
  const ground = await openGround(seed);
  try {
    const prover = await attackProverOn(ground);
    const rows = await askAll(prover, mutants, onProgress, atOnce);
    if (only.length > 0) return proofOf(rows, new Map(), []);
    const { plain, profile } = await prover.conforming();
    const servers = correctServers.map((server) => ({
      ...{ wrong: 'nothing', clause: '', operations: [] },
      ...server,
    }));
    const held = await askAll(prover, servers, undefined, atOnce);
    const accused = [
      ...[...plain, ...profile].flatMap(([id, { outcome, why }]) =>
        violated(outcome) ? [`${id} on the embedded server: ${why}`] : [],
      ),
      ...held.flatMap(({ mutant, turned }) => turned.map((id) => `${id} on ${mutant}`)),
    ];
    const guards = await proveAttackGuards(prover.prove, correctServers);
    return { ...proofOf(rows, plain, accused), correct: 2 + held.length, guards };
  } finally {
    ground.close();
  }
}

function proofOf(
  rows: readonly ProofRow[],
  plain: ReadonlyMap<string, { readonly outcome: string }>,
  accused: readonly string[],
): AttackProof {
  const turned = new Set(rows.flatMap((row) => row.turned));
  return {
    mutants: rows.length,
    found: rows.filter(({ outcome }) => outcome === 'killed').length,
    correct: 0,
    accused,
    guards: [],
    unproven: [...plain].flatMap(([id, { outcome }]) => (outcome === 'pass' && !turned.has(id) ? [id] : [])),
    rows,
  };
}

export const attacksHold = ({ mutants, found, accused, unproven, guards }: AttackProof): boolean =>
  found === mutants && accused.length === 0 && unproven.length === 0 && guards.every(({ needed }) => needed);

/** For `proof.json`. */
export const attackCounts = ({ mutants, found, correct, accused, guards, rows }: AttackProof) => ({
  mutants,
  found,
  correct,
  accused: accused.length,
  guards,
  rows,
});

/** For a terminal. */
export function attackLines(proof: AttackProof): string[] {
  const { mutants, found, correct, accused, unproven, guards, rows } = proof;
  const missed = rows.filter(({ outcome }) => outcome !== 'killed');
  return [
    ...missed.flatMap((row) => [
      `${row.mutant}: not found`,
      ...row.missed.map(({ id, outcome, why }) => `    ${id} ${outcome}: ${why}`),
    ]),
    ...accused.map((line) => `accused: ${line}`),
    ...unproven.map((id) => `no mutant turns ${id}`),
    `${found} of ${mutants} attack mutants found · ${accused.length} of ${correct} correct servers accused`,
    ...(guards.length > 0 ? attackGuardLines(guards) : []),
  ];
}
