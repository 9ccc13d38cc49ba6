// Commands in messages, as the user of the package types them: a clone has npm scripts, a package has `assay`.

/** `--no`: npx runs what is installed, and never fetches another package of that name. */
const command = 'npx --no assay';

/** Of a clone alone: they prove Assay itself. */
const ofClone = 'prove|hostile|bench|oracle|test';

/** A text with `npx --no assay run` in place of `npm start --`, and so on. */
export const asTypedOutside = (text: string): string =>
  text
    .replace(/\bnpm start(?: --(?= ))?/g, `${command} run`)
    .replaceAll('npm run k6:install', `${command} k6-install`)
    .replace(
      new RegExp(`\\bnpm run (?:-s )?(?!(?:${ofClone})\\b)([a-z]+|\\$\\{command\\})(?: --(?= ))?`, 'g'),
      `${command} $1`,
    );
