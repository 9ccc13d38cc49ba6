// Runs `assay init`: writes what a repository needs to be judged, by hand and in CI. What is there already stays.
import { lstatSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeWhole } from '../../engine/files.ts';
import { typed } from '../../engine/values/typed-command.ts';

type CiSystem = 'github' | 'gitlab' | 'none';

const own = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const profileFile = 'assay-profile.json';
const ciFiles = { github: '.github/workflows/assay.yml', gitlab: '.gitlab-ci.yml' } as const;

/**
 * Writes `.env`, a profile and the CI file into a folder.
 * @param ci whose file is written; where it is left out, the system whose files are there, else GitHub
 * @returns a line for each file, then what to do next
 * @throws ConfigurationError in one line where a file cannot be written
 */
export function initCommand(folder: string, ci: CiSystem = systemIn(folder)): string[] {
  const files = [
    ['.env', settings()],
    [profileFile, profile(folder)],
    ...(ci === 'none' ? [] : [[ciFiles[ci], readFileSync(own(`./${ci}.yml`), 'utf8')]]),
  ] as const;
  const lines = files.map(([name = '', text = '']) => {
    if (isThere(join(folder, name))) return `kept     ${name}: it is there already`;
    writeWhole(join(folder, name), text, 'init');
    return `written  ${name}`;
  });
  return [
    ...lines,
    ...ignorable.flatMap(([path, pattern, why]) =>
      pattern.test(ignoredIn(folder)) ? [] : [`add ${path} to .gitignore: ${why}`],
    ),
    `next: set BASE_URL in .env, then: ${typed('doctor')}`,
  ];
}

/** The example settings, with the name of the profile that is written beside them. */
const settings = (): string =>
  readFileSync(own('../../.env.example'), 'utf8')
    .replace(/^# Copy to \.env\. /, '# ')
    .replace(/^#PROFILE=.*$/m, `PROFILE=${profileFile}`);

function profile(folder: string): string {
  const path = relative(folder, own('../../engine/target/profile.schema.json')).replaceAll('\\', '/');
  const schema = path.startsWith('..') ? {} : { $schema: `./${path}` };
  return `${JSON.stringify({ ...schema, words: {}, parameters: {}, operations: {} }, null, 2)}\n`;
}

const systemIn = (folder: string): CiSystem =>
  isThere(join(folder, ciFiles.gitlab)) && !isThere(join(folder, '.github')) ? 'gitlab' : 'github';

/** Counts a link that leads nowhere as a file, since nothing must be written through it. */
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** What stays out of a repository: its path, the line that ignores it, and the reason. */
const ignorable = [
  ['.env', /^\/?\.env$/m, 'it may hold tokens'],
  ['reports/out', /^\/?reports(\/out)?\/?$/m, 'every run writes its reports there'],
] as const;

function ignoredIn(folder: string): string {
  try {
    return readFileSync(join(folder, '.gitignore'), 'utf8');
  } catch {
    return '';
  }
}
