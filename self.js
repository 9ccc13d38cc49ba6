// Assay as another process of Assay starts it in a clone; in the package that is the command itself.
import './runtime.js';

await import('./cli.ts');
