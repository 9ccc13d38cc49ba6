// The entry point of the package.
import { packageHelp } from './commands/help-examples.ts';
import { createProgram, performTyped } from './commands/program.ts';

await performTyped(createProgram(), packageHelp);
