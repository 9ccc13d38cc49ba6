// Runs load from other machines: `npm run load -- JOURNEY --export k8s` writes the files of a k6-operator and the plan
// as text; `npm run load -- --collect URL --out DIR` makes load.json and the verdict of that run.
import { join } from 'node:path';
import { writableFolder, writeTogether } from '../../engine/files.ts';
import { withDotenv } from '../../engine/target/settings.ts';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { quotedWord } from '../../engine/values/shell.ts';
import { peakOf } from '../../load/arrivals/shapes.ts';
import { collect } from '../../load/distributed/collect.ts';
import { exportOf } from '../../load/distributed/export.ts';
import { refuseSecrets, withinSecret } from '../../load/distributed/manifests.ts';
import { prometheusOf } from '../../load/distributed/prometheus.ts';
import { earlierExport, readRunFile } from '../../load/distributed/run-file.ts';
import {
  type CheckedLoadOptions,
  checkedExportOptions,
  ownAddresses,
  prometheusAt,
  type RawLoadOptions,
} from '../../load/options.ts';
import { hostsOf } from '../../load/prepare/ready.ts';
import { operationLines, verdictLines } from '../../load/report.ts';
import { checkOptions, prepareLoad } from '../../load/step/open-load.ts';
import { exitCodeOf } from '../../load/verdict.ts';
import { aimedAt, replacedLine, replacing, underName, writeMeasured } from './open.ts';

/** Files that an earlier export, perhaps of the other kind, or its run may have left. */
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
  const { operation, profile, insecure } = raw;
  const settings = { ...aimedAt(journey, raw, peak), say };
  const closing: (() => unknown)[] = [];
  try {
    const checked = checkOptions(settings);
    const own =
      checked.read.embedded || isPiped || raw.allowLoopback
        ? []
        : ownAddresses(hostsOf(checked.mix, checked.read));
    if (own.length > 0)
      throw new ConfigurationError([
        `--export: ${own.join(', ')}: pods of a cluster do not reach this machine; give the address that they reach, or --allow-loopback to replace it yourself`,
      ]);
    const ready = await prepareLoad(checked, settings, closing);
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
      journey: checked.mix.name,
      subject,
      again: again.filter(Boolean).join(' '),
      seed: checked.read.seed,
      embedded: checked.read.embedded,
    };
    const made = exportOf(ready, about, options, given, raw.out, Date.now());
    refuseSecrets(ready, Object.values(made.files));
    const replaced = [
      ...(earlier === undefined ? [] : [replacing('run.json', raw.out, earlier)]),
      ...replacedLine('load.json', { folder: out, out: raw.out }),
    ];
    writeTogether(out, made.files, stale);
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
 * Makes load.json of the run, and sets the exit code: 0 PASS, 1 FAIL or INVALID.
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
