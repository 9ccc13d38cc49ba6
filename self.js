// The file that a process of Assay starts as another one in a clone; in the package it is the command itself.
import './runtime.js';

await import('./cli.ts');
