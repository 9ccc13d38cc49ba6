// Runs one k6 process in its own process group, with a deadline; measures its CPU time, and shows no secret to others.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { totalmem } from 'node:os';
import { createInterface } from 'node:readline';

const everyMs = 250;
/** One measurement in this many counts sockets: there may be thousands. */
const countEvery = 4;
/** Linux counts in hundredths of a second, whatever its kernel's own tick. */
const ticksPerSecond = 100;
const pagesPerMiB = 256;

/** Measures a process until `stop`; without /proc every figure is 0. */
function startMeter(pid: number) {
  const begun = { at: performance.now(), ticks: used(pid)?.ticks ?? 0 };
  let latest = begun;
  // Sockets that are no connections: k6 writes its output through one.
  const others = socketsOf(pid);
  let sockets = 0;
  let memoryMiB = 0;
  let looks = 0;
  const look = setInterval(() => {
    looks += 1;
    if (looks % countEvery === 0) sockets = Math.max(sockets, socketsOf(pid) - others);
    const now = used(pid);
    if (now === undefined) return;
    latest = { at: performance.now(), ticks: now.ticks };
    memoryMiB = Math.max(memoryMiB, now.pages / pagesPerMiB);
  }, everyMs);
  return {
    /** Ends measuring. */
    stop(): Pick<K6End, 'cpu' | 'sockets' | 'memoryMiB'> {
      clearInterval(look);
      const seconds = (latest.at - begun.at) / 1_000;
      const cpu = seconds > 0 ? (latest.ticks - begun.ticks) / ticksPerSecond / seconds : 0;
      return { cpu, sockets, memoryMiB: Math.round(memoryMiB) };
    },
  };
}

/** User and system time of a process, and its resident memory. */
function used(pid: number): { readonly ticks: number; readonly pages: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return { ticks: Number(fields[11]) + Number(fields[12]), pages: Number(fields[21]) };
  } catch {
    return undefined;
  }
}

/** Sockets that a process has open. */
function socketsOf(pid: number): number {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).filter((name) => isSocket(`${folder}/${name}`)).length;
  } catch {
    return 0;
  }
}

function isSocket(path: string): boolean {
  try {
    return readlinkSync(path).startsWith('socket:');
  } catch {
    // It has been closed meanwhile.
    return false;
  }
}

interface K6Options {
  readonly k6: string;
  readonly script: string;
  /** Readable by this user alone; holds everything that k6 writes. */
  readonly folder: string;
  /** Environment variables of k6 and of its script (`__ENV`); they are never shown. */
  readonly variables: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** When the process is killed. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
}

export interface K6End {
  readonly code: number | null;
  readonly ended: 'by itself' | 'killed' | 'interrupted';
  /** Cores used, on average. */
  readonly cpu: number;
  /** Peak resident memory. */
  readonly memoryMiB: number;
  /** Most connections that were seen open at once: k6 closes none by itself. */
  readonly sockets: number;
  /** The last lines that were k6's own. */
  readonly lastOutput: readonly string[];
}

const lastLines = 12;
/**
 * By default k6 collects garbage when its memory has doubled, which is often where little is live. With this value of
 * GOGC memory may grow fivefold, up to half of the machine's: https://go.dev/doc/gc-guide#GOGC.
 */
const collectAt = '400';
/** The script counts for itself: k6 would keep every sample of every trend until the end. */
export const countingAlone = { K6_NO_THRESHOLDS: 'true', K6_SUMMARY_MODE: 'disabled' } as const;
/** Time to exit after the request to stop. */
const exitTimeoutMs = 500;

export function runK6(options: K6Options): Promise<K6End> {
  const { k6, script, folder, variables, args = [], limitMs, signal, onLine } = options;
  const lastOutput: string[] = [];
  return new Promise((settle) => {
    const child = spawn(
      k6,
      ['run', '--quiet', '--no-color', '--log-format', 'raw', '--no-usage-report', ...args, script],
      {
        cwd: folder,
        detached: true,
        stdio: ['ignore', 'ignore', 'pipe'],
        // Nothing of the user's own: neither a k6 configuration nor tokens that happen to be set.
        env: {
          PATH: process.env.PATH ?? '',
          HOME: folder,
          K6_NO_USAGE_REPORT: 'true',
          ...countingAlone,
          GOGC: collectAt,
          GOMEMLIMIT: `${Math.floor(totalmem() / 2)}`,
          K6_AUTO_EXTENSION_RESOLUTION: 'false',
          ...variables,
        },
      },
    );
    let ended: K6End['ended'] = 'by itself';
    let meter: ReturnType<typeof startMeter> | undefined;
    const all = (name: NodeJS.Signals) => {
      try {
        if (child.pid) process.kill(-child.pid, name);
      } catch {
        // The process has ended.
      }
    };
    const last = () => all('SIGKILL');
    process.once('exit', last);
    const timer = setTimeout(() => {
      ended = 'killed';
      last();
    }, limitMs);
    let hurry: NodeJS.Timeout | undefined;
    const interrupt = () => {
      ended = 'interrupted';
      all('SIGTERM');
      hurry = setTimeout(last, exitTimeoutMs);
    };
    signal.addEventListener('abort', interrupt, { once: true });
    child.once('spawn', () => {
      meter = startMeter(child.pid ?? 0);
      if (signal.aborted) interrupt();
    });
    child.once('error', (error) => lastOutput.push(error.message));
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (line.startsWith('assay ')) return onLine(line.slice(6));
      lastOutput.push(line.slice(0, 500));
      if (lastOutput.length > lastLines) lastOutput.shift();
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      clearTimeout(hurry);
      process.removeListener('exit', last);
      signal.removeEventListener('abort', interrupt);
      last();
      settle({ code, ended, ...(meter?.stop() ?? { cpu: 0, sockets: 0, memoryMiB: 0 }), lastOutput });
    });
  });
}
