// Finds an address in an answer that a client can connect to.
import type { Response } from '../../http/exchange.ts';
import { switchPoint } from '../../values/switch-points.ts';
import { type Value, valuesOf } from './json.ts';

const url = /^[a-z][a-z0-9+.-]*:\/\/[^\s/]+/i;
const hostAndPort = /^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9.-]*[a-z0-9])?):\d{1,5}(\/\S*)?$/i;
const host = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+([a-z]{2,}|\d{1,3})(\/\S*)?$/i;
/** A longer text is no address that anything connects to; patterns with groups that repeat have no room for a megabyte. */
const longest = 2_048;
const saysAddress = /ur[li]|host|address|endpoint|server|domain|gateway/i;

/** The first address of an answer: a URL, a host with its port, or a host under a name that says it is one. */
export const addressIn = switchPoint(function addressIn(response: Response): string | undefined {
  return valuesOf(response).find(isAddress)?.value as string | undefined;
});

function isAddress({ name, value }: Value): boolean {
  if (typeof value !== 'string' || value.length > longest) return false;
  if (url.test(value) || hostAndPort.test(value)) return true;
  if (name !== '' && !saysAddress.test(name)) return false;
  return host.test(value) || value === 'localhost' || /^\/\/?[a-z0-9]\S*$/i.test(value);
}
