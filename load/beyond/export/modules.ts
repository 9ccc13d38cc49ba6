// The scripts as one flat folder: keys of a ConfigMap hold no slashes, so every import is written anew.
import { dirname, join, normalize } from 'node:path/posix';

const relative = /^((?:import|export)\b[^;'"]*?\bfrom )'(\.[^']+)'/gm;
/** Erased before k6 looks for it. */
const ofTypes = /^(?:import|export) type\b/;

/**
 * The entry and all that it loads.
 * @param entry path from the repository's root, with forward slashes
 * @param read gives the text of such a path
 * @returns texts by flat name; the entry's own is its last part
 */
export function flatModules(entry: string, read: (path: string) => string): Record<string, string> {
  const flat = (path: string) =>
    path === entry ? (path.split('/').at(-1) ?? path) : path.replaceAll('/', '.');
  const texts: Record<string, string> = {};
  const waiting = [entry];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (texts[flat(path)] !== undefined) continue;
    const from = dirname(path);
    texts[flat(path)] = read(path).replace(relative, (line, before: string, specifier: string) => {
      const found = normalize(join(from, specifier));
      if (!ofTypes.test(line)) waiting.push(found);
      return `${before}'./${flat(found)}'`;
    });
  }
  return texts;
}
