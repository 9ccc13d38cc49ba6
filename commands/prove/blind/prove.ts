// Runs Assay, as a user does, against every blind server: correct, and with each bug; without a profile and with one.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../../engine/files.ts';
import type { RunResult } from '../../../engine/run/result.ts';
import { readStoredResult } from '../../../engine/run/stored-result.ts';
import { ConfigurationError } from '../../../engine/values/configuration-error.ts';
import { quoted } from '../../../engine/values/text.ts';
import {
  type BlindMutant,
  type BlindServer,
  blindServers,
  heldBack,
} from '../../../fixtures/blind/servers.ts';
import { sideBySide } from '../side-by-side.ts';
import { type CorrectRuns, correctRunsOf, type Score, scoreOf } from './score.ts';

export interface BlindRow {
  readonly server: string;
  readonly mutant: string;
  readonly cause: string;
  /** Of the third that is drawn to be tried last. */
  readonly isHeldBack: boolean;
  /** With neither profile nor baseline, with the profile, with profile and baseline. */
  readonly bare: Score;
  readonly profile: Score;
  readonly baseline: Score;
}

/** Failures of a correct server. */
export interface WrongedServer {
  readonly server: string;
  readonly hasProfile: boolean;
  /** Ids of checks. */
  readonly failed: readonly string[];
}

export interface Blind {
  readonly rows: readonly BlindRow[];
  readonly wronged: readonly WrongedServer[];
  /** Servers whose runtime this machine lacks. */
  readonly leftOut: readonly string[];
}

export interface BlindOptions {
  /** Judges the third that is held back too. */
  readonly withHeldBack: boolean;
  /** Parts of `SERVER/MUTANT`; all where there is none. */
  readonly only: readonly string[];
  readonly onRow: (row: BlindRow, done: number, of: number) => void;
}

/** Runs side by side: each takes about one core of two. */
const atOnce = 2;
const runLimitMs = 180_000;

/**
 * @throws ConfigurationError where no bug has such a name
 * @throws Error where a server does not start, or a run ends without a verdict
 */
export async function proveBlind({ withHeldBack, only, onRow }: BlindOptions): Promise<Blind> {
  const chosen = (server: BlindServer) =>
    server.mutants.filter((mutant) => {
      const id = idOf(server, mutant);
      return (
        (withHeldBack || !heldBack.has(id)) && (only.length === 0 || only.some((part) => id.includes(part)))
      );
    });
  const wanted = blindServers.filter((server) => chosen(server).length > 0);
  const servers = wanted.filter((server) => server.isHere());
  const of = servers.reduce((sum, server) => sum + chosen(server).length, 0);
  if (wanted.length === 0)
    throw new ConfigurationError([
      `--only: no bug of a blind server that is tried is named ${only.map(quoted).join(', ')}; docs/proof.md lists them as server and bug (SERVER/BUG), those that are held back with --held-back`,
    ]);
  const rows: BlindRow[] = [];
  const wronged: WrongedServer[] = [];
  for (const server of servers) {
    const bare = await correctRuns(server, false);
    const profiled = await correctRuns(server, true);
    wronged.push(...[wrongedBy(server, bare, false), wrongedBy(server, profiled, true)].flat());
    await sideBySide(chosen(server), atOnce, async (mutant) => {
      const withoutProfile = await runAgainst(server, mutant.name, false);
      const withProfile = await runAgainst(server, mutant.name, true);
      const row: BlindRow = {
        server: server.name,
        mutant: mutant.name,
        cause: mutant.cause,
        isHeldBack: heldBack.has(idOf(server, mutant)),
        bare: scoreOf(mutant, bare, withoutProfile, false),
        profile: scoreOf(mutant, profiled, withProfile, false),
        baseline: scoreOf(mutant, profiled, withProfile, true),
      };
      rows.push(row);
      onRow(row, rows.length, of);
    });
  }
  return { rows, wronged, leftOut: wanted.filter((each) => !servers.includes(each)).map(({ name }) => name) };
}

const idOf = ({ name }: BlindServer, mutant: BlindMutant) => `${name}/${mutant.name}`;

async function correctRuns(server: BlindServer, hasProfile: boolean): Promise<CorrectRuns> {
  const run = () => runAgainst(server, undefined, hasProfile);
  return correctRunsOf(await Promise.all([run(), run()]));
}

function wrongedBy({ name }: BlindServer, { runs }: CorrectRuns, hasProfile: boolean): WrongedServer[] {
  const failed = new Set(
    runs.flatMap(({ checks }) => checks.filter(({ outcome }) => outcome === 'fail').map(({ id }) => id)),
  );
  return failed.size === 0 ? [] : [{ server: name, hasProfile, failed: [...failed] }];
}

/** One run against one server, both of them processes of their own. */
async function runAgainst(
  server: BlindServer,
  mutant: string | undefined,
  hasProfile: boolean,
): Promise<RunResult> {
  const out = mkdtempSync(join(tmpdir(), 'assay-blind-'));
  const { hosts, close } = await server.start(mutant);
  try {
    const profile = hasProfile ? ['--profile', server.profile] : [];
    const args = ['--import', './runtime.js', 'cli.ts', 'run', '--out', out, ...profile];
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { PATH: process.env.PATH, SEED: '1', ...hosts },
      stdio: 'ignore',
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), runLimitMs);
    const exit = await new Promise((resolve) => child.once('exit', resolve));
    clearTimeout(timer);
    if (exit !== 0 && exit !== 1) throw new Error(`the run against ${server.name} ended with ${exit}`);
    return readStoredResult(join(out, 'result.json'), 'prove --blind');
  } finally {
    close();
    rmSync(out, { recursive: true });
  }
}
