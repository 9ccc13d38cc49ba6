// Runs a script in a child process, and measures its duration, CPU time and peak memory.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Reads a server's health with bare undici: the least CPU time that sending so many requests takes. */
export const floorScript = fileURLToPath(new URL('./floor.ts', import.meta.url));
/** The command of the npm package, which `npm pack` builds. */
export const packageCommand = 'dist/assay.cjs';
const killAfterMs = 120_000;

/** What one process used. What comes from its result.json is 0 if there is none. */
export interface Usage {
  readonly wallMs: number;
  /** From the start of the process to the start of its first check; from result.json. */
  readonly firstCheckMs: number;
  /** CPU time of all threads, user and system. */
  readonly cpuMs: number;
  readonly peakMiB: number;
  /** Requests that it sent; from result.json. */
  readonly requests: number;
  /** Checks that it judged: all but the inconclusive ones and those not triggered; from result.json. */
  readonly judged: number;
}

/**
 * Runs a script of this project to its end.
 * @param args the script and its arguments
 * @param env what the script gets beside PATH and HOME
 * @param out the folder of its result.json, if it writes one
 */
export async function measure(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  out?: string,
): Promise<Usage> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-usage-'));
  const usageFile = join(folder, 'usage.json');
  // Node loads this before the script: it writes the usage when the process ends.
  const usageReporter = `data:text/javascript,import{writeFileSync}from'node:fs';process.on('exit',()=>writeFileSync(process.env.ASSAY_USAGE,JSON.stringify(process.resourceUsage())))`;
  const begunAt = Date.now(); // comparable with the time stamps of result.json
  const begun = performance.now();
  // The package's command sets these flags itself.
  const flags = args[0] === packageCommand ? [] : startFlags();
  const child = spawn(process.execPath, [...flags, '--import', usageReporter, ...args], {
    cwd: root,
    stdio: 'ignore',
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env, ASSAY_USAGE: usageFile },
    timeout: killAfterMs,
    killSignal: 'SIGKILL',
  });
  await new Promise((resolve) => child.once('exit', resolve));
  const wallMs = performance.now() - begun;
  const usage = JSON.parse(readFileSync(usageFile, 'utf8')) as NodeJS.ResourceUsage;
  rmSync(folder, { recursive: true });
  const result = out === undefined ? undefined : JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'));
  const startedAt = (result?.checks ?? []).map((check: { readonly startedAt: string }) =>
    Date.parse(check.startedAt),
  );
  const { pass = 0, fail = 0, warn = 0, observed = 0 } = result?.summary ?? {};
  return {
    wallMs,
    firstCheckMs: startedAt.length === 0 ? 0 : Math.min(...startedAt) - begunAt,
    // In µs; `maxRSS` is in KiB.
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
  if (node !== 'node' || !words.includes('cli.ts'))
    throw new Error('the script "start" of package.json is not "node … cli.ts …"');
  return words.slice(0, words.indexOf('cli.ts'));
}
