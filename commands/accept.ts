// Runs `npm run accept`: writes a result's behaviours into the profile (`expects`), so that a run fails if one changes.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { behaviourValue } from '../catalog/behaviours.ts';
import { readRegularFile, refuseUnwritable, writeWhole } from '../engine/files.ts';
import { type Behaviours, isOtherBehaviour } from '../engine/run/compare-runs.ts';
import { chosenIn, pinOf } from '../engine/run/pins.ts';
import { isStep, operationsOf, type RunResult, ruleOf } from '../engine/run/result.ts';
import { readStoredResult } from '../engine/run/stored-result.ts';
import { loadProfile, profilePath } from '../engine/target/profile.ts';
import { withDotenv } from '../engine/target/settings.ts';
import { ConfigurationError } from '../engine/values/configuration-error.ts';
import { byName } from '../engine/values/members.ts';
import { quotedWord } from '../engine/values/shell.ts';
import { counted, didYouMean, globMatches, quoted, whole } from '../engine/values/text.ts';
import { typedWith } from '../engine/values/typed-command.ts';
import { terminalText } from '../reports/console/layout.ts';

export interface AcceptOptions {
  readonly profile?: string;
  readonly yes?: boolean;
}

interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly print: (text: string) => void;
  /** Asks the user a question; undefined where there is no terminal to ask on. */
  readonly ask?: Ask | undefined;
}

type Ask = (question: string) => Promise<Answered>;

/** How a question ended: with an answer, by Ctrl-C, or by Ctrl-D. */
export type Answered = { readonly text: string } | 'interrupted' | 'closed';

type Expects = Readonly<Record<string, string>>;

interface Pin {
  readonly id: string;
  readonly before: string | undefined;
  readonly after: string;
}

const mostShown = 200;

/**
 * Shows what changes in the profile, and writes it once the user agrees.
 * @param ids ids of open points, or globs of them; if empty, the open points that differ from baseline or profile
 * @returns the exit code: 1 where there was something to write and the user did not agree, 130 after Ctrl-C, else 0
 * @throws ConfigurationError where the result, the profile or an id cannot be used
 */
export async function acceptCommand(
  path: string,
  ids: readonly string[],
  { profile: given, yes = false }: AcceptOptions,
  { env, cwd, print, ask }: Surroundings,
): Promise<0 | 1 | 130> {
  const run = readStoredResult(path, 'accept');
  const mistakes: string[] = [];
  const settings = withDotenv(env, cwd, mistakes);
  const file = profilePath(settings, { ...(given !== undefined && { profile: given }) });
  if (file === '')
    throw new ConfigurationError(['accept: name the profile to write: --profile FILE, or PROFILE']);
  const isNew = !existsSync(resolve(cwd, file));
  const profile = isNew ? undefined : loadProfile(settings, { cwd, profile: file }, mistakes);
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  const expects = profile?.expects ?? {};
  const { pins, unshown } = pinsOf(run, ids, expects);
  for (const line of [
    ...otherProfileLines(run, file, cwd),
    ...unshownLines(unshown),
    ...(ids.length === 0 ? worseLines(run) : []),
  ])
    print(`${terminalText(line)}\n`);
  if (pins.length === 0) {
    print(`${ids.length > 0 ? allPinned : nothingChanged(run, expects, { path, file })}\n`);
    return 0;
  }
  // Fails before the question, not after the answer.
  refuseUnwritable(file, '--profile', cwd);
  const changes = Map.groupBy(pins, ({ id, before, after }) =>
    JSON.stringify([ruleOf(id), isStep(id) ? id : '', before, after]),
  );
  for (const alike of [...changes.values()].slice(0, mostShown)) {
    const [{ before, after }] = alike as [Pin, ...Pin[]];
    const was = before === undefined ? '' : `was "${before}", `;
    print(`${terminalText(idsText(alike))}\n  ${terminalText(`${was}will be pinned as "${after}"`)}\n`);
  }
  if (changes.size > mostShown) print(`… and ${changes.size - mostShown} more\n`);
  const question = `Write ${counted(pins.length, 'behaviour')} into ${isNew ? 'the new file ' : ''}${file}? [y/N] `;
  const answer = yes ? { text: 'yes' } : await ask?.(question);
  if (answer === undefined) {
    print('Nothing was written: add --yes.\n');
    return 1;
  }
  if (typeof answer === 'string' || !/^y(es)?$/i.test(answer.text.trim())) {
    // The question's line has not ended.
    print(`${typeof answer === 'string' ? '\n' : ''}Nothing was written.\n`);
    return answer === 'interrupted' ? 130 : 1;
  }
  writePins(resolve(cwd, file), isNew, Object.fromEntries(pins.map(({ id, after }) => [id, after])));
  print(`${counted(pins.length, 'behaviour')} written into ${file}\n`);
  return 0;
}

