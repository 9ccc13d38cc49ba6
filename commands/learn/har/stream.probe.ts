// Learns from the given HAR and prints the peak of its memory in MiB. It is a process of its own, so that nothing else
// counts.
import { existsSync, readFileSync } from 'node:fs';
import { learnFromCaptures } from './read-har.ts';

const status = '/proc/self/status';

/** Reads VmHWM, which counts this process alone: Linux's maxRSS includes what the parent held when it started it. */
function peakKiB(): number {
  const peak = existsSync(status) ? /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(status, 'utf8')) : null;
  return peak ? Number(peak[1]) : process.resourceUsage().maxRSS;
}

const { counts } = await learnFromCaptures(process.argv.slice(2));
console.log(JSON.stringify({ ...counts, peakMiB: Math.round(peakKiB() / 1024) }));
