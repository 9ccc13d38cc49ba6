// `learn --expects`: pins how a good server answers open points, where two runs agree.

import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { behaviourValue } from '../../catalog/behaviours.ts';
import { temporaryFolder } from '../../engine/files.ts';
import { type OpenedTarget, openTarget } from '../../engine/run/open-target.ts';
import { chosenIn } from '../../engine/run/pins.ts';
import type { RunResult } from '../../engine/run/result.ts';
import { startRunner } from '../../engine/run/runner.ts';
import { randomRunId } from '../../engine/target/target.ts';
import { defaultLimits } from '../../engine/values/default-limits.ts';
import { writePins } from '../accept.ts';
import { workerEntry } from '../run/warm-threads.ts';
import { startEmbedded } from '../serve/embedded.ts';
import type { LearnRunOptions } from './from-run.ts';

interface ExpectsOptions extends Pick<LearnRunOptions, 'env' | 'cwd' | 'insecure' | 'rate' | 'readOnly'> {
  /** The profile: the runs use it, and it gets the pins. */
  readonly output: string;
}

const budgetMs = 600_000;

/**
 * Runs twice with the profile that was learnt, and writes into it what both runs saw.
 * @returns lines that say what was pinned
 */
export async function learnExpects(options: ExpectsOptions): Promise<string[]> {
  const { cwd, output } = options;
  const opened = await openTarget({ ...options, profile: output, embedded: startEmbedded });
  try {
    const first = await runOnce(opened, options);
    const target = { ...opened.target, runId: randomRunId() };
    const second = await runOnce({ ...opened, target }, options);
    const pins = steadyValues(first, second);
    writePins(resolve(cwd, output), false, pins);
    const failing = first.summary.fail;
    return [
      `expects: ${Object.keys(pins).length} open points, where two runs agree; another answer fails a run with this profile`,
      ...(failing > 0
        ? [
            `${failing} checks fail: what this server answers is pinned all the same, so look at it before you keep it`,
          ]
        : []),
    ];
  } finally {
    await opened.close();
  }
}

/** The values that both runs saw alike, by check id; not of shapes, of which the schemas of a profile say more. */
export function steadyValues(first: RunResult, second: RunResult): Readonly<Record<string, string>> {
  const [one, other] = [first, second].map((run) => chosenIn(run.checks, run));
  const pins = Object.entries(one ?? {}).flatMap(([id, seen]) => {
    const [value, again] = [behaviourValue(id, seen), behaviourValue(id, other?.[id] ?? '')];
    // Do not pin what a broken server answers.
    const isSteady = value !== undefined && value === again && !value.includes('server error');
    return isSteady ? [[id, value] as const] : [];
  });
  return Object.fromEntries(pins);
}

async function runOnce(
  opened: OpenedTarget,
  { rate, readOnly = false }: Pick<ExpectsOptions, 'rate' | 'readOnly'>,
): Promise<RunResult> {
  const out = temporaryFolder('assay-expects-');
  try {
    const selection = { only: [], again: undefined };
    const runner = startRunner({ entry: workerEntry, selection, out, onProgress: () => {} });
    return await runner.run({
      opened,
      only: [],
      strict: false,
      readOnly,
      minJudged: 0,
      bail: undefined,
      timeoutMs: defaultLimits.timeoutMs,
      rate,
      startedAt: Date.now(),
      budgetMs,
      signal: new AbortController().signal,
    });
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
