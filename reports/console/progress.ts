// Shows on the console how far a run is: one line redrawn on a terminal, few plain lines elsewhere.
import { counted, whole } from '../../engine/values/text.ts';
import { columnsOf, cutToWidth } from './layout.ts';

/** Milliseconds between two drawings: smooth on a terminal, sparse in a CI log. */
const pause = { terminal: 100, log: 2000 } as const;
const barWidth = 24;

interface ProgressOptions {
  readonly stream: { write(text: string): unknown; readonly columns?: number };
  /** Checks planned. */
  readonly total: number;
  readonly isTerminal: boolean;
  /** A clock in milliseconds; only differences count. */
  readonly now: () => number;
}

export interface Progress {
  /** Takes note of how far the run is; draws when it is time. */
  tick(counts: { readonly done: number; readonly failed: number }): void;
  /** Takes the progress line away. */
  done(): void;
}

/** Progress of one run, its clock starting now. */
export function createProgress({ stream, total, isTerminal, now }: ProgressOptions): Progress {
  const started = now();
  const wait = isTerminal ? pause.terminal : pause.log;
  let drawn = started;
  const clear = isTerminal ? '\r\x1b[2K' : '';
  return {
    tick(counts) {
      const at = now();
      if (at - drawn < wait) return;
      drawn = at;
      const state = `${tally(counts, total)} · ${((at - started) / 1000).toFixed(isTerminal ? 1 : 0)} s`;
      const width = columnsOf(stream, 80) - 1;
      stream.write(
        isTerminal ? clear + cutToWidth(`${bar(counts.done, total)} ${state}`, width) : `${state}\n`,
      );
    },
    done() {
      stream.write(clear);
    },
  };
}

function tally({ done, failed }: { readonly done: number; readonly failed: number }, total: number): string {
  return `${whole(done)} of ${counted(total, 'check')} · ${whole(failed)} failed`;
}

function bar(done: number, total: number): string {
  const full = total === 0 ? 0 : Math.min(barWidth, Math.floor((done / total) * barWidth));
  return `[${'#'.repeat(full)}${'.'.repeat(barWidth - full)}]`;
}
