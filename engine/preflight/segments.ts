// Finds the version and folder under which client data is served.
import { areas } from '../../catalog/catalog.ts';
import type { Client } from '../http/client.ts';
import { type Exchange, isSuccess } from '../http/exchange.ts';
import type { Discovery } from '../players/sign-in-discovery.ts';
import { valuesOf } from '../probe/matchers/json.ts';
import { namedVersions, versionsToTry } from '../probe/matchers/version.ts';
import type { Target } from '../target/target.ts';
import { noSuchVersion, scramble } from '../values/nonexistent.ts';
import { randomFrom } from '../values/random.ts';
import { createSources, isSigning, putter, type Sources, standsOutFrom } from './ask-target.ts';
import type { SessionTrial } from './try-session.ts';

interface Segments {
  readonly CDN_ROOT_FOLDER_PATH: string;
  readonly gameVersion: string;
  /** Where none was given: the pattern that versioned news are served under, and that the main API accepts too. */
  readonly versionPattern?: string;
}

/** Plain data: the segments that have files, or every version that the main API named and that has none. */
export type FoundSegments =
  | { readonly found: true; readonly segments: Segments; readonly reportedBy?: string }
  | {
      readonly found: false;
      readonly reported: readonly string[];
      /** The assumed version has files, and so has one that does not exist. */
      readonly ofAnyVersion?: true;
    };

const { clientData, general, utils } = areas;
const identifierSources = [utils.contentVersion, general.version, general.config] as const;
/** Two files that every client fetches first. */
const files = [clientData.catalog, clientData.contentMetadata] as const;

/** Tries the assumed segments first, then the versions that the main API names. Never rejects. */
export async function findSegments(
  client: Client,
  target: Target,
  discovery: Discovery | undefined,
  sources: Sources = createSources(),
  trial?: SessionTrial,
): Promise<FoundSegments> {
  const put = putter(client, target, discovery, trial);
  const read = sources(put, isSigning(discovery));
  let ofAnyVersion = false as boolean;
  const hasFiles = async (segments: Segments): Promise<boolean> => {
    for (const file of files) {
      const fetchUnder = (gameVersion: string) => put(file, { params: { ...segments, gameVersion } });
      const random = randomFrom(target.seed, target.runId, 'segments', file.id);
      // Two controls: a version of another form, which a target may refuse, and one of the same form.
      const unknown = [() => scramble('unrouted', random), () => noSuchVersion(segments.gameVersion, random)];
      const before = await Promise.all(unknown.map((other) => fetchUnder(other())));
      const answer = await fetchUnder(segments.gameVersion);
      const stoodOut = await Promise.all(
        before.map((control, nth) =>
          standsOutFrom(answer, control, () => fetchUnder(unknown[nth]?.() ?? '')),
        ),
      );
      if (stoodOut.every(Boolean)) return true;
      ofAnyVersion ||= isSuccess(answer) && before.some(isSuccess);
    }
    return false;
  };

  /** The patterns to try for a version: those that the main API names, the version itself, and its first parts. */
  const patternsToTry = async (version: string): Promise<ReadonlySet<string>> => {
    const named = new Set<string>();
    for (const source of target.hosts.base === undefined ? [] : identifierSources)
      for (const pattern of namedPatterns(await read(source)))
        if (named.size < mostPatterns) named.add(pattern);
    return new Set([...named, ...patternsOf(version)]);
  };

  /** The segments with the first of these patterns under which there are versioned news. */
  const withPattern = async (segments: Segments): Promise<Segments> => {
    if (target.given.includes('versionPattern')) return segments;
    const fetchUnder = (versionPattern: string) =>
      put(clientData.versionedNews, { params: { ...segments, versionPattern } });
    const random = randomFrom(target.seed, target.runId, 'segments', clientData.versionedNews.id);
    for (const versionPattern of await patternsToTry(segments.gameVersion)) {
      const unknown = () => fetchUnder(noSuchVersion(versionPattern, random));
      const control = await unknown();
      if (!(await standsOutFrom(await fetchUnder(versionPattern), control, unknown))) continue;
      const isTaken =
        target.hosts.base === undefined ||
        isSuccess(await put(utils.contentVersionOf, { params: { versionPattern } }));
      if (isTaken) return { ...segments, versionPattern };
    }
    return segments;
  };

  const { CDN_ROOT_FOLDER_PATH, gameVersion } = target.ambient;
  const assumed = { CDN_ROOT_FOLDER_PATH, gameVersion };
  if (await hasFiles(assumed)) return { found: true, segments: await withPattern(assumed) };
  const isRootGiven = target.given.includes('CDN_ROOT_FOLDER_PATH');
  const versions = new Set<string>();
  const roots = new Set([CDN_ROOT_FOLDER_PATH]);
  const tried = new Set<string>();
  for (const identifierSource of target.hosts.base === undefined ? [] : identifierSources) {
    const answer = await read(identifierSource);
    for (const version of versionsToTry(namedVersions(answer))) versions.add(version);
    for (const root of isRootGiven ? [] : namedRoots(answer)) if (roots.size <= mostRoots) roots.add(root);
    for (const version of versions)
      for (const root of roots) {
        const segments = { CDN_ROOT_FOLDER_PATH: root, gameVersion: version };
        const folder = folderOf(root, version);
        if (tried.has(folder)) continue;
        tried.add(folder);
        if (await hasFiles(segments))
          return {
            found: true,
            segments: await withPattern(segments),
            reportedBy: identifierSource.id,
          };
      }
  }
  return { found: false, reported: [...versions], ...(ofAnyVersion && { ofAnyVersion }) };
}

