// Lists what fails a run without failing a check: a reader of checks alone would take the run for green.
import { judged } from '../../engine/judgement.ts';
import type { RunResult, WaiverAccount } from '../../engine/run/result.ts';

export interface RunTrouble {
  /** `assay: too little judged` */
  readonly name: string;
  /** The verdict. */
  readonly says: string;
}

/**
 * The run's own trouble; nothing where it is green, or its failures say all.
 * @param isShown something else in the report is red
 */
export function runTrouble(run: RunResult, isShown: boolean): RunTrouble | undefined {
  if (run.exitCode === 0) return undefined;
  const whys = reasonsOf(run);
  if (whys.length === 0 && isShown) return undefined;
  if (whys.length === 0) whys.push(run.exitCode === 3 ? 'Assay itself failed' : 'not green');
  return { name: `assay: ${whys.join(', ')}`, says: run.headline.verdict };
}

/** Waivers that are out of date: each of them fails the run. */
export const staleWaivers = ({ waivers }: RunResult): readonly WaiverAccount[] =>
  waivers.filter(({ problem }) => problem !== undefined);

const endings: Readonly<Partial<Record<RunResult['ended'], string>>> = {
  interrupted: 'interrupted',
  budget: 'out of time',
  'worker-died': 'Assay itself broke off',
};

function reasonsOf(run: RunResult): string[] {
  const { ended, exitCode, checks } = run;
  if (exitCode === 2) return ['no host answers'];
  const cutOff = endings[ended] ?? [];
  if (!checks.some(({ outcome }) => judged.has(outcome))) return [cutOff, 'nothing judged'].flat();
  const away = (run.incidents ?? []).length > 0 ? 'a host went away' : [];
  const misfit = (run.unmatched ?? []).length > 0 ? 'the profile does not fit' : [];
  return [
    cutOff,
    misfit,
    away,
    tooLittle(run) ? 'too little judged' : [],
    isQuietlyWorse(run) ? 'got worse' : [],
  ].flat();
}

/** As the verdict has it: not of a run that was asked to stop early, or that looks again at what was doubtful. */
function tooLittle({ ended, judgedShare, options, baseline }: RunResult): boolean {
  if (ended === 'bail' || options.rerun || baseline !== undefined) return false;
  return Object.values(judgedShare).some((share) => share < options.minJudged / 100);
}

/** Something passed in the baseline and is no longer judged. */
function isQuietlyWorse({ baseline, checks }: RunResult): boolean {
  const worse = new Set(baseline?.worse);
  return checks.some(({ id, outcome }) => worse.has(id) && outcome !== 'fail');
}
