// `npm run oracle`: judges fixed targets with a fixed seed, and compares what Assay says of them with the record in
// .ci/oracle. A change that keeps behaviour keeps every line of the record. One that does not writes it anew, and the
// difference is read in review.
//
//   npm run oracle [-- RECORD...]            compares; exit 1 where something differs
//   npm run oracle -- --write [RECORD...]    writes the record
//
// It starts Assay as a user does, so that it outlives any move of modules: it knows the CLI and the paths below.
// Verdicts and behaviours are recorded as they are, since nothing in them varies. Left out is what does: of a run its
// times, addresses, run id, texts (detail, expected, actual), number of requests and what it could not clean up in
// time; of the doctor what `steadyOf` names.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mutants } from './oracle/mutants.ts';
import { differences, differencesFrom, laidOver, type Recorded, read, write } from './oracle/record.ts';
import { ownFolder } from './own-folder.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const records = join(root, '.ci', 'oracle');
const scratch = ownFolder('assay-oracle-');

/** Arguments of node, as those of `npm start`. */
const assay = [
  ...['--v8-pool-size=1', '--min-semi-space-size=32'],
  ...['--import', join(root, 'runtime.js'), join(root, 'cli.ts')],
];
const embedded = [...assay, 'serve'];
const embeddedProfile = join(root, 'fixtures/profiles/reference.json');
const thirdParties = join(root, 'fixtures/third-party');
/** What a user knows of each third-party server, as a profile. */
const { given } = (await import(join(root, 'fixtures/kit/third-party.ts'))) as {
  readonly given: Readonly<Record<string, object>>;
};

interface Target {
  readonly name: string;
  /** Arguments of node for a server that prints its three addresses; without them Assay starts its own. */
  readonly server?: readonly string[];
  readonly profile?: string;
  /** The record that holds what this one leaves out. */
  readonly like?: string;
}

const targets: readonly Target[] = [
  { name: 'embedded' },
  { name: 'embedded-unknown', server: embedded, like: 'embedded' },
  { name: 'embedded-profile', server: embedded, profile: embeddedProfile, like: 'embedded' },
  ...Object.entries(given).flatMap(([name, known]): Target[] => {
    const server = [join(thirdParties, `${name}.ts`)];
    const profile = join(scratch, `${name}.json`);
    writeFileSync(profile, JSON.stringify(known));
    return [
      { name, server },
      { name: `${name}-profile`, server, profile, like: name },
    ];
  }),
  ...Object.entries(mutants).map(([name, mutant]) => ({
    name: `mutant-${name}`,
    server: [...embedded, '--mutant', mutant],
    profile: embeddedProfile,
    like: 'embedded-profile',
  })),
];

/** What one record holds: values by key, or a text. */
type Content = Recorded | string;

const jobs = new Map<string, () => Promise<Content>>([
  ...targets.map((target) => [target.name, async () => verdictsOf(await resultOf(target))] as const),
  ['checks', async () => meaningsOf(await resultOf(targetNamed('embedded')))],
  ['help', helpTexts],
]);
/** The doctor looks for three seconds only, so it runs when nothing else does. */
const lateJobs = new Map<string, () => Promise<Content>>([
  ['doctor-embedded', async () => findingsOf(targetNamed('embedded'))],
  ['doctor-islands', async () => findingsOf(targetNamed('islands'))],
]);
const allNames = [...jobs.keys(), ...lateJobs.keys()];

interface Ended {
  readonly code: number;
  readonly text: string;
  readonly errors: string;
}

interface Check {
  readonly id: string;
  readonly operation: string | readonly string[];
  readonly clause: string;
  readonly level: string;
  readonly outcome: string;
  readonly reason?: string;
  readonly behaviour?: string;
}

/** The parts of result.json that are recorded. */
interface Result {
  readonly exitCode: number;
  readonly ended: string;
  readonly summary: Readonly<Record<string, number>>;
  readonly headline: Readonly<Record<'operations' | 'served' | 'answered2xx', number>>;
  readonly judgedShare: Readonly<Record<string, number>>;
  readonly checks: readonly Check[];
}

const limitMs = 240_000;
const doctorAttempts = 8;
const shownAtMost = 30;
const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});
const results = new Map<string, Promise<Result>>();

const { names, isWriting } = readArguments();
const { found, troubles } = await performAll(names);
const differing = names.filter((name) => differs(name, found));
for (const [name, trouble] of troubles) console.error(`${name}: ${trouble}`);
console.log(
  differing.length === 0
    ? `${found.size} of ${names.length} records are as they were`
    : `${differing.length} of ${names.length} records ${isWriting ? 'are new' : 'differ'}: ${differing.join(', ')}`,
);
if (troubles.size > 0) process.exitCode = 3;
else if (differing.length > 0 && !isWriting) process.exitCode = 1;

