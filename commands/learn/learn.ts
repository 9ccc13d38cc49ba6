// Runs `npm run learn`: writes a profile, and prints what was learnt in at most 25 lines, besides what it could not decide.

import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { catalog } from '../../catalog/catalog.ts';
import { allHosts, type Host } from '../../catalog/operation.ts';
import { modeOf, readRegularFile, refuseUnwritable, UnfitFile, writeWhole } from '../../engine/files.ts';
import { described } from '../../engine/players/session.ts';
import { reasons } from '../../engine/run/reason-codes.ts';
import { loadProfile } from '../../engine/target/profile.ts';
import type { SessionTransport } from '../../engine/target/session-transport.ts';
import { hostUrl } from '../../engine/target/settings.ts';
import { insecureLine } from '../../engine/target/transport.ts';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { isNested, isObject, parsedJson } from '../../engine/values/json-walk.ts';
import { quotedWord } from '../../engine/values/shell.ts';
import { counted, quoted } from '../../engine/values/text.ts';
import { typed, typedWith } from '../../engine/values/typed-command.ts';
import { terminalText } from '../../reports/console/layout.ts';
import { environmentOfNames } from '../catalog/target-facts.ts';
import { reportInterruption } from '../command-line.ts';
import { omitEntries } from '../doctor/report.ts';
import type { LearnRunOptions } from './from-run.ts';
import { type CaptureCounts, learnFromCaptures } from './har/read-har.ts';
import type { Learnt } from './learner.ts';
import { type LearntProfile, profileText } from './profile-text.ts';
import { unlearntLines } from './unlearnt.ts';

type Hosts = Readonly<Partial<Record<Host, string>>>;

interface LearnOptions extends Hosts, Omit<LearnRunOptions, 'env' | 'cwd' | 'note'> {
  readonly har?: readonly string[];
  readonly output: string;
  readonly force?: boolean;
  readonly expects?: boolean;
}

/**
 * Writes a profile and prints what was learnt.
 * @throws ConfigurationError with one line per mistake
 */
