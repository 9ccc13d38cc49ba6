// `npm run load -- JOURNEY --export k8s`: the files that a k6-operator runs, and the plan on paper.
import { join } from 'node:path';
import { writableFolder, writeTogether } from '../../engine/files.ts';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { quotedWord } from '../../engine/values/shell.ts';
import { peakOf } from '../../load/arrivals/shapes.ts';
import { exportOf } from '../../load/distributed/export/export.ts';
import { refuseSecrets, withinSecret } from '../../load/distributed/export/manifests.ts';
import { checkedExportOptions } from '../../load/distributed/export/options.ts';
import type { CheckedLoadOptions, RawLoadOptions } from '../../load/options.ts';
import { aimOf, lookAt } from '../../load/step/open-load.ts';
import { startEmbeddedProcess } from '../serve/embedded.ts';

/** What an earlier export, which may have been of the other kind, or its run has left. */
const stale = ['configmap.yaml', 'volume.yaml', 'files', 'load.json'];

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
    rate: peak,
    say,
  };
  const closing: (() => unknown)[] = [];
  try {
    const aim = aimOf(settings);
    const ready = await lookAt(aim, settings, closing);
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
    writeTogether(out, made.files, '--out', stale);
    for (const line of made.placeholders) say(`to be replaced: ${line}`);
    say(`${join(raw.out, 'plan.md')} says what comes next`);
  } finally {
    for (const each of closing.splice(0).reverse()) await each();
  }
}