function readArguments(): { readonly names: readonly string[]; readonly isWriting: boolean } {
  const { values, positionals } = parseArgs({
    options: { write: { type: 'boolean' } },
    allowPositionals: true,
  });
  const unknown = positionals.filter((name) => !allNames.includes(name));
  if (unknown.length > 0) {
    console.error(`oracle: there is no record ${unknown.join(', ')}; expected ${allNames.join(', ')}`);
    process.exit(2);
  }
  const isWriting = values.write ?? false;
  const isChosen = (name: string): boolean => positionals.includes(name) || (isWriting && isLikeChosen(name));
  // What is recorded as differing from another record is written with it.
  const isLikeChosen = (name: string) => {
    const like = likeOf(name);
    return like !== undefined && isChosen(like);
  };
  return { names: positionals.length > 0 ? allNames.filter(isChosen) : allNames, isWriting };
}

/**
 * One job more at once than there are cores, since each waits now and then for what does not come.
 * @returns what was found, and why nothing was, by name of the record
 */
async function performAll(chosen: readonly string[]) {
  const found = new Map<string, Content>();
  const troubles = new Map<string, string>();
  const isChosen = ([name]: readonly [string, unknown]) => chosen.includes(name);
  const worker = async (queue: Iterator<readonly [string, () => Promise<Content>]>) => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) {
      const [name, perform] = next.value;
      await perform().then(
        (content) => found.set(name, content),
        (error: Error) => troubles.set(name, error.message),
      );
    }
  };
  const queue = [...jobs].filter(isChosen).values();
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, () => worker(queue)));
  await worker([...lateJobs].filter(isChosen).values());
  return { found, troubles };
}

function likeOf(name: string): string | undefined {
  return targets.find((target) => target.name === name)?.like;
}

function targetNamed(name: string): Target {
  const target = targets.find((each) => each.name === name);
  if (target === undefined) throw new Error(`there is no target ${name}`);
  return target;
}

/** One run against a target, however many records are made of it. */
function resultOf(target: Target): Promise<Result> {
  const result = results.get(target.name) ?? judge(target);
  results.set(target.name, result);
  return result;
}

async function judge({ name, server, profile }: Target): Promise<Result> {
  const out = join(scratch, name);
  const args = ['run', '--seed', 'oracle', '--out', out, ...(profile ? ['--profile', profile] : [])];
  // All checks, asked for: attacks are not cut off then, as they are where Assay looks at its own server in four seconds.
  if (server === undefined) args.push('--only', '*');
  const { code, text, errors } = await withServer(server, (hosts) => run(args, hosts));
  const file = join(out, 'result.json');
  if (!existsSync(file)) throw new Error(`no result; exit code ${code}\n${text}${errors}`);
  const result = JSON.parse(readFileSync(file, 'utf8')) as Result;
  if (result.exitCode !== code) throw new Error(`exit code ${code}, but result.json says ${result.exitCode}`);
  return result;
}

function verdictsOf({ checks, exitCode, ended, summary, headline, judgedShare }: Result) {
  const { operations, served, answered2xx } = headline;
  const shares = Object.entries(judgedShare).map(([host, share]) => [`judged-${host}`, share] as const);
  const run = {
    ...{ exitCode, ended, operations, served, answered2xx },
    ...{ ...summary, ...Object.fromEntries(shares) },
  };
  return new Map([
    ...Object.entries(run).map(([key, value]) => [`RUN/${key}`, `${value}`] as const),
    ...checks.map(({ id, outcome, reason, behaviour }) => {
      const behaviourPart = behaviour === undefined ? [] : ['=', behaviour.replaceAll('\n', '\\n')];
      return [id, [outcome, ...(reason === undefined ? [] : [reason]), ...behaviourPart].join(' ')] as const;
    }),
  ]);
}

/** What ids stand for, by rule: `answers@party.create`. Steps of flows keep their id. */
function meaningsOf({ checks }: Result) {
  return new Map(
    checks.map(({ id, operation, level, clause }) => {
      const [subject = '', rule] = id.split('#');
      const operations = [operation].flat().join(', ');
      const of = operations === subject ? '' : ` of ${operations}`;
      return [rule === undefined ? id : `${rule}@${subject}`, `${level} ${clause}${of}`] as const;
    }),
  );
}

interface Findings {
  readonly at: string;
  readonly tookMs: number;
  readonly calls: number;
  readonly hosts: readonly {
    readonly url: string;
    readonly latencyMs: number;
    readonly clockAheadMs: number;
    readonly calls: number;
    /** null where the host did not answer in time. */
    readonly share: { readonly operations: number; readonly told: number; readonly served: number } | null;
    readonly sample: readonly Readonly<Record<string, unknown>>[];
  }[];
}

/** What the doctor finds when it comes to the end of its list, which on a busy machine it may not. */
async function findingsOf({ server }: Target): Promise<string> {
  for (let attempt = 1; attempt <= doctorAttempts; attempt += 1) {
    const { code, text, errors } = await withServer(server, (hosts) => run(['doctor', '--json'], hosts));
    if (text === '') throw new Error(`no findings; exit code ${code}\n${errors}`);
    const findings = JSON.parse(text) as Findings;
    // Of a host that serves nothing, it looks at the first operations alone.
    if (
      findings.hosts.every(
        ({ share }) => share !== null && (share.told === share.operations || share.served === 0),
      )
    )
      return `${JSON.stringify({ exitCode: code, ...steadyOf(findings) }, undefined, 1)}\n`;
  }
  throw new Error(`out of time ${doctorAttempts} times; repeat it on a machine that is less busy`);
}

