import { findK6, resolveK6 } from './resolve.ts';

/** Of tests: the k6 that is there; in CI one is built where there is none, elsewhere they are skipped aloud. */
export async function k6ForTests(): Promise<string | undefined> {
  if (process.env.CI === 'true') return resolveK6(process.env, console.log);
  const found = await findK6(process.env);
  if (found === undefined) console.warn('SKIPPED: no load is put on anything; npm run k6:install builds k6');
  return found;
}
