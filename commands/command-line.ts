// Reads a command line with commander, and reports every mistake as one line that begins with `assay:`.
import { Command } from 'commander';

/** A command that prints what is wrong with its options and throws, instead of ending the process. */
export const createCommand = (name: string): Command =>
  new Command(name)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'assay: ')) })
    .hook('preAction', (_, command) => refuseEmpty(command));

/** An option that is given as '' was meant to name something: a variable of the shell that is not set. */
function refuseEmpty(command: Command): void {
  for (const option of command.options) {
    const key = option.attributeName();
    const isEmpty = [command.getOptionValue(key)].flat().includes('');
    if (option.required && isEmpty && command.getOptionValueSource(key) === 'cli')
      command.error(`error: option '${option.flags}' is given nothing`);
  }
}
