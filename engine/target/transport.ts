// Decides how a target's hosts are reached: which certificates are trusted, and which hosts are asked through a proxy.
import { X509Certificate } from 'node:crypto';
import { resolve } from 'node:path';
import { readRegularFile, whyUnreadable } from '../files.ts';
import type { TransportOptions } from '../http/connection.ts';
import { defaultLimits } from '../values/default-limits.ts';
import { quoted } from '../values/text.ts';
import type { Environment } from './settings.ts';

/** Returns whether a URL leads to this machine, by its text: no name is looked up. */
export function isLoopback(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? '';
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])\.?$/i.test(
    host,
  );
}

/** Returns whether all hosts of a target are on this machine. */
export const areLocal = (hosts: Readonly<Record<string, string>>): boolean =>
  Object.values(hosts).every((url) => isLoopback(url));

/** How many calls to these hosts are in flight at once where no option says so. */
export const concurrencyFor = (hosts: Readonly<Record<string, string>>): number =>
  areLocal(hosts) ? defaultLimits.loopbackConcurrency : defaultLimits.remoteConcurrency;

// Proxies, by the variables and rules of undici's EnvHttpProxyAgent; loopback uses one only where NO_PROXY asks for it.

/** The entry of NO_PROXY, known from browsers, that sends requests to this machine through the proxy too. */
const loopbackToo = '<-loopback>';

/**
 * The proxy of each host that has one, by the host's origin. A lower-case variable outranks its upper-case one,
 * https hosts without HTTPS_PROXY take HTTP_PROXY, and a variable that no host needs is ignored.
 * @param hosts URLs
 */
export function proxiesFor(
  env: Environment,
  hosts: readonly string[],
  mistakes: string[],
): Readonly<Record<string, string>> {
  const http = firstOf(env, 'http_proxy', 'HTTP_PROXY');
  const https = firstOf(env, 'https_proxy', 'HTTPS_PROXY') ?? http;
  const spared = (env.no_proxy ?? env.NO_PROXY ?? '').split(/[,\s]+/).filter((entry) => entry !== '');
  const found: Record<string, string> = {};
  const problems = new Set<string>();
  for (const host of hosts) {
    const url = new URL(host);
    const given = url.protocol === 'https:' ? https : http;
    if (given === undefined || spared.some((entry) => matches(entry, url))) continue;
    if (isLoopback(host) && !spared.includes(loopbackToo)) continue;
    const mistake = mistakeIn(given.value);
    if (mistake === undefined) found[url.origin] = given.value;
    else problems.add(`${given.name}: ${mistake}; expected a URL such as http://proxy.example:3128`);
  }
  mistakes.push(...problems);
  return found;
}

interface Given {
  readonly name: string;
  readonly value: string;
}

function firstOf(env: Environment, ...names: readonly string[]): Given | undefined {
  // A blank lower-case variable still outranks the other, and names no proxy.
  const name = names.find((each) => env[each] !== undefined);
  const value = name === undefined ? '' : (env[name]?.trim() ?? '');
  return name === undefined || value === '' ? undefined : { name, value };
}

/** What is wrong with a proxy's URL, in a phrase that never repeats user information; undefined where nothing is. */
function mistakeIn(value: string): string | undefined {
  const shown = value.includes('@') ? 'its value (not shown, it may hold a password)' : quoted(value);
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(value)) return `${shown} is not a URL`;
  const url = URL.parse(value);
  if (url === null || url.hostname === '') return `${shown} is not a URL`;
  if (!/^https?:$/.test(url.protocol)) return `${shown} is neither http nor https`;
  try {
    decodeURIComponent(url.username + url.password);
  } catch {
    return `${shown} has a user or password that is not percent-encoded`;
  }
  return undefined;
}

const defaultPort = { 'http:': 80, 'https:': 443 } as const;

