// Runs `npm run k6:install`: builds k6 where there is none yet, and prints which one will be used.
import { resolveK6, versionOf } from '../load/k6-install/build.ts';

export async function k6InstallCommand(): Promise<void> {
  const path = await resolveK6(process.env, (line) => console.log(line));
  console.log(`k6 ${await versionOf(path)}: ${path}`);
}