const mostNamed = 3;

/** Names pins that change in the same way: up to three ids, or else the rule, how many there are, and the first ids. */
function idsText(alike: readonly Pin[]): string {
  const ids = alike.map(({ id }) => id);
  const named = someOf(ids, mostNamed);
  return ids.length <= mostNamed
    ? named
    : `#${ruleOf(ids[0] ?? '')} of ${counted(ids.length, 'operation')}: ${named}`;
}

/** Lists the first ids, such as `a, b and 3 more`. */
function someOf(ids: readonly string[], most: number): string {
  const more = ids.length > most ? ` and ${whole(ids.length - most)} more` : '';
  return `${ids.slice(0, most).join(', ')}${more}`;
}

const allPinned = 'Nothing to accept: the profile expects what this result shows of these open points.';

/** The message where no ids were given and nothing changed: how many open points have no pin, and how to pin them. */
function nothingChanged(
  run: RunResult,
  expects: Expects,
  { path, file }: { readonly path: string; readonly file: string },
): string {
  const open = Object.keys(chosenIn(run.checks, run));
  const free = open.filter((id) => pinOf(expects, id) === undefined);
  if (open.length > 0 && free.length === 0)
    return 'Nothing to accept: the profile expects what this result shows.';
  const none = 'Nothing to accept: no open point changed since a baseline or differs from the profile.';
  if (free.length === 0) return `${none} The result shows none.`;
  const [result, profile] = [path, file].map(quotedWord);
  const command = `${typedWith('accept')} ${result} '*' --profile ${profile}`;
  return `${none}\n${whole(free.length)} of ${counted(open.length, 'open point')} ${free.length === 1 ? 'is' : 'are'} not pinned. Name them by id or glob; this pins all:\n  ${command}`;
}

/** Returns a function that asks on the terminal; undefined where input or output is no terminal. */
export const terminalQuestion = (input: NodeJS.ReadStream, output: NodeJS.WriteStream): Ask | undefined =>
  input.isTTY && output.isTTY
    ? async (question) => {
        const lines = createInterface({ input, output });
        const ended = new Promise<Answered>((resolve) => {
          lines.once('SIGINT', () => resolve('interrupted'));
          lines.once('close', () => resolve('closed'));
        });
        const answered = lines.question(question).then(
          (text) => ({ text }),
          () => ended,
        );
        try {
          return await Promise.race([ended, answered]);
        } finally {
          lines.close();
        }
      }
    : undefined;

/** Fields of a profile that do not change what a run asks. */
const asksNothing = new Set(['$schema', 'expects', 'name']);

/** Warns where the run did not use the profile to be written: with that profile, the server may behave differently. */
function otherProfileLines({ options }: RunResult, file: string, cwd: string): string[] {
  const path = resolve(cwd, file);
  if (!existsSync(path) || resolve(cwd, options.profile?.file ?? '') === path) return [];
  const members = Object.keys(JSON.parse(readRegularFile(path, mostBytes).toString('utf8')));
  if (members.every((name) => asksNothing.has(name))) return [];
  const had = options.profile === undefined ? 'no profile' : `the profile ${quoted(options.profile.file)}`;
  return [
    `That run had ${had}; with ${quoted(file)} the server may be asked otherwise, and behave otherwise: run again with it first.`,
  ];
}