/** Without what is measured (times, clocks, how many calls it came to) and without addresses. */
function steadyOf({ at, tookMs, calls, hosts, ...rest }: Findings): object {
  const steady = hosts.map(({ url, latencyMs, clockAheadMs, calls, sample, ...host }) => ({
    ...host,
    // They stand in the order in which answers came.
    sample: sample.map((each) => Object.values(each).join(' ')).sort(),
  }));
  return { ...rest, hosts: steady };
}

async function helpTexts(): Promise<string> {
  const all = await run(['--help']);
  const list = all.text.slice(all.text.indexOf('\nCommands:'));
  const commands = Array.from(list.matchAll(/^ {2}([a-z\d-]+) /gm), ([, name = '']) => name);
  if (commands.length === 0) throw new Error('--help lists no commands');
  const texts = [textOf('assay --help', all)];
  for (const name of commands.filter((each) => each !== 'help'))
    texts.push(textOf(`assay ${name} --help`, await run([name, '--help'])));
  return texts.join('\n');
}

function textOf(command: string, { code, text }: Ended): string {
  return `$ ${command}\n${text}[exit code ${code}]\n`;
}

/** A subcommand of Assay to its end. */
async function run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended> {
  const child = start([...assay, ...args], env);
  let text = '';
  let errors = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk) => {
    errors += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (code === null) throw new Error(`assay ${args.join(' ')}: not over after ${limitMs} ms`);
  return { code, text, errors };
}

/** A server of its own for what is done with its hosts. */
async function withServer<T>(
  args: readonly string[] | undefined,
  use: (hosts: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  if (args === undefined) return use({});
  const child = start(args);
  try {
    return await use(await hostsOf(child));
  } finally {
    child.kill('SIGKILL');
  }
}

/** The embedded server prints its addresses as JSON, the others as console.log shows an object. */
function hostsOf(child: ChildProcess): Promise<Readonly<Record<string, string>>> {
  let text = '';
  child.stderr?.on('data', (chunk) => process.stderr.write(chunk));
  return new Promise((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      const hostIn = (host: string) => new RegExp(`${host}_?url["']?: *["'](\\S+?)["']`, 'i').exec(text)?.[1];
      const [base, cdn, gamelogs] = ['base', 'cdn', 'gamelogs'].map(hostIn);
      if (base && cdn && gamelogs) resolve({ BASE_URL: base, CDN_URL: cdn, GAMELOGS_URL: gamelogs });
    });
    child.once('close', (code) => reject(new Error(`the server ended with ${code}: ${text}`)));
  });
}

/** A process that knows nothing of this shell's settings, nor of this checkout's .env. */
function start(args: readonly string[], hosts: Readonly<Record<string, string>> = {}): ChildProcess {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: scratch,
    env: { PATH, HOME, ...hosts },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limitMs,
    killSignal: 'SIGKILL',
  });
  children.add(child);
  child.once('close', () => children.delete(child));
  return child;
}

/** Compares what was found with what is stored, and shows or stores what differs. */
function differs(name: string, all: ReadonlyMap<string, Content>): boolean {
  const content = all.get(name);
  if (content === undefined) return false;
  const file = fileOf(name);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (isWriting) {
    const text = typeof content === 'string' ? content : write(differencesFrom(baseOf(name, all), content));
    writeFileSync(file, text);
    return text !== before;
  }
  const changes =
    typeof content === 'string'
      ? differences(byLine(before), byLine(content))
      : differences(stored(name), content);
  if (changes.length > 0) console.log(`${name}: ${changes.length} differences`);
  for (const { key, was = 'absent', is = 'absent' } of changes.slice(0, shownAtMost))
    console.log(`  ${key}: was ${was}, is ${is}`);
  if (changes.length > shownAtMost) console.log(`  … and ${changes.length - shownAtMost} more`);
  return changes.length > 0;
}

function fileOf(name: string): string {
  return join(records, `${name}.txt`);
}

/** The whole record of a target; empty where there is none. */
function stored(name: string): Recorded {
  const record = existsSync(fileOf(name)) ? read(readFileSync(fileOf(name), 'utf8')) : new Map();
  const like = likeOf(name);
  return like === undefined ? record : laidOver(stored(like), record);
}

/** What a record is written as differing from: nothing, or another one, as it is now. */
function baseOf(name: string, all: ReadonlyMap<string, Content>): Recorded {
  const like = likeOf(name);
  if (like === undefined) return new Map();
  const now = all.get(like);
  return now === undefined || typeof now === 'string' ? stored(like) : now;
}

/** A text's lines, each with how often it stands there. */
function byLine(text: string): Recorded {
  const lines = Map.groupBy(text.split('\n'), (line) => line);
  return new Map(Array.from(lines, ([line, { length }]) => [line, `${length} ×`]));
}
