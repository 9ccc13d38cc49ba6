// Runs load from other machines: `npm run load -- JOURNEY --export k8s` writes the files of a k6-operator and the plan
// as text; `npm run load -- --collect URL --out DIR` makes load.json and the verdict of that run.
import { join } from 'node:path';
import { writableFolder, writeTogether } from '../../engine/files.ts';
import { withDotenv } from '../../engine/target/settings.ts';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { quotedWord } from '../../engine/values/shell.ts';
import { peakOf, type Shape, shapes } from '../../load/arrivals/shapes.ts';
import { endedIn, secondsOf, stepOf } from '../../load/distributed/collect/collected.ts';
import {
  beginningsOf,
  type Prometheus,
  prometheusOf,
  spanOf,
  timeLinesOf,
  totalsOf,
} from '../../load/distributed/collect/prometheus.ts';
import { exportOf } from '../../load/distributed/export/export.ts';
import {
  checkedExportOptions,
  ownAddresses,
  prometheusAt,
} from '../../load/distributed/export/export-options.ts';
import { refuseSecrets, withinSecret } from '../../load/distributed/export/manifests.ts';
import { type DistributedRun, earlierExport, readRunFile } from '../../load/distributed/run-file.ts';
import type { CheckedLoadOptions, RawLoadOptions } from '../../load/options.ts';
import { hostsOf } from '../../load/prepare/ready.ts';
import { loadJson, operationLines, verdictLines } from '../../load/report.ts';
import { aimOf, lookAt } from '../../load/step/open-load.ts';
import type { Step } from '../../load/step/plan.ts';
import { exitCodeOf, recoveryIn, trendIn, type Verdict, verdictOf } from '../../load/verdict.ts';
import { startEmbeddedProcess } from '../serve/embedded.ts';
import { replacedLine, replacing, underName, writeMeasured } from './open.ts';

/** What an earlier export, which may have been of the other kind, or its run has left. */
const stale = ['configmap.yaml', 'load.json', 'load.html'];

/** @throws ConfigurationError where the journey cannot be played, in a line each */
export async function exportCommand(
  journey: string,
  raw: RawLoadOptions,
  options: CheckedLoadOptions,
): Promise<void> {
  const given = checkedExportOptions(raw);
  const isPiped = given.kind === 'players';
  if (isPiped && process.stdout.isTTY)
    throw new ConfigurationError([
      '--export players: prints sessions; pipe it into kubectl create secret generic NAME --from-file=players.json=/dev/stdin',
    ]);
  const out = isPiped ? '' : writableFolder(raw.out, '--out');
  const earlier = isPiped ? undefined : earlierExport(join(out, 'run.json'), raw.out);
  const say = (line: string) => (isPiped ? console.error(line) : console.log(line));
  const peak = peakOf(options.shape, options.rate);
  const { operation, profile, seed, insecure } = raw;
  const settings = {
    journey,
    operation,
    env: process.env,
    embedded: startEmbeddedProcess,
    cwd: process.cwd(),
    profile,
    seed,
    insecure,
    connections: options.connections,
    rate: peak,
    say,
  };
  const closing: (() => unknown)[] = [];
  try {
    const aim = aimOf(settings);
    const own =
      aim.read.embedded || isPiped || raw.allowLoopback ? [] : ownAddresses(hostsOf(aim.mix, aim.read));
    if (own.length > 0)
      throw new ConfigurationError([
        `--export: ${own.join(', ')}: pods of a cluster do not reach this machine; give the address that they reach, or --allow-loopback to replace it yourself`,
      ]);
    const ready = await lookAt(aim, settings, closing);
    if (!isPiped && ready.data.groups.length > 0)
      say('players were signed in to try the journey; the export holds none of their sessions');
    if (isPiped) {
      process.stdout.write(`${JSON.stringify(withinSecret(ready.data, say))}\n`);
      return;
    }
    const subject = operation === undefined ? journey : `--operation ${operation}`;
    const again = [
      subject,
      `--rate ${peak} --max-rate ${peak}`,
      profile && `--profile ${quotedWord(profile)}`,
      insecure && '--insecure',
    ];
    const about = {
      journey: aim.mix.name,
      subject,
      again: again.filter(Boolean).join(' '),
      seed: aim.read.seed,
      embedded: aim.read.embedded,
    };
    const made = exportOf(ready, about, options, given, raw.out, Date.now());
    refuseSecrets(ready, Object.values(made.files));
    const replaced = [
      ...(earlier === undefined ? [] : [replacing('run.json', raw.out, earlier)]),
      ...replacedLine('load.json', { folder: out, out: raw.out }),
    ];
    writeTogether(out, made.files, '--out', stale);
    for (const line of replaced) say(line);
    for (const line of made.placeholders) say(`to be replaced: ${line}`);
    say(`${join(raw.out, 'plan.md')} says what comes next`);
  } catch (error) {
    throw underName('load', error);
  } finally {
    for (const each of closing.splice(0).reverse()) await each();
  }
}

