// Finds the client-data files that answers name, and decides whether one exists by comparison with names that cannot.

import { clientData } from '../../catalog/areas/client-data.ts';
import type { Operation } from '../../catalog/operation.ts';
import { noAnswer } from '../../engine/compare/no-answer.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { requireAnswer } from '../../engine/flow/why-refused.ts';
import { answerLeaves, type Exchange, statusOf } from '../../engine/http/exchange.ts';
import { notTriggered, Stop } from '../../engine/judgement.ts';
import { standsOutFrom } from '../../engine/preflight/ask-target.ts';
import { jsonIn } from '../../engine/probe/matchers/json.ts';
import { type Leaf, parentOf } from '../../engine/values/json-walk.ts';
import { noSuchName, noSuchVersion } from '../../engine/values/nonexistent.ts';
import { randomFrom } from '../../engine/values/random.ts';
import { is3xx, is4xx, is5xx } from '../../engine/values/status.ts';
import { letters } from '../../engine/values/text.ts';

/** A step without roles: files are read without a session. */
type Anybody = StepContext<never>;

type Params = Readonly<Record<string, string>>;

/** `open`: the file is answered like one that cannot exist, and the content may still be a file's. */
type Found = 'there' | 'absent' | 'open';

/** A call for something that cannot exist, different for each `nth`. @param file the answer for the file itself */
type Unknown = (nth: number, file: Exchange) => { readonly operation: Operation; readonly params: Params };

/** The answer for a file. Asked once in a run, since no call changes it, and again where there was no answer. */
export async function answerOf(context: Anybody, operation: Operation, params: Params): Promise<Exchange> {
  const put = () => context.send(undefined, operation, { params });
  const known = await context.shared(`file ${operation.path} ${JSON.stringify(params)}`, put);
  const exchange = noAnswer(known) ? await put() : known;
  return requireAnswer(exchange);
}

/**
 * Finds out whether a file exists: it is answered 2xx, and unlike whatever cannot exist, since a host may say 200 to
 * every path, or to every name of some form.
 */
async function findFile(
  context: Anybody,
  operation: Operation,
  params: Params,
  unknown: readonly Unknown[],
): Promise<Found> {
  const file = await answerOf(context, operation, params);
  const status = statusOf(file);
  // A redirect to another origin is not followed, so the file may exist there.
  if (is3xx(status)) context.cannotTell('redirected', `${operation.id} is answered ${status}`);
  if (is4xx(status)) return 'absent';
  const ask = (other: Unknown, nth: number) => {
    const { operation: each, params: values } = other(nth, file);
    return answerOf(context, each, values);
  };
  const controls = await Promise.all(unknown.map((other) => ask(other, 1)));
  if (is5xx(status)) return controls.some((control) => statusOf(control) === status) ? 'open' : 'absent';
  const unlike = await Promise.all(
    controls.map((control, at) => standsOutFrom(file, control, () => ask(unknown[at] as Unknown, 2))),
  );
  if (unlike.every(Boolean)) return 'there';
  return operation.media === 'json' && !isJson(file) ? 'absent' : 'open';
}

const isJson = ({ response }: Exchange) => response !== undefined && 'value' in jsonIn(response);

const random = (...words: readonly string[]) => randomFrom('content', ...words);

/** Finds out whether there is a file of this name, by comparison with names that cannot exist. */
export const fileNamed = (context: Anybody, operation: Operation): Promise<Found> => {
  const [, folder = '', stem = '', suffix = ''] = /^(.*\/)([^/]*?)(\.[^/.]*)?$/.exec(operation.path) ?? [];
  const unlike =
    (name: string): Unknown =>
    (nth) => ({
      operation: { ...operation, path: `${folder}${noSuchName(name, random(name, `${nth}`), nth)}${suffix}` },
      params: {},
    });
  // Compares with a name of the same form and, where that is short, with one that surely does not exist.
  return findFile(context, operation, {}, [unlike(stem), ...(stem.length < 4 ? [unlike('unrouted')] : [])]);
};

/** Finds out whether there is a file for this value of a parameter, by comparison with values that cannot exist. */
export const fileFor = (
  context: Anybody,
  operation: Operation,
  parameter: string,
  value: string,
): Promise<Found> => {
  const [, folder = '', stem = '', suffix = ''] = /^(.*\/)?([^/]*?)(\.[^/.]*)?$/.exec(value) ?? [];
  const unlike =
    (name: string): Unknown =>
    (nth) => ({
      operation,
      params: { [parameter]: `${folder}${noSuchName(name, random(name, `${nth}`), nth)}${suffix}` },
    });
  return findFile(context, operation, { [parameter]: value }, [unlike(stem), unlike('unrouted')]);
};

/** Two files, either of which shows that there is client data under a folder and version. */
export const usualFiles = [clientData.catalog, clientData.contentMetadata] as const;

