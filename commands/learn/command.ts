// `npm run learn`: from options to a profile.
import { allHosts } from '../../catalog/operation.ts';
import { hostUrl } from '../../engine/target/settings.ts';
import { insecureLine } from '../../engine/target/transport.ts';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { quotedWord } from '../../engine/values/shell.ts';
import { tellInterruption } from '../tell-error.ts';
import { learnFromCaptures } from './har/read-har.ts';
import { profileText } from './profile-text.ts';
import { refuseUnwritable, save, schemaSeenFrom, summaryLines } from './save.ts';

export interface LearnOptions {
  readonly har?: readonly string[];
  readonly base?: string;
  readonly cdn?: string;
  readonly gamelogs?: string;
  readonly profile?: string;
  readonly insecure?: boolean;
  readonly rate?: number;
  readonly readOnly?: boolean;
  readonly output: string;
  readonly force?: boolean;
}

/**
 * Writes a profile and prints what was learnt.
 * @throws ConfigurationError with one line per mistake
 */
export async function learnCommand(options: LearnOptions): Promise<void> {
  const hosts = checkedHosts(options);
  refuseUnwritable(options.output);
  tellInterruption('no profile was written');
  if (options.insecure) console.error(`assay: ${insecureLine}`);
  const { learnt, counts } = options.har
    ? await learnFromCaptures(options.har, hosts)
    : { learnt: await fromRun(options), counts: undefined };
  if (learnt.calls === 0) throw new ConfigurationError([nothingLearnt(options)]);
  const written = profileText(learnt, schemaSeenFrom(options.output));
  const outcome = save(written.text, options.output, options.force ?? false);
  const lines = [
    ...summaryLines(learnt, written, counts),
    outcome === 'unchanged'
      ? `${options.output} says all this already`
      : `written to ${options.output}: npm start -- --profile ${quotedWord(options.output)}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

const nothingLearnt = ({ har }: LearnOptions) =>
  har
    ? '--har: no call in it matches the interface; name the hosts with --base, --cdn and --gamelogs, or capture more'
    : 'BASE_URL: no call was answered, so nothing was learnt; npm start tells why';

async function fromRun({ profile, insecure, readOnly, rate }: LearnOptions) {
  const { learnFromRun } = await import('./from-run.ts');
  return learnFromRun({
    env: process.env,
    cwd: process.cwd(),
    ...(profile !== undefined && { profile }),
    ...(insecure && { insecure }),
    ...(readOnly && { readOnly }),
    ...(rate !== undefined && { rate }),
  });
}

function checkedHosts(options: LearnOptions) {
  const mistakes: string[] = [];
  const hosts = allHosts.flatMap((host) => {
    const value = options[host];
    if (value === undefined) return [];
    const read = hostUrl(value);
    if ('host' in read) return [[host, read.host] as const];
    mistakes.push(`--${host}: ${read.mistake}`);
    return [];
  });
  if (!options.har && hosts.length > 0)
    mistakes.push(
      '--base, --cdn and --gamelogs belong to --har; a run takes BASE_URL, CDN_URL and GAMELOGS_URL',
    );
  const ofRun = (['profile', 'rate', 'readOnly'] as const).filter((name) => options[name] !== undefined);
  if (options.har)
    for (const name of ofRun)
      mistakes.push(
        `--${name === 'readOnly' ? 'read-only' : name} belongs to a run; a capture is learnt from as it is`,
      );
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return Object.fromEntries(hosts);
}