// --collect

/**
 * Leaves the exit code: 0 PASS, 1 FAIL or INVALID.
 * @throws ConfigurationError where Prometheus does not answer, or the run is not over
 */
export async function collectCommand(url: string, out: string): Promise<void> {
  const run = readRunFile(join(out, 'run.json'));
  const prometheus = prometheusOf(prometheusAt(url), withDotenv(process.env, process.cwd(), []));
  const { step, verdict, json } = await collect(run, prometheus, Date.now());
  for (const line of [...operationLines(step), '', ...verdictLines(verdict, step)]) console.log(line);
  const folder = writableFolder(out, '--out');
  for (const line of await writeMeasured('load', json, { folder, out })) console.log(line);
  process.exitCode = exitCodeOf(verdict);
}

/** @throws ConfigurationError where there is nothing of it yet, or it is not over */
export async function collect(run: DistributedRun, prometheus: Prometheus, now: number) {
  const beginnings = await beginningsOf(prometheus, run, now);
  const [began] = beginnings;
  if (began === undefined)
    throw new ConfigurationError([
      `--collect: no sample of ${run.name}; is the TestRun started, and does this Prometheus take its metrics?`,
    ]);
  const totals = await totalsOf(prometheus, run, began);
  const ended = endedIn(totals);
  if (ended < run.parallelism && now < began + spanOf(run))
    throw new ConfigurationError([
      `--collect: ${run.name} is not over; ${ended} of ${run.parallelism} generators have finished, try again in ${Math.ceil((began + spanOf(run) - now) / 1_000)} s`,
    ]);
  const step = stepOf(run, totals);
  const seconds = secondsOf(run, await timeLinesOf(prometheus, run, began), began);
  const shape: Shape = shapes[run.shape];
  const { slo, perOperation } = run;
  const judged = verdictOf({
    step,
    slo,
    perOperation,
    changed: undefined,
    nullP95: undefined,
    ...(shape.asks === 'recovery' && { recovery: recoveryIn(seconds) }),
    ...(shape.asks === 'trend' && { trend: trendIn(seconds) }),
  });
  const verdict = accountedFor(run, step, ended, beginnings) ?? judged;
  const { rate, durationMs, arrivals } = run.plan;
  const segments = run.parallelism;
  const { connections } = run;
  const options = {
    rate,
    durationMs,
    shapeName: run.shape,
    shape,
    slo,
    perOperation,
    arrivals,
    segments,
    connections,
  };
  const json = loadJson({ ...run, segments }, options, { step, seconds, verdict, nullP95: undefined });
  return { step, verdict, json };
}

/** Generators that were started together are this near each other. */
const togetherMs = 30_000;

/** What is wrong where not exactly the generators that were asked for ran together, and to their end. */
function accountedFor(
  { parallelism }: DistributedRun,
  step: Step,
  finished: number,
  beginnings: readonly number[],
): Verdict | undefined {
  const invalid = (why: string): Verdict => ({ verdict: 'INVALID', reasons: [why] });
  const apart = (beginnings.at(-1) ?? 0) - (beginnings[0] ?? 0);
  if (apart > togetherMs || finished > parallelism)
    return invalid(
      `${beginnings.length} generators began within ${Math.round(apart / 1_000)} s and ${finished} finished, of ${parallelism} asked for: the same export ran more than once, or its pods did not start together; export again for each run`,
    );
  if (step.ended === 'complete') return undefined;
  return invalid(`${parallelism - finished} of ${parallelism} generators did not come to their end`);
}