export async function learnCommand(options: LearnOptions): Promise<void> {
  const hosts = checkedHosts(options);
  refuseUnwritable(options.output, '--output');
  // A run takes minutes, so it does not begin where its profile could not be kept.
  if (!options.har && !options.force) replaceable(options.output, () => true, '');
  const interrupted = reportInterruption('no profile was written');
  if (options.insecure) console.error(`assay: ${insecureLine}`);
  const { learnt, counts } = options.har
    ? await fromCaptures(options.har, hosts, options)
    : { learnt: await fromRun(options), counts: undefined };
  if (interrupted.aborted) return;
  if (learnt.calls === 0) throw new ConfigurationError([nothingLearnt(options)]);
  const written = profileText(learnt, schemaSeenFrom(options.output));
  const outcome = save(written.text, options.output, options.force ?? false);
  const pinned = options.expects ? await pinnedLines(options) : [];
  const lines = [
    ...summaryLines(learnt, written, counts),
    ...pinned,
    outcome === 'unchanged'
      ? `${options.output} says all this already`
      : `written to ${options.output}: ${typedWith('run')} --profile ${quotedWord(options.output)}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

async function pinnedLines(options: LearnOptions): Promise<string[]> {
  const { learnExpects } = await import('./expects.ts');
  console.error('runs twice more, to pin what is the same in both …');
  return learnExpects({ ...options, env: process.env, cwd: process.cwd() });
}

/** Why there is no profile. A run gets this far only with a target that it could reach. */
export const nothingLearnt = ({ har }: Pick<LearnOptions, 'har'>) =>
  har
    ? '--har: no call in it matches the interface; name the hosts with --base, --cdn and --gamelogs, or capture more'
    : `BASE_URL: no operation was seen to be served, so nothing was learnt; ${typed('run')} shows why`;

async function fromCaptures(har: readonly string[], hosts: Hosts, { profile }: LearnOptions) {
  const { learnt, counts } = await learnFromCaptures(har, hosts);
  if (profile === undefined) return { learnt, counts };
  const { keptFrom } = await import('./from-run.ts');
  const mistakes: string[] = [];
  const cwd = process.cwd();
  loadProfile(environmentOfNames, { profile, cwd }, mistakes);
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return { learnt: { ...learnt, kept: keptFrom({ env: {}, cwd, profile }) }, counts };
}

async function fromRun(options: LearnOptions) {
  const { learnFromRun } = await import('./from-run.ts');
  return learnFromRun({ ...options, env: process.env, cwd: process.cwd(), note: console.error });
}

function checkedHosts(options: LearnOptions): Hosts {
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
  const ofRun = (['rate', 'readOnly', 'expects', 'omitMissing'] as const).filter(
    (name) => options[name] !== undefined,
  );
  if (options.har)
    for (const name of ofRun)
      mistakes.push(
        `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} belongs to a run; a capture is learnt from as it is`,
      );
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return Object.fromEntries(hosts);
}

// Saves the profile, and reports what was learnt.

const schema = fileURLToPath(new URL('../../engine/target/profile.schema.json', import.meta.url));

/** The published schema's path relative to the profile; undefined where it is not below the profile's folder. */
function schemaSeenFrom(output: string): string | undefined {
  const path = relative(dirname(resolve(output)), schema).replaceAll('\\', '/');
  return path.startsWith('..') || /^[A-Za-z]:/.test(path) ? undefined : `./${path}`;
}

/** A larger file is no profile and is not replaced. */
const mostBytes = 64 * 2 ** 20;

/**
 * Returns the text of the file that the profile replaces; undefined where there is none.
 * @param isOther whether a text would be lost by replacing it
 * @throws ConfigurationError with one line where it would, or the file cannot be read
 */
function replaceable(output: string, isOther: (text: string) => boolean, says: string): string | undefined {
  const before = contents(output);
  if (before === undefined || !isOther(before) || statesNothing(before)) return before;
  throw new ConfigurationError([
    `--output: ${quoted(output)} is there already${says}; --force replaces it, --output FILE writes another`,
  ]);
}

/**
 * Writes the profile, whole or not at all; a file with other contents is left alone without `force`.
 * @returns whether the file held the same before
 * @throws ConfigurationError with one line
 */
export function save(text: string, output: string, force: boolean): 'written' | 'unchanged' {
  const before = replaceable(output, (other) => other !== text && !force, ' and says something else');
  if (before === text) return 'unchanged';
  writeWhole(output, text, '--output');
  return 'written';
}

/** Whether a text is an empty profile, as `init` writes it, so that nothing is lost by replacing it. */
function statesNothing(text: string): boolean {
  const value = parsedJson(text);
  if (!isObject(value)) return false;
  const { $schema: _, ...stated } = value;
  return Object.values(stated).every((value) => isNested(value) && Object.keys(value).length === 0);
}

/** Reads the existing file; a device or a pipe is refused, since reading it would never end. */
function contents(output: string): string | undefined {
  try {
    return modeOf(output) === undefined ? undefined : readRegularFile(output, mostBytes).toString();
  } catch (error) {
    const why =
      error instanceof UnfitFile ? 'too large for a profile' : (error as NodeJS.ErrnoException).code;
    throw new ConfigurationError([`--output: ${quoted(output)} cannot be written (${why}); expected a file`]);
  }
}

const mostOutsiders = 8;

/** Lines without control characters: paths and names come from a file or a server. */
export function summaryLines(learnt: Learnt, written: LearntProfile, counts?: CaptureCounts): string[] {
  return [
    ...hostLines(learnt),
    ...whatLines(learnt, written),
    ...leftOutLines(learnt, written, counts),
    ...unlearntLines(learnt, written.profile).map(terminalText),
    ...undecidedLines(learnt),
  ];
}

/** What --omit-missing could not decide, with why, as entries that a user may paste into omit. */
function undecidedLines({ undecided = [] }: Learnt): string[] {
  if (undecided.length === 0) return [];
  const why = [...new Set(undecided.map(({ reason }) => reason))].map(
    (reason) => `  ${reason}: ${reasons[reason as keyof typeof reasons].means}`,
  );
  return [
    'not decided, and not left out:',
    ...why,
    'what of this your server does not mean to serve goes into "omit" of the profile:',
    ...omitEntries(undecided).map((entry) => `  ${entry}`),
  ];
}

function hostLines({ findings, spoken, omitted = new Map() }: Learnt): string[] {
  return allHosts.flatMap((host) => {
    const found = findings.hosts[host];
    if (!found) return [`${host}: no call of it was seen to succeed`];
    const operations = catalog.filter((operation) => operation.host === host);
    const all = operations.filter(({ id }) => !omitted.has(id));
    const left = operations.length - all.length;
    const seen = all.filter(({ id }) => (spoken.get(id)?.statuses.total ?? 0) > 0).length;
    return [
      `${host}: ${shown(found.url)}, ${seen} of ${all.length} operations answered 2xx${left > 0 ? ` (${left} left out by the profile)` : ''}`,
    ];
  });
}

function whatLines(learnt: Learnt, { profile }: LearntProfile): string[] {
  const operations = Object.values(profile.operations as Record<string, Record<string, unknown>>);
  const having = (key: string) => operations.filter((entry) => entry[key] !== undefined).length;
  const parameters = Object.entries(profile.parameters as Record<string, string | number>);
  const variables = Object.values(profile.headers as Record<string, unknown>).flatMap((value) =>
    isNested(value) && 'env' in value ? [String(value.env)] : [],
  );
  const ids = operations.flatMap(({ ids }) => Object.keys((ids as object | undefined) ?? {})).length;
  return [
    `words: ${wordsIn(learnt, profile)}${placesIn(learnt, profile)}`,
    `parameters: ${parameters.map(([name, value]) => `${name}=${shown(String(value))}`).join(', ') || 'none'}`,
    sessionLine(learnt, profile),
    `${counted(having('accepts'), 'operation')}, with ${counted(having('body'), 'body')}, ${counted(ids, 'place')} of ids, ${counted(having('schema'), 'payload schema')}`,
    ...(learnt.omissions?.length
      ? [`left out as not served: ${learnt.omissions.map(({ operation }) => operation).join(', ')}`]
      : []),
    ...(variables.length > 0
      ? [`set ${variables.join(', ')} before you use it: these headers may hold a secret`]
      : []),
  ];
}

function sessionLine({ transport, whyNoSession }: Learnt, { session }: LearntProfile['profile']): string {
  const { hosts = {} } = (session ?? {}) as { readonly hosts?: Readonly<Record<string, boolean>> };
  const taking = Object.keys(hosts).filter((host) => hosts[host] === true);
  const too = taking.length === 0 ? '' : `; sent to ${taking.join(' and ')} too`;
  if (transport) return `session: ${described(transport)}${too}`;
  const { transport: stated } = (session ?? {}) as { readonly transport?: SessionTransport };
  if (stated) return `session: ${described(stated)} (kept from the profile)${too}`;
  return whyNoSession === undefined
    ? 'session: not seen to travel; a capture that was exported without credentials does not show it'
    : `session: none; ${whyNoSession}`;
}

type Words = Readonly<Record<string, string>>;

/** Marks a word that no call shows, and that only the earlier profile states. */
const unlessSeen = (seen: Words | undefined, word: string) =>
  seen !== undefined && Object.hasOwn(seen, word) ? '' : ' (kept from the profile)';

function wordsIn({ findings }: Learnt, { words }: LearntProfile['profile']): string {
  const renamings = Object.entries(words as Words)
    .filter(([word, spelling]) => word !== spelling)
    .map(([word, spelling]) => `${word} is ${shown(spelling)}${unlessSeen(findings.words as Words, word)}`);
  return renamings.sort().join(', ') || 'those of the document';
}

function placesIn({ findings }: Learnt, { wordsAt }: LearntProfile['profile']): string {
  const places = Object.entries(wordsAt as Readonly<Record<string, Words>>).flatMap(([id, words]) =>
    Object.entries(words).map(
      ([word, spelling]) => `${shown(spelling)} at ${id}${unlessSeen(findings.wordsAt[id] as Words, word)}`,
    ),
  );
  if (places.length === 0) return '';
  return `; ${places.slice(0, 4).join(', ')}${places.length > 4 ? ` and ${places.length - 4} more` : ''}`;
}

function leftOutLines({ outsiders }: Learnt, { dropped }: LearntProfile, counts?: CaptureCounts): string[] {
  const calls = outsiders.reduce((sum, [, count]) => sum + count, 0);
  const more = outsiders.length - mostOutsiders;
  return [
    ...(dropped > 0
      ? [`${counted(dropped, 'payload schema')} left out: the profile would be too large`]
      : []),
    ...(counts && counts.skipped > 0 ? [`${counted(counts.skipped, 'entry')} beyond 32 MiB left out`] : []),
    ...(counts && counts.unread > 0
      ? [`${counts.unread} of ${counts.entries} entries are no http calls`]
      : []),
    ...(calls > 0 ? [`${counted(calls, 'call')} matched no operation of the interface:`] : []),
    ...outsiders.slice(0, mostOutsiders).map(([shape, count]) => `  ${shown(shape)} × ${count}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

const shown = (text: string) => quoted(text).slice(1, -1);
