// Commands as a user types them, for messages: npm scripts in a clone, `npx` in the package.

declare global {
  /** Set where the package is bundled: what stands before the name of a command. */
  var packagedCommand: string | undefined;
}

/**
 * A command by its name, as one types it without arguments: `npm run doctor`, `npm start`.
 * @param quietly without npm's own lines, for a command whose output is read by another program
 */
export function typed(name: string, quietly?: 'quietly'): string {
  const packaged = globalThis.packagedCommand;
  if (packaged !== undefined) return `${packaged} ${name}`;
  return name === 'run' ? 'npm start' : `npm run ${quietly ? '-s ' : ''}${scripts[name] ?? name}`;
}

/** The same where arguments follow, which npm keeps for itself without a `--`. */
export const typedWith = (name: string, quietly?: 'quietly'): string =>
  globalThis.packagedCommand === undefined ? `${typed(name, quietly)} --` : typed(name);

/** Names of npm scripts that differ from those of their commands. */
const scripts: Readonly<Record<string, string>> = { 'k6-install': 'k6:install' };
