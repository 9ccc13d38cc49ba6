// Defines the error for what stands in the way of a load.
import { ConfigurationError } from '../engine/values/configuration-error.ts';

/** Its lines name no command: the one that was asked for the load puts its own name in front of each. */
export class CannotLoad extends ConfigurationError {}
