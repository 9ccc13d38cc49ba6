// The flow `content`: versions, consents, news and archives that answers name exist as files. Here: consents.
// `content/`: `files.ts` checks the files that versions, news and archives name; `known-content.ts` finds those files
// and decides whether one exists.
import { areas } from '../catalog/catalog.ts';
import { effects } from '../catalog/clauses/flows.ts';
import type { Operation } from '../catalog/operation.ts';
import { type Flow, flowSuite } from '../engine/flow/flow.ts';
import { locales, namedFiles, suffixes, twoVersions, versions } from './content/files.ts';
import {
  fetched,
  fileNamed,
  namedConsentFiles,
  namedLanguages,
  namesNothing,
  requireNoneOpen,
  requireUsualFiles,
} from './content/known-content.ts';

const { clientData, general } = areas;

const fileOf = ({ path }: Operation) => path.slice(path.indexOf('consents/'));
const consentFiles = Object.values(clientData).filter(({ path }) => path.includes('/consents/'));

const consentsWithText = [
  ['eula', clientData.eulaDefinition, clientData.eula],
  ['marketing', clientData.marketingDefinition, clientData.marketing],
  ['privacy', clientData.privacyV4Definition, clientData.privacyV4],
  ['eula-console-eu', clientData.eulaConsoleEUDefinition, clientData.eulaConsoleEU],
  ['eula-console-na', clientData.eulaConsoleNADefinition, clientData.eulaConsoleNA],
] as const;

/** Consents that are asked for, their definitions, and their texts in every language that is named. */
function consents(flow: Flow): void {
  const { step } = flow.scenario('client');
  step(
    'consents-of-api',
    [general.consent, clientData.eulaDefinition],
    effects.content.named,
    'the consents that the main API names exist as files',
    async (context) => {
      const answer = await context.mustSucceed('client', general.consent);
      const namedFiles = namedConsentFiles(answer, consentFiles.map(fileOf));
      if (namedFiles.length === 0) throw namesNothing(general.consent, 'documented consent and version');
      const files = consentFiles.filter((operation) => namedFiles.includes(fileOf(operation)));
      const found = await Promise.all(files.map((operation) => fileNamed(context, operation)));
      const missing = files.filter((_, at) => found[at] === 'absent').map(fileOf);
      if (!found.includes('there')) await requireUsualFiles(context);
      if (missing.length === 0) requireNoneOpen(context, files.map(fileOf), found);
      context.expect(
        missing.length === 0,
        'a file for each consent named',
        `no ${missing.join(', ')}`,
        answer,
      );
    },
  );

  const files = flow.scenario();
  for (const [name, definition, text] of consentsWithText)
    files.step(
      `${name}-languages`,
      [definition, text],
      effects.content.named,
      `the definition of ${name} has a text in every language that it names`,
      async (context) => {
        const answer = await fetched(context, definition, 'a game version that may not exist');
        const languages = namedLanguages(answer);
        if (languages.length === 0) throw namesNothing(definition, 'languages as file names have them');
        const found = await Promise.all(
          languages.map((language) => {
            const inLanguage = { ...text, path: text.path.replace(/\/en\.json$/, `/${language}.json`) };
            return fileNamed(context, inLanguage);
          }),
        );
        const missing = languages.filter((_, at) => found[at] === 'absent');
        if (missing.length === 0) requireNoneOpen(context, languages, found);
        context.expect(
          missing.length === 0,
          `a text in each language`,
          `none in ${missing.join(', ')}`,
          answer,
        );
      },
    );
}

export default flowSuite('content', [versions, namedFiles, consents, suffixes, twoVersions, locales]);