/** A line that names the open points which a glob leaves out. */
function unshownLines(unshown: readonly string[]): string[] {
  if (unshown.length === 0) return [];
  return [
    `Left out: ${counted(unshown.length, 'open point')} of operations that the run did not see served (${someOf(unshown, mostUnshown)}); an id without * pins one all the same.`,
  ];
}

/** A line that names what got worse than the baseline: no pin can accept it. */
function worseLines({ baseline }: RunResult): string[] {
  const worse = baseline?.worse ?? [];
  if (worse.length === 0) return [];
  return [
    `Left out: ${counted(worse.length, 'check')} that got worse than the baseline (${someOf(worse, mostUnshown)}); accept pins behaviours alone. Waive a check in the profile, or take this run as the next baseline.`,
  ];
}

const mostUnshown = 5;

/**
 * What to pin, and what a glob leaves out (`unshown`): an operation that is not served behaves otherwise once it is.
 * @throws ConfigurationError for an id that is no open point of this result
 */
function pinsOf(
  run: RunResult,
  ids: readonly string[],
  expects: Expects,
): { readonly pins: readonly Pin[]; readonly unshown: readonly string[] } {
  const chosen = chosenIn(run.checks, run);
  const wanted = ids.length === 0 ? changedIn(run, chosen, expects) : named(ids, run, chosen);
  const isShown = servedIn(run);
  const unshown = ids.length === 0 ? [] : wanted.filter((id) => !ids.includes(id) && !isShown(id));
  const pins = wanted.flatMap((id) => {
    if (unshown.includes(id)) return [];
    const before = Object.hasOwn(expects, id) ? expects[id] : undefined;
    const seen = chosen[id] ?? '';
    const after = behaviourValue(id, seen) ?? seen;
    return before === after ? [] : [{ id, before, after }];
  });
  return { pins, unshown };
}

/** Whether the run saw every operation of a check served, or did not ask whether it is. */
function servedIn({ checks }: RunResult): (id: string) => boolean {
  const outcomes = new Map(checks.map(({ id, outcome }) => [id, outcome]));
  const operations = new Map(checks.map((check) => [check.id, operationsOf(check)]));
  const isServed = (operation: string) => (outcomes.get(`${operation}#routed`) ?? 'pass') === 'pass';
  return (id) => operations.get(id)?.every(isServed) ?? true;
}

/** Ids of the open points that differ from the profile, or from the baseline of the run. */
function changedIn({ checks }: RunResult, chosen: Behaviours, expects: Expects): string[] {
  const since = new Set(checks.flatMap((check) => (check.since?.gate === 'changed' ? [check.id] : [])));
  const isOther = (id: string) => {
    const expected = pinOf(expects, id);
    return expected !== undefined && isOtherBehaviour(id, expected, chosen[id] ?? '');
  };
  return Object.keys(chosen).filter((id) => since.has(id) || isOther(id));
}

function named(ids: readonly string[], run: RunResult, chosen: Behaviours): string[] {
  const open = Object.keys(chosen);
  const found = ids.map((word) => ({ word, matching: open.filter((id) => globMatches(word, id)) }));
  const mistakes = found.flatMap(({ word, matching }) => {
    if (matching.length > 0) return [];
    const check = run.checks.find(({ id }) => id === word);
    const why = check
      ? `is no open point that was observed: it is ${check.outcome}`
      : `is no open point of this result${didYouMean(word, open, 3)}`;
    return [`accept: ${quoted(word)} ${why}`];
  });
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return [...new Set(found.flatMap(({ matching }) => matching))];
}

const mostBytes = 1024 * 1024;

/** Writes pins into a profile; keeps everything else of the file, and its order. */
export function writePins(path: string, isNew: boolean, pins: Expects): void {
  const text = isNew ? '{}' : readRegularFile(path, mostBytes).toString('utf8');
  const written = JSON.parse(text) as { readonly expects?: Readonly<Record<string, unknown>> };
  const expects = Object.entries({ ...written.expects, ...pins }).sort(byName);
  const profile = { ...written, expects: Object.fromEntries(expects) };
  writeWhole(path, `${JSON.stringify(profile, null, 2)}\n`, '--profile');
}
