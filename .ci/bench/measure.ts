// One child process, timed from outside and asked for its own CPU time and peak memory when it ends.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
export const floorScript = fileURLToPath(new URL('./floor.ts', import.meta.url));
/** The command of the package, which `npm pack` builds. */
export const packaged = 'dist/assay.cjs';
const killAfterMs = 120_000;

/** CPU time of all threads, user and system. What is of checks is 0 where no result was written. */
export interface Usage {
  readonly wallMs: number;
  /** From the start of the process to that of its first check. */
  readonly firstCheckMs: number;
  readonly cpuMs: number;
  readonly peakMiB: number;
  readonly requests: number;
  readonly judged: number;
}

/** Runs a script of this project to its end. `out` is where it leaves its result.json, where it makes one. */
export async function measure(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  out?: string,
): Promise<Usage> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-usage-'));
  const file = join(folder, 'usage.json');
  const report = `data:text/javascript,import{writeFileSync}from'node:fs';process.on('exit',()=>writeFileSync(process.env.ASSAY_USAGE,JSON.stringify(process.resourceUsage())))`;
  const begunAt = Date.now();
  const begun = performance.now();
  // The package's command sets for itself what `npm start` gives node.
  const flags = args[0] === packaged ? [] : startFlags();
  const child = spawn(process.execPath, [...flags, '--import', report, ...args], {
    cwd: root,
    stdio: 'ignore',
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env, ASSAY_USAGE: file },
    timeout: killAfterMs,
    killSignal: 'SIGKILL',
  });
  await new Promise((resolve) => child.once('exit', resolve));
  const wallMs = performance.now() - begun;
  const usage = JSON.parse(readFileSync(file, 'utf8')) as NodeJS.ResourceUsage;
  rmSync(folder, { recursive: true });
  const result = out === undefined ? undefined : JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'));
  const startedAt = (result?.checks ?? []).map((check: { readonly startedAt: string }) =>
    Date.parse(check.startedAt),
  );
  const { pass = 0, fail = 0, warn = 0, observed = 0 } = result?.summary ?? {};
  return {
    wallMs,
    firstCheckMs: startedAt.length === 0 ? 0 : Math.min(...startedAt) - begunAt,
    cpuMs: (usage.userCPUTime + usage.systemCPUTime) / 1_000,
    peakMiB: usage.maxRSS / 1_024,
    requests: result?.requests ?? 0,
    judged: pass + fail + warn + observed,
  };
}

/** The arguments that `npm start` gives node, up to the script. */
function startFlags(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [node, ...words] = (scripts.start as string).split(' ');
  if (node !== 'node' || !words.includes('cli.ts')) throw new Error('npm start is no "node … cli.ts …"');
  return words.slice(0, words.indexOf('cli.ts'));
}
