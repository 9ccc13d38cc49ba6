import { existsSync } from 'node:fs';
import * as module from 'node:module';
import { dirname } from 'node:path';

// Preloaded by every npm script. Plain JavaScript, so that a runtime too old to read TypeScript still says so in one line.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `assay: needs Node 22.19 or later, this is ${process.versions.node}: "npm ci" brings one of its own, which "npm start" and "npm run …" use; or install a newer Node.`,
  );
  process.exit(2);
}
if (!existsSync(new URL('./node_modules/commander', import.meta.url))) {
  console.error(
    'assay: its dependencies are not installed: run "npm ci", or "npm ci --include=dev" where NODE_ENV is production.',
  );
  process.exit(2);
}

// A third of a start goes into compiling what has not changed since the last one; worker threads take it from the environment.
module.enableCompileCache?.();
const cache = module.getCompileCacheDir?.();
if (cache && !process.env.NODE_COMPILE_CACHE) process.env.NODE_COMPILE_CACHE = dirname(cache);

// Node 22 still warns that it strips types; that is news to nobody who reads a report.
process.removeAllListeners('warning');
process.on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning') console.error(`${warning.name}: ${warning.message}`);
});

// Our own modules name each other by path and extension: node need not ask the file system what and whose they are,
// which costs it more than reading them.
module.registerHooks?.({
  resolve(specifier, context, next) {
    if (!specifier.startsWith('.') || !specifier.endsWith('.ts')) return next(specifier, context);
    const url = new URL(specifier, context.parentURL).href;
    return { url, format: 'module-typescript', shortCircuit: true };
  },
});
