import { readFileSync } from 'node:fs';

export interface CpuMeter {
  /** Ends measuring; cores used on average while it ran. */
  stop(): number;
}

const everyMs = 250;
/** Linux counts in hundredths of a second, whatever its kernel's own tick. */
const ticksPerSecond = 100;

/** Where there is no /proc it measures nothing, and says 0. */
export function startCpuMeter(pid: number): CpuMeter {
  const begun = { at: performance.now(), ticks: ticksOf(pid) ?? 0 };
  let latest = begun;
  const look = setInterval(() => {
    const ticks = ticksOf(pid);
    if (ticks !== undefined) latest = { at: performance.now(), ticks };
  }, everyMs);
  return {
    stop() {
      clearInterval(look);
      const seconds = (latest.at - begun.at) / 1_000;
      return seconds > 0 ? (latest.ticks - begun.ticks) / ticksPerSecond / seconds : 0;
    },
  };
}

/** User and system time of a process. */
function ticksOf(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return undefined;
  }
}
