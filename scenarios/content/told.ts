// What an answer names that should exist as a file. Pure; the document shows no shape, so names are recognised.
import { type Exchange, json } from '../../fixtures/client/exchange.ts';
import { type Leaf, leavesOf } from '../../fixtures/players/json-walk.ts';

const most = 8;

const leaves = ({ response }: Exchange): readonly Leaf[] => {
  if (!response) return [];
  const parsed = json(response);
  return parsed.ok ? leavesOf(parsed.value) : [];
};

const texts = (exchange: Exchange, isWanted: (leaf: Leaf) => boolean): string[] => [
  ...new Set(
    leaves(exchange).flatMap((leaf) =>
      typeof leaf.value === 'string' && isWanted(leaf) ? [leaf.value] : [],
    ),
  ),
];

const plainName = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');
const fileName = /^(?!.*\.\.)[\w-][\w.-]*(\/[\w.-]+)*\.[a-z0-9]{2,5}$/i;
const longestName = 500;
const isFileName = (text: string) => text.length <= longestName && fileName.test(text);

/** Files under `News/` that an answer names by the document's own name for them, newsUrl; at most eight. */
export const newsTold = (exchange: Exchange): string[] =>
  texts(exchange, ({ name, value }) => plainName(name) === 'newsurl' && isFileName(String(value))).slice(
    0,
    most,
  );

/** Archives that an answer names by the document's own name for them, archiveId; at most eight. */
export const archivesTold = (exchange: Exchange): string[] =>
  texts(
    exchange,
    ({ name, value }) => /^archiveids?$/.test(plainName(name)) && /^[\w.-]{1,64}$/.test(String(value)),
  ).slice(0, most);

/**
 * Languages that a definition names, written as file names are: nothing where `en` is not among them, since
 * they may then be written otherwise (`en-US`).
 */
export function languagesTold(exchange: Exchange): string[] {
  const named = texts(
    exchange,
    ({ name, value }) => /lang|locale/i.test(name) && /^[a-z]{2}$/.test(String(value)),
  );
  return named.includes('en') ? named.slice(0, most) : [];
}

const consentFile = /consents\/[\w-]+\/v\d+\/[\w.-]+\.json/;

/** Consent files that an answer names, from `consents/` on: by their paths, or as a name beside a version (`v4`). */
export function consentFilesTold(exchange: Exchange, known: readonly string[]): string[] {
  const found = leaves(exchange);
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

const parentOf = (pointer: string) => pointer.slice(0, pointer.lastIndexOf('/'));
