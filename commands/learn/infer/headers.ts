// Header fields that the client sends with every call, whatever the call is.
import type { Side } from '../observed-call.ts';
import { isPlainWord, isVersion } from '../privacy.ts';

export interface ClientHeaders {
  calls: number;
  /** Values of fields that every call up to now carried alike. */
  values: Map<string, string> | undefined;
}

export const newClientHeaders = (): ClientHeaders => ({ calls: 0, values: undefined });

/** Fields of the connection, the browser, the content or the session: Assay's clients set them themselves or need none. */
const ordinary =
  /^(accept.*|access-control.*|alt-used|authorization|cache-control|connection|content-.*|cookie|date|dnt|expect|forwarded|host|if-.*|keep-alive|origin|pragma|priority|proxy-.*|purpose|range|referer|sec-.*|te|traceparent|tracestate|trailer|transfer-encoding|upgrade.*|via|x-forwarded-.*|x-real-ip|x-requested-with)$/;
const browser = /^Mozilla\//;
const secret = /key|token|secret|auth|session|sign|credential|password/;

/** Adds one call. */
export function addHeaders(found: ClientHeaders, { headers }: Side): void {
  found.calls += 1;
  const sent = new Map(headers.filter(([name]) => !ordinary.test(name)));
  if (found.values === undefined) {
    found.values = sent;
    return;
  }
  for (const [name, value] of found.values) if (sent.get(name) !== value) found.values.delete(name);
}

export type HeaderValue = string | { readonly env: string };

/**
 * As the profile writes them, by name. A value that is no word and no version could be a key, or somebody's: the
 * environment is to give it.
 */
export function clientHeadersOf(
  { calls, values }: ClientHeaders,
  isPersonal: (value: string) => boolean,
): Record<string, HeaderValue> {
  if (calls < 2) return {};
  const kept = [...(values ?? [])].filter(
    ([name, value]) => value !== '' && isPlainWord(name) && !(name === 'user-agent' && browser.test(value)),
  );
  return Object.fromEntries(
    kept
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [
        name,
        isPublic(name, value) && !isPersonal(value) ? value : { env: variable(name) },
      ]),
  );
}

function isPublic(name: string, value: string): boolean {
  if (secret.test(name)) return false;
  return value.split(/[/ ;]+/).every((part) => isPlainWord(part) || isVersion(part)) && value.length <= 80;
}

const variable = (name: string) => name.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