/** Patterns of a version, the first two parts before all others: `7.2.0_1` has `7.2`, `7.2.0_1`, `7.2.0` and `7`. */
export function patternsOf(version: string): string[] {
  const parts = version.split(/([._+-]+)/);
  const firstParts = (count: number) => parts.slice(0, 2 * count - 1).join('');
  const shorter = Array.from({ length: (parts.length - 1) / 2 }, (_, left) =>
    firstParts((parts.length - 1) / 2 - left),
  );
  return [...new Set([firstParts(2), version, ...shorter])]
    .filter((pattern) => pattern !== '')
    .slice(0, mostPatterns);
}

const mostPatterns = 5;
const mostRoots = 4;
const longestRoot = 1_000;
/** Names of folders, with or without slashes around all of them. */
const folder = /^\/*([\w.-]+(?:\/[\w.-]+)*)\/*$/;
/** Names of the root folder: the document's, and others. */
const rootName =
  /^(?:cdn|clientdata|content)?(?:root|base)?(?:folder|path|dir|directory|prefix)+$|^(?:cdn|clientdata|content)root$/;
/** A whole path to client data, or its URL. */
const filePath = /\/clientData\/([\w.-]+(?:\/[\w.-]+)*)\/content(?:\/|$)/;

/** Folders that an answer names: those in paths to client data, and those that stand under a name for them. */
const namedRoots = ({ response }: Exchange): string[] =>
  (response ? valuesOf(response) : []).flatMap(({ name, value }) => {
    if (typeof value !== 'string' || value.length > longestRoot) return [];
    const isNamed = rootName.test(name.toLowerCase().replace(/[^a-z]/g, ''));
    return [filePath, ...(isNamed ? [folder] : [])].flatMap((form) => form.exec(value)?.slice(1) ?? []);
  });

/** Patterns that an answer names as such: `3.7.x` as `versionPattern`, `pattern` or `versioned_news_pattern`. */
const namedPatterns = ({ response }: Exchange): string[] =>
  (response ? valuesOf(response) : []).flatMap(({ name, value }) =>
    typeof value === 'string' &&
    /^(?:version.*)?pattern$/.test(name.toLowerCase().replace(/[^a-z]/g, '')) &&
    /^[\w.*+-]{1,40}$/.test(value)
      ? [value]
      : [],
  );

/** What of the found segments the target gets: all, or only the pattern where the version was given and has files. */
export function foundFor({ given, ambient }: Target, found: Segments): Partial<Segments> {
  const { versionPattern, ...folder } = found;
  if (!given.includes('gameVersion')) return found;
  const isGivenFolder =
    folder.gameVersion === ambient.gameVersion &&
    folder.CDN_ROOT_FOLDER_PATH === ambient.CDN_ROOT_FOLDER_PATH;
  return isGivenFolder && versionPattern !== undefined ? { versionPattern } : {};
}

// A given version without files: whether the main API reports one that has files.

/** Where the client data of a folder and version stands. */
export const folderOf = (root: string, version: string) => `/clientData/${root}/content/${version}/`;

/**
 * What is wrong with the given version, in one line, and its remedy; undefined where nothing shows that it is wrong.
 * @param elsewhere the segments that have files, or the versions of the API; the given version was tried first
 */
export function wrongGivenVersion(
  elsewhere: FoundSegments,
  { ambient, profile }: Pick<Target, 'ambient' | 'profile'>,
): { readonly what: string; readonly remedy: string } | undefined {
  const { CDN_ROOT_FOLDER_PATH: root, gameVersion: given } = ambient;
  const none = `client data: no files under ${folderOf(root, given)}, which was given`;
  if (!elsewhere.found) {
    const others = elsewhere.reported.filter((version) => version !== given);
    if (others.length === 0) return undefined;
    return {
      what: `${none}; your API reports ${others.join(', ')}, and there are none in this folder under that either`,
      remedy: 'check CDN_URL and CDN_ROOT_FOLDER_PATH, then GAME_VERSION',
    };
  }
  const { CDN_ROOT_FOLDER_PATH, gameVersion } = elsewhere.segments;
  if (gameVersion === given && CDN_ROOT_FOLDER_PATH === root) return undefined;
  const isInProfile = profile?.parameters.gameVersion === given;
  return {
    what: `${none}; your API reports ${gameVersion} (${elsewhere.reportedBy}), and files are there under ${folderOf(CDN_ROOT_FOLDER_PATH, gameVersion)}`,
    remedy: isInProfile
      ? `put ${JSON.stringify({ ...(CDN_ROOT_FOLDER_PATH !== root && { CDN_ROOT_FOLDER_PATH }), gameVersion })} into the parameters of the profile`
      : `set GAME_VERSION=${gameVersion}${CDN_ROOT_FOLDER_PATH === root ? '' : ` and CDN_ROOT_FOLDER_PATH=${CDN_ROOT_FOLDER_PATH}`}`,
  };
}
