// The one thread that performs a run of the CLI.
import { performAssigned } from '../../engine/run/worker.ts';
import { suites } from './suites.ts';

await performAssigned(suites);
