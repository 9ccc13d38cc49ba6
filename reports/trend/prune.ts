// Stored runs that are too old, taken away on request alone.
import { rmSync } from 'node:fs';
import { ConfigurationError } from '../../fixtures/target/configuration-error.ts';
import { quoted } from '../../fixtures/target/quoted.ts';
import type { Gathered } from './gather.ts';

const dayMs = 86_400_000;

/**
 * `90d` in milliseconds.
 * @throws ConfigurationError where it is no number of days from 1 to 36500
 */
export function ageOf(text: string): number {
  const [, days] = /^(\d{1,5})d$/.exec(text) ?? [];
  const count = Number(days);
  if (count >= 1 && count <= 36_500) return count * dayMs;
  throw new ConfigurationError([
    `--prune-older-than: ${quoted(text)}; expected a number of days from 1d to 36500d`,
  ]);
}

/** Files of runs that began before then; what could not be read is nobody's to judge, and stays. */
export function filesBefore({ history, loads }: Gathered, then: number): string[] {
  const all = [
    ...history.runs.map(({ file, facts }) => ({ file, startedAt: facts.startedAt })),
    ...loads.map(({ file, startedAt }) => ({ file, startedAt })),
  ];
  return all.filter(({ startedAt }) => Date.parse(startedAt) < then).map(({ file }) => file);
}

/**
 * Removes them, each told before the next.
 * @throws ConfigurationError where one cannot be removed; those before it are gone
 */
export function prune(files: readonly string[], tell: (line: string) => void): void {
  for (const file of files) {
    try {
      rmSync(file);
    } catch (error) {
      throw new ConfigurationError([
        `--prune-older-than: ${quoted(file)} cannot be removed (${(error as NodeJS.ErrnoException).code})`,
      ]);
    }
    tell(`removed ${file}`);
  }
}

/** What was gathered, without what came from these files. */
export function without(gathered: Gathered, files: ReadonlySet<string>): Gathered {
  const { history, loads } = gathered;
  const isLeft = ({ file }: { readonly file: string }) => !files.has(file);
  return {
    ...gathered,
    history: { ...history, runs: history.runs.filter(isLeft) },
    loads: loads.filter(isLeft),
  };
}
