// The entry point in a clone of the repository: the commands of the package, and those that prove Assay itself.
import { scriptsHelp } from './commands/help-examples.ts';
import { createProgram, performTyped } from './commands/program.ts';
import { addProveCommand } from './commands/prove/options.ts';

const program = createProgram(() => import('./commands/prove/serve-mutant.ts'));
addProveCommand(program);
await performTyped(program, scriptsHelp);