/** Finds out whether a version (by default the one in force) has client data, compared with ones that cannot exist. */
export async function hasFiles(context: Anybody, gameVersion?: string): Promise<Found> {
  const found: Found[] = [];
  const params: Params = gameVersion === undefined ? {} : { gameVersion };
  for (const file of usualFiles) {
    const seen = await findFile(context, file, params, [
      (nth) => ({ operation: file, params: { gameVersion: `assay-no-such-version-${nth}` } }),
      (nth, { request }) => {
        const version = /\/content\/([^/]+)\//.exec(request.url)?.[1] ?? '1.0.0';
        return {
          operation: file,
          params: { gameVersion: noSuchVersion(version, random(version, `${nth}`)) },
        };
      },
    ]);
    if (seen === 'there') return seen;
    found.push(seen);
  }
  return found.includes('open') ? 'open' : 'absent';
}

export const noFiles = 'there are no files under the folder and version in force either';

/** Ends the step where not even the usual files are found: the folder or the version is then not the target's. */
export async function requireUsualFiles(context: Anybody): Promise<void> {
  if ((await hasFiles(context)) !== 'there') context.cannotTell('segments-unknown', noFiles);
}

/** Ends the step where one of these is answered like a file that cannot exist: it may be a file all the same. */
export function requireNoneOpen(context: Anybody, values: readonly string[], found: readonly Found[]): void {
  const open = values.filter((_, at) => found[at] === 'open');
  if (open.length > 0)
    context.cannotTell('any-name', `${open.join(', ')}: answered like a file that cannot exist`);
}

/** The answer of a file that is there; ends the step where the host answers every name alike. */
export async function fetched<Role extends string>(
  context: StepContext<Role>,
  operation: Operation,
  mayRefuse: string,
  role?: NoInfer<Role>,
): Promise<Exchange> {
  const found = await context.routed(operation);
  if (found.served === undefined && found.reason === 'any-name') context.cannotTell(found.reason, found.why);
  return context.mustSucceed(role, operation, { mayRefuse });
}

/** The Stop for an answer that names no file: there is nothing to judge. */
export const namesNothing = (from: Operation, what: string): Stop =>
  new Stop(notTriggered(`${from.id} names no ${what}`));

// Names in answers. The document shows no shape of them, so names are recognised by their form.
const most = 8;

const texts = (exchange: Exchange, isWanted: (leaf: Leaf) => boolean): string[] => [
  ...new Set(
    answerLeaves(exchange).flatMap((leaf) =>
      typeof leaf.value === 'string' && isWanted(leaf) ? [leaf.value] : [],
    ),
  ),
];

const fileName = /^(?!.*\.\.)[\w-][\w.-]*(\/[\w.-]+)*\.[a-z0-9]{2,5}$/i;
const longestName = 500;
const isFileName = (text: string) => text.length <= longestName && fileName.test(text);

/** Files under `News/` that an answer names by the document's own name for them, newsUrl; at most eight. */
export const namedNews = (exchange: Exchange): string[] =>
  texts(exchange, ({ name, value }) => letters(name) === 'newsurl' && isFileName(String(value))).slice(
    0,
    most,
  );

/** Archives that an answer names by the document's own name for them, archiveId; at most eight. */
export const namedArchives = (exchange: Exchange): string[] =>
  texts(
    exchange,
    ({ name, value }) => /^archiveids?$/.test(letters(name)) && /^[\w.-]{1,64}$/.test(String(value)),
  ).slice(0, most);

/**
 * Languages that a definition names in the form of file names; none where `en` is not among them, since they may then
 * be written otherwise (`en-US`).
 */
export function namedLanguages(exchange: Exchange): string[] {
  const named = texts(
    exchange,
    ({ name, value }) => /lang|locale/i.test(name) && /^[a-z]{2}$/.test(String(value)),
  );
  return named.includes('en') ? named.slice(0, most) : [];
}

const consentFile = /consents\/[\w-]+\/v\d+\/[\w.-]+\.json/;

/** Consent files that an answer names, from `consents/` on: by their paths, or as a name beside a version (`v4`). */
export function namedConsentFiles(exchange: Exchange, known: readonly string[]): string[] {
  const found = answerLeaves(exchange);
  const paths = found.flatMap(({ value }) => consentFile.exec(String(value)) ?? []);
  const versions = new Map(
    found
      .filter(({ value }) => /^v\d+$/.test(String(value)))
      .map(({ pointer, value }) => [parentOf(pointer), String(value)]),
  );
  const pairs = found.flatMap(({ pointer, value }) => {
    const beside = versions.get(parentOf(pointer));
    return beside === undefined ? [] : [`consents/${String(value)}/${beside}/`];
  });
  return known.filter((file) => paths.includes(file) || pairs.some((folder) => file.startsWith(folder)));
}
