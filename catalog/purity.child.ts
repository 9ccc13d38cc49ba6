// Loads every module of a folder in a bare vm context and prints what the catalog makes there, as JSON.
// Run by purity.test.ts: node --experimental-vm-modules purity.child.ts FOLDER
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { createContext, runInContext, SourceTextModule } from 'node:vm';

const folder = resolve(process.argv[2] ?? '.');
const context = createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } });
const modules = new Map<string, SourceTextModule>();

function load(path: string): SourceTextModule {
  const known = modules.get(path);
  if (known) return known;
  const source = stripTypeScriptTypes(readFileSync(path, 'utf8'));
  const made = new SourceTextModule(source, { context, identifier: path });
  modules.set(path, made);
  return made;
}

function link(specifier: string, from: { readonly identifier: string }): SourceTextModule {
  const path = resolve(dirname(from.identifier), specifier);
  const inside = /^\.\.?\//.test(specifier) && path.startsWith(join(folder, '/'));
  if (!inside) throw new Error(`${relative(folder, from.identifier)} imports ${specifier}`);
  return load(path);
}

const absent = ['URL', 'process', 'require', 'Buffer', 'TextEncoder', 'setTimeout', 'fetch'];
const found = absent.filter((name) => runInContext(`typeof ${name}`, context) !== 'undefined');
if (found.length > 0) throw new Error(`the context is not bare: ${found.join(', ')}`);

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !/\.(test|child)\.ts$/.test(name))
  .sort();
for (const name of files) {
  const made = load(join(folder, name));
  if (made.status === 'unlinked') await made.link(link);
  await made.evaluate();
}

/** An export of a loaded module; nothing where the folder has no such module. */
const from = (file: string, name: string): unknown => {
  const made = modules.get(join(folder, file));
  return made && (made.namespace as Record<string, unknown>)[name];
};
const areas = from('catalog.ts', 'areas') as Readonly<Record<string, object>> | undefined;
console.log(JSON.stringify({ files, areas: areas && Object.keys(areas) }));
