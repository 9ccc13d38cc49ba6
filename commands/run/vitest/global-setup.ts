// Gives `npx vitest --project conformance` the settings, the result files and the verdict of `npm start`: vitest alone
// passes checks that could not be judged.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestCase, TestProject } from 'vitest/node';
import { unwritten, writableFolder } from '../../../engine/files.ts';
import { assemble, complete } from '../../../engine/run/assemble.ts';
import { readJournal } from '../../../engine/run/journal.ts';
import { planOf } from '../../../engine/run/plan.ts';
import {
  factsOf,
  interruptedEnding,
  type Progress,
  settingsOf,
  withSamplesOfDifferences,
} from '../../../engine/run/runner.ts';
import { ConfigurationError } from '../../../engine/values/configuration-error.ts';
import { createShow } from '../../../reports/show.ts';
import { openKeep } from '../../../reports/trend/store.ts';
import { createCommand, reportError } from '../../command-line.ts';
import { addRunOptions } from '../../options.ts';
import { readEarlierRuns } from '../earlier-runs.ts';
import {
  limitsIn,
  openAsAsked,
  outIn,
  type RunCommandOptions,
  refuseContradiction,
  removeReports,
  rerunOut,
} from '../run.ts';
import { everySuite } from '../suites.ts';
import { workerEntry } from '../warm-threads.ts';
import type { VitestAssignment } from './project.ts';

/** The budget in watch mode, where a run has no end that could be late. */
const watchedMs = 24 * 3_600_000;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  try {
    return await begun(project);
  } catch (error) {
    process.exit(reportError(error));
  }
}

async function begun(project: TestProject): Promise<() => Promise<void>> {
  const startedAt = Date.now();
  const raw = optionsIn(process.env.ASSAY_OPTIONS);
  const limits = limitsIn(raw);
  const { baseline } = readEarlierRuns(raw);
  refuseContradiction(raw);
  const show = createShow(raw.format, raw.keep === undefined ? undefined : openKeep(raw.keep));
  const out = writableFolder(outIn(raw), '--out', show.files);
  const { checks, known } = planOf(everySuite, { only: [] });
  const opened = await openAsAsked(raw, show);
  const options = {
    ...limits,
    opened,
    baseline,
    failOn: raw.failOn,
    signal: new AbortController().signal,
    only: [],
    strict: raw.strict ?? false,
    readOnly: raw.readOnly ?? false,
    attack: raw.attack ?? 'auto',
    rerunOut: rerunOut(raw),
    startedAt: startedAt + opened.waitedMs,
    budgetMs: project.vitest.config.watch ? watchedMs : limits.budgetMs,
  };
  const journal = join(out, 'results.jsonl');
  removeReports(out, show);
  try {
    writeFileSync(journal, '');
  } catch (error) {
    throw unwritten('--out', journal, error);
  }
  show.preflight(opened.preflight.lines);
  const assignment: VitestAssignment = {
    ...settingsOf(options, journal),
    excuses: {
      waivers: opened.target.profile?.waivers ?? [],
      known: baseline?.checks.flatMap(({ id, outcome }) => (outcome === 'fail' ? [id] : [])) ?? [],
      today: new Date(startedAt).toISOString().slice(0, 10),
    },
  };
  project.provide('run', assignment);

  return async () => {
    const { asked, progress } = whatRan(project);
    const plan = checks.filter(({ id }) => asked.has(id));
    const ending = process.exitCode === 130 ? interruptedEnding : complete;
    const results = readJournal(journal);
    const result = await withSamplesOfDifferences(options, workerEntry, (samples) =>
      assemble(plan, results, ending, {
        ...factsOf(options, progress, { known, rerun: false }),
        samples,
      }),
    );
    await opened.close();
    await show.end(result, out);
    console.error(`conformance: ${result.headline.verdict}`);
    if (result.exitCode !== 0) process.exitCode = result.exitCode;
  };
}

/**
 * Reads the options of `npm start -- …` from an environment variable, since vitest accepts only its own. Words are
 * split at blanks; quotes keep a word together.
 * @throws ConfigurationError for options that vitest has its own word for
 */
function optionsIn(text = ''): RunCommandOptions {
  const command = addRunOptions(createCommand('ASSAY_OPTIONS', 'ASSAY_OPTIONS: ')).action(() => {});
  const words = [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, ...either]) => either.join(''));
  try {
    command.parse(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError(error.lines.map((line) => `ASSAY_OPTIONS: ${line}`));
  }
  const raw = command.opts<RunCommandOptions>();
  const ofVitest = (['only', 'list', 'bail', 'rerun'] as const).filter((name) => raw[name] !== undefined);
  if (ofVitest.length > 0)
    throw new ConfigurationError(
      ofVitest.map(
        (name) => `ASSAY_OPTIONS: --${name}: vitest selects by file and -t, and has a --bail of its own`,
      ),
    );
  return raw;
}

/** Ids of the checks that vitest's filters left in, and what the last file knew of the run. */
function whatRan(project: TestProject) {
  const modules = project.vitest.state.getTestModules().filter((module) => module.project === project);
  const idOf = ({ name }: TestCase) => name.slice(0, name.indexOf(' '));
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const asked = tests.filter((test) => test.meta().asked || test.options.mode === 'run').map(idOf);
  const none: Progress = { done: 0, failed: 0, requests: 0 };
  const progresses = modules.flatMap((module) => module.meta().progress ?? []);
  return {
    asked: new Set(asked),
    progress: progresses.reduce((last, next) => (next.done > last.done ? next : last), none),
  };
}