/** Whether `example.com`, `.example.com`, `*.example.com` (subdomains alone) or `*`, maybe with a port, fits a URL. */
function matches(entry: string, url: URL): boolean {
  const [, withPort, port] = /^(\[.+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
  if (port !== undefined && Number(port) !== portOf(url)) return false;
  const host = bare(url.hostname);
  const name = bare(withPort ?? entry);
  if (name === '*') return true;
  const domain = name.replace(/^\*?\./, '');
  return (!name.startsWith('*') && host === domain) || host.endsWith(`.${domain}`);
}

const portOf = ({ port, protocol }: URL) => Number(port) || defaultPort[protocol as keyof typeof defaultPort];

/** A host in lower case, without the brackets of an IPv6 address and the dot that ends a full name. */
const bare = (host: string) =>
  host
    .toLowerCase()
    .replace(/^\[(.+)\]$/, '$1')
    .replace(/(.)\.$/, '$1');

/** Plain data. */
export interface Transport extends TransportOptions {
  /** The file of TLS_CA, as the user wrote it. */
  readonly caFile?: string;
}

/** Shown wherever certificates are not checked. */
export const insecureLine =
  'INSECURE: no certificate is checked (--insecure). Whoever stands in between can read the tokens and answer in the place of the target';

interface TransportSettings {
  readonly cwd: string;
  readonly insecure?: boolean | undefined;
}

/**
 * Reads TLS_CA, HTTP_PROXY, HTTPS_PROXY and NO_PROXY.
 * @param hosts URLs
 */
export function transportIn(
  env: Environment,
  { cwd, insecure = false }: TransportSettings,
  hosts: readonly string[],
  mistakes: string[],
): Transport {
  const caFile = env.TLS_CA?.trim() || undefined;
  if (insecure && caFile !== undefined)
    mistakes.push(
      '--insecure: TLS_CA is set too; certificates are either checked or not: leave one of them out',
    );
  const ca = caFile === undefined ? undefined : certificatesIn(caFile, cwd, mistakes);
  const proxies = proxiesFor(env, hosts, mistakes);
  return {
    ...(insecure && { insecure }),
    ...(caFile !== undefined && ca !== undefined && { ca, caFile }),
    ...(Object.keys(proxies).length > 0 && { proxies }),
  };
}

/** The secrets of proxy logins, which must not be recorded. */
export function secretsIn({ proxies = {} }: Transport): string[] {
  return Object.values(proxies).flatMap((url) => {
    const { username, password } = new URL(url);
    const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return password === ''
      ? []
      : [password, decodeURIComponent(password), Buffer.from(login).toString('base64')];
  });
}

const mostBytes = 1024 * 1024;
const block = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificates of a PEM file. Anything else in it, such as a key, is left out. */
function certificatesIn(path: string, cwd: string, mistakes: string[]): string | undefined {
  const wrong = (what: string) => {
    mistakes.push(`TLS_CA: ${quoted(path)} ${what}`);
    return undefined;
  };
  let bytes: Buffer;
  try {
    bytes = readRegularFile(resolve(cwd, path), mostBytes);
  } catch (error) {
    return wrong(`${whyUnreadable(error)}; expected a PEM file of at most 1 MiB`);
  }
  const blocks = bytes.toString('latin1').match(block);
  if (blocks === null) {
    const der = bytes[0] === 0x30 ? ' (it looks like DER: openssl x509 -inform der -in … -out ca.pem)' : '';
    return wrong(`holds no PEM certificate; expected "-----BEGIN CERTIFICATE-----"${der}`);
  }
  const broken = blocks.findIndex((text) => !isCertificate(text));
  if (broken >= 0) return wrong(`holds a broken certificate (number ${broken + 1} of ${blocks.length})`);
  return blocks.join('\n');
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

// The option `--insecure`: its flag and its help.
export const insecure = [
  '--insecure',
  'check no certificate: anyone in between can read everything and answer anything',
] as const;
