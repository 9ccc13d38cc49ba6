// Commands as a user types them, for messages: npm scripts in a clone, `npx` in the package.

declare global {
  /** Set in the bundled package: the text before the name of a command, such as `npx --no assay`. */
  var packagedCommand: string | undefined;
}

/**
 * A command as a user types it without arguments: `npm run doctor`, `npm start`.
 * @param quietly suppresses npm's own lines, for a command whose output another program reads
 */
export function typed(name: string, quietly?: 'quietly'): string {
  const packaged = globalThis.packagedCommand;
  if (packaged !== undefined) return `${packaged} ${name}`;
  return name === 'run' ? 'npm start' : `npm run ${quietly ? '-s ' : ''}${scripts[name] ?? name}`;
}

/** The command as typed where arguments follow: npm keeps them for itself unless a `--` comes first. */
export const typedWith = (name: string, quietly?: 'quietly'): string =>
  globalThis.packagedCommand === undefined ? `${typed(name, quietly)} --` : typed(name);

/** Names of npm scripts that differ from those of their commands. */
const scripts: Readonly<Record<string, string>> = { 'k6-install': 'k6:install' };
