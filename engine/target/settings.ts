// Reads settings from the environment and `.env`, and reports mistakes in them: stray lines, blank values, misspelt
// names, bad URLs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'dotenv';
import type { Host } from '../../catalog/operation.ts';
import { distance, quoted } from '../values/text.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment merged over `.env` in `cwd`. A `.env` that exists and cannot be read is a mistake. */
export function withDotenv(env: Environment, cwd: string, mistakes: string[]): Environment {
  const file = join(cwd, '.env');
  try {
    // Only parsed, so that the process keeps the environment it was given.
    const text = readFileSync(file, 'utf8');
    const values = parse(text);
    mistakes.push(...strayLines(text), ...unknownNames(Object.keys(values)));
    return { ...values, ...env };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT')
      mistakes.push(`.env: cannot be read (${code}); make it a readable file or remove it`);
    return env;
  }
}

/** The setting of each host's URL. */
export const variableOf = {
  base: 'BASE_URL',
  cdn: 'CDN_URL',
  gamelogs: 'GAMELOGS_URL',
} as const satisfies Record<Host, string>;

const urls: readonly string[] = Object.values(variableOf);

/** Settings that decide what is judged: where one is lost, a run may be green by accident. */
const decisiveSettings: readonly string[] = [
  ...urls,
  'LOGIN_TOKEN',
  'LOGIN_TOKEN_COMMAND',
  'PROFILE',
  'CDN_ROOT_FOLDER_PATH',
  'GAME_VERSION',
  'VERSION_PATTERN',
  'TLS_CA',
];

/** The settings that `.env.example` lists. */
const documented: readonly string[] = [
  ...decisiveSettings,
  'LOGS_SINK_COMMAND',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'SEED',
  'PROMETHEUS_USERNAME',
  'PROMETHEUS_PASSWORD',
  'ASSAY_OPTIONS',
];

const known = [
  ...decisiveSettings,
  'LOGS_SINK_COMMAND',
  'LOAD_ALLOW_HOSTS',
  'K6_BIN',
  'SEED',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
];

