// How hosts are reached, as k6 takes it: by environment variables, its own and those of Go.
import { join } from 'node:path';
import { ConfigurationError } from '../../fixtures/target/configuration-error.ts';
import { isLoopback } from '../../fixtures/target/loopback.ts';
import type { Transport } from '../../fixtures/target/transport.ts';

/** In the folder that is handed in, and alone there. */
export const caName = 'ca.pem';

/** Where Go asks the system and no file (crypto/x509, SystemCertPool). */
const systemAlone: readonly NodeJS.Platform[] = ['darwin', 'win32'];

/**
 * @param urls of the hosts that the load goes to
 * @param caFolder where the certificates lie that are trusted in the place of the system's
 * @returns variables for the process of k6; a proxy's login may stand in them
 * @throws ConfigurationError where k6 cannot do as it is told
 */
export function k6Transport(
  { insecure, ca, proxies = {} }: Transport,
  urls: readonly string[],
  caFolder: string,
  platform: NodeJS.Platform,
): Record<string, string> {
  if (ca !== undefined && systemAlone.includes(platform))
    throw new ConfigurationError([
      'load: TLS_CA: on this system k6 trusts what the system trusts; add the certificate there, or take --insecure',
    ]);
  if (urls.some((url) => isLoopback(url) && proxies[new URL(url).origin] !== undefined))
    throw new ConfigurationError([
      'load: NO_PROXY: "<-loopback>" sends calls to this machine through the proxy, which k6 cannot; leave it out',
    ]);
  const through = (protocol: string) =>
    Object.entries(proxies).find(([origin]) => origin.startsWith(`${protocol}//`))?.[1];
  const [http, https] = [through('http:'), through('https:')];
  const direct = urls.map((url) => new URL(url)).filter(({ origin }) => proxies[origin] === undefined);
  return {
    ...(insecure && { K6_INSECURE_SKIP_TLS_VERIFY: 'true' }),
    ...(ca !== undefined && { SSL_CERT_FILE: join(caFolder, caName), SSL_CERT_DIR: caFolder }),
    ...(http !== undefined && { HTTP_PROXY: http }),
    ...(https !== undefined && { HTTPS_PROXY: https }),
    ...(direct.length > 0 && { NO_PROXY: direct.map(({ host }) => host).join(',') }),
  };
}
