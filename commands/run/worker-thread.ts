// The one thread that performs a run of the CLI.
import { performAssigned } from '../../engine/run/worker.ts';
import { everySuite } from './suites.ts';

await performAssigned(everySuite);
