// Load goes only to this machine or to hosts listed in LOAD_ALLOW_HOSTS.
import { isLoopback } from '../engine/target/transport.ts';
import { ConfigurationError } from '../engine/values/configuration-error.ts';
import { quoted } from '../engine/values/text.ts';

/** Why a load cannot run. Its lines name no command: the command that was called puts its name before each. */
export class CannotLoad extends ConfigurationError {}

/**
 * @param urls of the hosts that the load will go to
 * @param allowed LOAD_ALLOW_HOSTS: names, with or without a port, separated by commas or white space
 * @throws CannotLoad that names each host that is neither this machine nor listed
 */
export function refuseForeignHosts(urls: readonly string[], allowed: string | undefined): void {
  const listed = new Set((allowed ?? '').toLowerCase().split(/[\s,]+/));
  const foreign = urls.filter((url) => {
    const { host = '', hostname = '' } = URL.parse(url) ?? {};
    return !isLoopback(url) && !listed.has(host) && !listed.has(hostname);
  });
  const names = [...new Set(foreign.map((url) => URL.parse(url)?.host ?? url))];
  if (names.length === 0) return;
  throw new CannotLoad([
    `${names.map((name) => quoted(name)).join(', ')} is not this machine and not listed; if you may put load on it, set LOAD_ALLOW_HOSTS=${names.join(',')}`,
  ]);
}
