// Builds `dist`, what `npm pack` packs beside the README: bundled JavaScript that Node runs under node_modules, and the
// files that it reads, at the places that they have in a clone.
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, type Plugin, stop, transform } from 'esbuild';
import { packOwnReadme } from './readme.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(root, 'dist');
const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly name: string;
  readonly version: string;
  readonly imports: Readonly<Record<`#${string}`, string>>;
};

/** Folder of all code, so that every module is one step below `dist`. */
const code = 'code';

/** Files that are read and not run. */
const assets = [
  'catalog/interface.md',
  'engine/run/result.schema.json',
  'engine/target/profile.schema.json',
  '.env.example',
  'reports/html/page',
  'commands/init/github.yml',
  'commands/init/gitlab.yml',
  'load/k6/go.mod',
  'load/k6/go.sum',
  'fixtures/profiles/reference.json',
];

/** What k6 runs: it reads TypeScript itself. */
const k6Script = 'load/k6/journey.ts';

const common: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node22.19',
  // Identifiers are not minified, since error messages of our own show them.
  minifyWhitespace: true,
  minifySyntax: true,
  // `--no`: npx runs what is installed, and never fetches another package of that name.
  define: { 'globalThis.packagedCommand': JSON.stringify('npx --no assay') },
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
};

/** Gives each of our modules the `import.meta.url` of its place in a clone, so that it finds the files beside it. */
const ownModules: Plugin = {
  name: 'own modules',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      const place = relative(root, path).replaceAll('\\', '/');
      const { code: contents } = await transform(text, {
        loader: 'ts',
        define: { 'import.meta.url': 'placeInClone' },
        banner: `const placeInClone = new URL('../${place}', import.meta.url).href;`,
      });
      return { contents, loader: 'js' };
    });
  },
};

/** Bundles the command and the threads; code that several of them need goes into files that they share. */
async function bundleCode(): Promise<Metafile> {
  const threads = Object.entries(own.imports).filter(([name]) => name.endsWith('-thread'));
  const { metafile } = await build({
    ...common,
    entryPoints: {
      assay: 'assay.ts',
      ...Object.fromEntries(threads.map(([name, path]) => [name.slice(1), path])),
    },
    outdir: join(dist, code),
    format: 'esm',
    splitting: true,
    plugins: [ownModules],
    // Packages that are CommonJS ask for Node's own modules with `require`.
    banner: {
      js: "import{createRequire as nodeRequireOf}from'node:module';const require=nodeRequireOf(import.meta.url);",
    },
  });
  return metafile as Metafile;
}

/** Bundles each library that is loaded late, by `require`, into one file. */
async function bundleLibraries(): Promise<readonly Metafile[]> {
  return Promise.all(
    ['#json-schemas', '#faker'].map(async (name) => {
      const entry = own.imports[name as '#faker'] ?? name;
      const outfile = join(dist, code, `${name.slice(1)}.cjs`);
      const { metafile } = await build({ ...common, entryPoints: [entry], outfile, format: 'cjs' });
      return metafile as Metafile;
    }),
  );
}

/** Copies the k6 script and all that it imports, unchanged. */
async function copyK6Scripts(): Promise<void> {
  const { metafile } = await build({
    ...common,
    entryPoints: [k6Script],
    external: ['k6', 'k6/*'],
    format: 'esm',
    write: false,
  });
  for (const path of Object.keys((metafile as Metafile).inputs)) copy(path);
}

function copy(path: string, to = path): void {
  mkdirSync(dirname(join(dist, to)), { recursive: true });
  cpSync(join(root, path), join(dist, to), { recursive: true, filter: (from) => !/tsconfig/.test(from) });
}

/** Writes the package.json that the code finds first: where `#names` lead, and the version. */
function writeManifest(): void {
  const imports = Object.fromEntries(
    Object.keys(own.imports).map((name) => [name, places[name] ?? `./${code}/${name.slice(1)}.js`]),
  );
  const { name, version } = own;
  writeFileSync(
    join(dist, 'package.json'),
    `${JSON.stringify({ name, version, type: 'module', private: true, imports }, null, 2)}\n`,
  );
}

const places: Readonly<Record<string, string>> = {
  '#self': './assay.cjs',
  '#json-schemas': `./${code}/json-schemas.cjs`,
  '#faker': `./${code}/faker.cjs`,
  '#echarts': './echarts.min.js',
};

/** Writes the licences of all packages of which parts are bundled. */
function writeLicences(metafiles: readonly Metafile[]): void {
  const folders = new Set(['node_modules/echarts', 'node_modules/zrender']);
  for (const { inputs } of metafiles)
    for (const path of Object.keys(inputs)) {
      const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
      if (folder !== undefined) folders.add(folder);
    }
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const files = readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) =>
      entry.isFile() && /^(licen[cs]e|notice)/i.test(entry.name) ? [entry.name] : [],
    );
    if (files.length === 0 && license === undefined) throw new Error(`${name} has no licence`);
    const text = files.map((file) => readFileSync(join(root, folder, file), 'utf8').trim()).join('\n\n');
    return `${name} ${version} (${license})\n\n${text}`;
  });
  const line = `\n\n${'-'.repeat(80)}\n\n`;
  writeFileSync(
    join(dist, 'LICENCES.txt'),
    `Packages of which parts are bundled:${line}${texts.join(line)}\n`,
  );
}

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
const metafiles = [await bundleCode(), ...(await bundleLibraries())];
await copyK6Scripts();
await stop();
for (const path of assets) copy(path);
copy('node_modules/echarts/dist/echarts.min.js', 'echarts.min.js');
for (const file of ['assay.cjs', 'start.cjs'])
  copyFileSync(join(import.meta.dirname, file), join(dist, file));
writeManifest();
writeLicences(metafiles);
if (!existsSync(join(dist, code, 'assay.js'))) throw new Error('the command was not built');
// `npm run prepack` packs nothing, so no later script would put the clone's README back.
if (['pack', 'publish'].includes(process.env.npm_command ?? '')) packOwnReadme(root);
