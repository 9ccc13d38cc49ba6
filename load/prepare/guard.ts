// Load leaves only for this machine, or for hosts that somebody who may do so has listed.
import { ConfigurationError } from '../../fixtures/target/configuration-error.ts';
import { isLoopback } from '../../fixtures/target/loopback.ts';
import { quoted } from '../../fixtures/target/quoted.ts';

/**
 * @param urls of the hosts that the load will go to
 * @param allowed LOAD_ALLOW_HOSTS: names, with or without a port, separated by commas or white space
 * @throws ConfigurationError naming each host that is neither
 */
export function refuseForeignHosts(urls: readonly string[], allowed: string | undefined): void {
  const listed = new Set((allowed ?? '').toLowerCase().split(/[\s,]+/));
  const foreign = urls.filter((url) => {
    const { host = '', hostname = '' } = URL.parse(url) ?? {};
    return !isLoopback(url) && !listed.has(host) && !listed.has(hostname);
  });
  const names = [...new Set(foreign.map((url) => URL.parse(url)?.host ?? url))];
  if (names.length === 0) return;
  throw new ConfigurationError([
    `load: ${names.map((name) => quoted(name)).join(', ')} is not this machine and not listed; if you may put load on it, set LOAD_ALLOW_HOSTS=${names.join(',')}`,
  ]);
}