/** Reports a line that sets nothing. Otherwise a run would quietly judge the embedded server instead. */
function strayLines(text: string): string[] {
  if (/["'`]/.test(text)) return [];
  return text
    .split(/\r?\n/)
    .flatMap((line, index) =>
      /^\s*(#|$)/.test(line) || /^\s*(export\s+)?[\w.-]+\s*[=:]/.test(line)
        ? []
        : [
            `.env: line ${index + 1} sets nothing: ${quoted(line.trim().split(/\s/)[0] ?? '')} …; expected NAME=value`,
          ],
    );
}

/** How many typing mistakes a name may have; short names resemble other programs' names (`SPEED`, `DB_URL`). */
const mistypedAtMost = ({ length }: string) => (length < 6 ? 0 : length < 12 ? 1 : 2);

/**
 * Finds the setting that a misspelt name stands for. Other names may belong to other programs.
 * @param most typing mistakes that the name may have
 */
function meantBy(name: string, most = 2): string | undefined {
  if (known.includes(name)) return undefined;
  const typed = name.toUpperCase();
  return known.find((candidate) => {
    const allowed = Math.min(most, mistypedAtMost(candidate));
    // Most names of an environment are too long or too short to be a misspelt setting: they need not be compared.
    return Math.abs(candidate.length - typed.length) <= allowed && distance(candidate, typed) <= allowed;
  });
}

const unknownNames = (names: readonly string[]): string[] =>
  names.flatMap((name) => {
    const meant = meantBy(name);
    return meant === undefined ? [] : [`.env: ${quoted(name)} is no setting; did you mean ${quoted(meant)}?`];
  });

// Settings that are set but blank, as a secret that is missing in CI is, or a variable of a shell that was never set.

/** Names of documented settings that are set to nothing. */
export const blankIn = (env: Environment): string[] => documented.filter((name) => env[name]?.trim() === '');

/** A blank URL is a mistake: a run that judges less, or the embedded server, would be green by accident. */
export function blankMistakes(env: Environment): string[] {
  const blank = blankIn(env).filter((name) => urls.includes(name));
  if (blank.length === 0) return [];
  const without = urls.some((name) => env[name]?.trim())
    ? 'leave that host out'
    : 'judge the embedded server';
  return [`${blank.join(', ')}: set to nothing; give a URL, or unset it, also in .env, to ${without}`];
}

/** The warning about blank settings that are no mistake, shown before anything is sent. */
export const blankLines = (blank: readonly string[]): string[] =>
  blank.length > 0 ? [`${blank.join(', ')}: set to nothing, so taken as not set`] : [];

// Misspelt settings in the environment. Unlike `.env`, the environment also holds other programs' names.
interface Misnamed {
  readonly name: string;
  readonly meant: string;
}

/**
 * Finds names that are one typing mistake away from a setting that is not given.
 * @param isGiven whether the setting is given, in the environment or elsewhere
 */
export function misnamedIn(environment: Environment, isGiven: (setting: string) => boolean): Misnamed[] {
  return Object.keys(environment).flatMap((name) => {
    const meant = meantBy(name, 1);
    if (meant === undefined || isGiven(meant) || !decisiveSettings.includes(meant)) return [];
    return [{ name, meant }];
  });
}

/** Variables of CI services that do not set CI. */
const ciVariables = ['BUILD_ID', 'BUILD_NUMBER', 'TF_BUILD', 'TEAMCITY_VERSION', 'CONTINUOUS_INTEGRATION'];

/** Returns whether this is CI, where nobody reads the warnings of a run that passes. */
const isCi = (env: Environment) =>
  !['', '0', 'false'].includes(env.CI?.trim().toLowerCase() ?? '') || ciVariables.some((name) => env[name]);

/** In CI a misspelt URL is a mistake where no URL is given: the embedded server would be green in its place. */
export const misnamedMistakes = (misnamed: readonly Misnamed[], env: Environment): string[] =>
  isCi(env)
    ? misnamed
        .filter(({ meant }) => urls.includes(meant))
        .map(
          ({ name, meant }) =>
            `${quoted(name)} is no setting; name it ${meant}, or unset it to judge the embedded server`,
        )
    : [];

/** The warnings about misspelt settings, shown before anything is sent. */
export const misnamedLines = (misnamed: readonly Misnamed[]): string[] =>
  misnamed.map(
    ({ name, meant }) =>
      `${quoted(name)} is set and is no setting; if ${meant} was meant, nothing was read of it`,
  );

const expected = 'expected a URL such as http://localhost:8080';

type HostUrl = { readonly host: string } | { readonly mistake: string };

/**
 * A host's URL as origin and path prefix without a trailing slash. The mistake is a phrase that follows
 * the variable's name; it never repeats user information or a query, which may hold secrets.
 */
export function hostUrl(value: string): HostUrl {
  const wrong = (what: string) => ({ mistake: `${quoted(value)} ${what}` });
  if (/^["'`]|["'`]$/.test(value))
    return { mistake: 'holds quotes that are part of the value; give the URL without them' };
  // Comes first and does without the URL class, since a text that the class rejects may hold a password too.
  if (/^(?:[a-z][a-z0-9+.-]*:)?[/\\]*[^/\\?#]*@/i.test(value)) {
    return { mistake: 'holds credentials (not shown); expected a URL without user name and password' };
  }
  const end = value.search(/[?#]/);
  if (end >= 0) {
    const part = value[end] === '?' ? 'a query' : 'a fragment';
    return {
      mistake: `${quoted(value.slice(0, end))} is followed by ${part}; expected origin and path alone`,
    };
  }
  if (/[\s\x00-\x1f\x7f]/.test(value)) return wrong(`holds white space or control characters; ${expected}`);
  if (!/^https?:\/\//i.test(value)) {
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return wrong(`is neither http nor https; ${expected}`);
    const guess = URL.parse(`http://${value}`);
    const bare = guess !== null && /^[a-z0-9[]/i.test(value);
    return wrong(`is not a URL; expected ${bare ? `http:// or https:// before it` : expected.slice(9)}`);
  }
  const url = URL.parse(value);
  const port = /^https?:\/\/[^/]*:(\d+)(?:\/|$)/i.exec(value)?.[1];
  if (url === null && Number(port) > 65_535) return wrong('has a port beyond 65535');
  if (url === null) return wrong(`is not a URL; ${expected}`);
  return { host: url.origin + url.pathname.replace(/\/+$/, '') };
}
