// Checks that the news, archives and versions that answers name exist as files, and that versioned names are served.
import { areas } from '../../catalog/catalog.ts';
import { clauseById } from '../../catalog/clauses/clauses.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Operation } from '../../catalog/operation.ts';
import { sameContent } from '../../engine/compare/content.ts';
import type { Flow, ScenarioBuilder } from '../../engine/flow/flow.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { requireAnswer } from '../../engine/flow/why-refused.ts';
import { type Exchange, isSuccess, statusOf } from '../../engine/http/exchange.ts';
import { namedVersions, versionsToTry } from '../../engine/probe/matchers/version.ts';
import { is2xx } from '../../engine/values/status.ts';
import {
  answerOf,
  fetched,
  fileFor,
  hasFiles,
  namedArchives,
  namedNews,
  namesNothing,
  noFiles,
  requireNoneOpen,
  requireUsualFiles,
  usualFiles,
} from './known-content.ts';

const { archives, auth, clientData, extensions, general, logs, messages, party, playerName, ranks, utils } =
  areas;
const clause = effects.content.named;

/** News and archives that one answer names, and the files that hold them. */
export function namedFiles(flow: Flow): void {
  const files = flow.scenario();

  files.step(
    'versioned-news',
    [clientData.versionedNews, clientData.news],
    clause,
    'the news that the versioned news name exist as files',
    async (context) => {
      const answer = await fetched(context, clientData.versionedNews, 'a version pattern that may not exist');
      await newsExist(context, clientData.versionedNews, answer);
    },
  );

  for (const [name, operation, what] of [
    ['archive-quests', clientData.archiveQuests, 'quests'],
    ['archive-grids', clientData.archiveRewardGrid, 'a reward grid'],
  ] as const)
    files.step(
      name,
      [clientData.archiveRewardData, operation],
      clause,
      `the archives that the reward data name have ${what}`,
      async (context) => {
        const answer = await fetched(
          context,
          clientData.archiveRewardData,
          'a game version that may not exist',
        );
        const ids = namedArchives(answer);
        if (ids.length === 0) throw namesNothing(clientData.archiveRewardData, 'archiveId');
        await someExist(context, operation, 'archiveId', ids, answer);
      },
    );

  const { step } = flow.scenario('client');
  step(
    'news-of-api',
    [extensions.news, clientData.news],
    clause,
    'the news that the main API names exist as files',
    async (context) => {
      const answer = await context.mustSucceed('client', extensions.news);
      await newsExist(context, extensions.news, answer);
    },
  );
}

/** What another locale changes in the news of the main API. */
export function locales(flow: Flow): void {
  const { observe } = flow.scenario('client');
  observe(
    'news-locale',
    [extensions.news],
    'whether news in another locale than en differ',
    async (context) => {
      const inOther = { params: { locale: 'de' } };
      const english = await context.snapshot('client', extensions.news, { params: { locale: 'en' } });
      const other = requireAnswer(await context.send('client', extensions.news, inOther));
      if (!isSuccess(other)) return context.observe(`it is answered ${statusOf(other)}`, other);
      const differs = context.snapshotsDiffer(
        english,
        await context.snapshot('client', extensions.news, inOther),
      );
      context.observe(differs ? 'they differ' : 'they are the same', other);
    },
  );
}

async function newsExist(context: StepContext<never>, from: Operation, answer: Exchange) {
  const news = namedNews(answer);
  if (news.length === 0) throw namesNothing(from, 'file as newsUrl');
  await someExist(context, clientData.news, 'newsUrl', news, answer);
}

/** Requires that some of the named files exist; single ones may have expired, or not be published yet. */
async function someExist(
  context: StepContext<never>,
  operation: Operation,
  parameter: string,
  values: readonly string[],
  answer: Exchange,
): Promise<void> {
  const found = await Promise.all(values.map((value) => fileFor(context, operation, parameter, value)));
  const missing = values.filter((_, at) => found[at] === 'absent');
  if (!found.includes('there')) {
    requireNoneOpen(context, values, found);
    await requireUsualFiles(context);
  }
  context.expect(
    missing.length < values.length,
    `a file for what is named as ${parameter}`,
    `none for ${missing.join(', ')}`,
    answer,
  );
  if (missing.length > 0) context.note(`no file for ${missing.join(', ')}`);
}

type Suffixed = readonly (readonly [step: string, operation: Operation])[];

/** Operations of players whose names carry a version, as the document lists them. */
const ofPlayers: Suffixed = [
  ['active-node-v3', archives.updateActiveNode],
  ['reset-get-pips-v2', ranks.resetAndGetPips],
  ['list-v2', messages.list],
  ['mark-as-v2', messages.markAs],
  ['join-v2', party.join],
  ['crossplatform-v2', playerName.search],
];

/** Operations whose names carry a version and that need no sign-in. */
const ofAnybody: Suffixed = [
  ['public-key-v2', auth.publicKey],
  ['analytics-v2', logs.analyticsBatch],
];

/** Checks that a call is served by its name with the version, not only by the name without it. */
export function suffixes(flow: Flow): void {
  servedByName(flow.scenario(), undefined, ofAnybody);
  servedByName(flow.scenario('client'), 'client', ofPlayers);
}

function servedByName<Role extends string>(
  { step }: ScenarioBuilder<Role>,
  role: NoInfer<Role> | undefined,
  operations: Suffixed,
): void {
  for (const [name, operation] of operations)
    step(
      name,
      [operation],
      clauseById('versioning.suffix'),
      `the host serves ${operation.path} by that name`,
      async (context) => {
        const found = await context.routed(operation);
        if (found.served) return;
        if (found.served === undefined) return context.cannotTell(found.reason, found.why);
        const plain = await servedWithout(context, role, operation);
        context.expect(
          plain === undefined,
          `${operation.path} is served`,
          `it is not, but the name without its version is (${plain && statusOf(plain)})`,
          plain,
        );
        context.cannotTell('not-served', `${operation.id} is not served: ${found.why}`);
      },
    );
}

/** The answer to the same call without the version in its name, where it is a success that unknown names do not get. */
async function servedWithout<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role> | undefined,
  operation: Operation,
): Promise<Exchange | undefined> {
  const path = withoutVersion(operation.path);
  const [answer, control] = await Promise.all(
    [path, `${path}${context.unique('assay')}`].map((each) =>
      context.send(role, { ...operation, path: each }),
    ),
  );
  const isServed = (exchange: Exchange | undefined) =>
    exchange?.response !== undefined && is2xx(exchange.response.status);
  return isServed(answer) && !isServed(control) ? answer : undefined;
}

/** `/messages/listV2` becomes `/messages/list`, `/auth/v2/publicKey` becomes `/auth/publicKey`; `/api/v1` stays. */
const withoutVersion = (path: string) =>
  path.replace(/(?<!^\/api)\/v\d+(?=\/)/, '').replace(/-?[vV]\d+$/, '');

/** Versions that the API reports, and the files under them. */
export function versions(flow: Flow): void {
  const { prepare, step, observe } = flow.scenario('client');

  const known = prepare('client data under the version in force', (context) => hasFiles(context));

  for (const [name, operation, title] of [
    ['content-version', utils.contentVersion, 'client-data files exist under the content version'],
    [
      'content-version-of',
      utils.contentVersionOf,
      'client-data files exist under the content version of a pattern',
    ],
  ] as const)
    step(name, [operation, ...usualFiles], effects.content.version, title, async (context) => {
      const answer = await context.mustSucceed('client', operation, {
        mayRefuse: 'a version that the request does not name',
      });
      const dottedVersions = namedVersions(answer);
      if (dottedVersions.length === 0)
        context.cannotTell('unknown-resource', `${operation.id} names no version with dots`);
      const { there, open, looked } = await underVersions(context, dottedVersions);
      if (there !== undefined) return context.note(`there are files under ${there}`);
      if (context.guessesPattern(operation))
        context.cannotTell('unknown-resource', `${operation.id} was asked about a guessed version pattern`);
      if (context.resultOf(known) !== 'there') context.cannotTell('segments-unknown', noFiles);
      if (open.length > 0)
        context.cannotTell('any-name', `${open.join(', ')}: answered like a version that cannot exist`);
      if (looked < dottedVersions.length)
        context.cannotTell(
          'unknown-resource',
          `none of the ${looked} versions tried has files, of ${dottedVersions.length} named`,
        );
      const expected = 'client-data files under a version that it names';
      context.expect(false, expected, `none under ${dottedVersions.join(', ')}`, answer);
    });

  for (const [name, operation, what] of [
    ['version', general.version, 'the version'],
    ['config', general.config, 'the configuration'],
    ['client-version-check', general.checkClientVersion, 'the check of a client version'],
  ] as const)
    observe(
      name,
      [operation, ...usualFiles],
      `whether ${what} names a version of client-data files`,
      async (context) => {
        const answer = await context.observeLikeliest('client', operation);
        const { there, open } = await underVersions(context, namedVersions(answer));
        if (there === undefined && context.resultOf(known) !== 'there')
          context.cannotTell('segments-unknown', noFiles);
        if (there === undefined && open.length > 0)
          context.cannotTell('any-name', `${open.join(', ')}: answered like a version that cannot exist`);
        context.observe(`it names ${there === undefined ? 'none' : 'one'} that has files`, answer);
      },
    );
}

/** Two versions that exist, and their files. */
export function twoVersions(flow: Flow): void {
  const { observe } = flow.scenario('client');
  observe(
    'two-versions',
    [...usualFiles, utils.contentVersion],
    'whether two versions that exist have files of their own',
    async (context) => {
      const answer = await context.mustSucceed('client', utils.contentVersion, {
        mayRefuse: 'a version that the request does not name',
      });
      const inForce = versionOf(await answerOf(context, clientData.catalog, {}));
      const versions = [...new Set([...inForce, ...versionsToTry(namedVersions(answer))])];
      const known: string[] = [];
      for (const version of versions)
        if (known.length < 2 && (await hasFiles(context, version)) === 'there') known.push(version);
      const [one, other] = known;
      if (one === undefined || other === undefined)
        return context.notTriggered(`${utils.contentVersion.id} names no two versions that have files`);
      const found = await Promise.all(usualFiles.map((file) => betweenVersions(context, file, [one, other])));
      if (found.includes('apart')) context.observe('their files differ', answer);
      else if (found.includes('same')) context.observe('their files are the same', answer);
      else context.cannotTell('unstable-answers', 'their files differ from one moment to the next');
    },
  );
}

const versionOf = ({ request }: Exchange) => /\/content\/([^/]+)\//.exec(request.url)?.slice(1) ?? [];

/** Whether a file differs between two versions; undefined where it is missing, or changes by itself. */
async function betweenVersions(
  context: ClientContext,
  file: Operation,
  [one, other]: readonly [string, string],
): Promise<'apart' | 'same' | undefined> {
  const first = await answerOf(context, file, { gameVersion: one });
  const second = await answerOf(context, file, { gameVersion: other });
  const again = requireAnswer(await context.send(undefined, file, { params: { gameVersion: one } }));
  if (![first, second].every(isSuccess) || !sameContent(first, again)) return undefined;
  return sameContent(first, second) ? 'same' : 'apart';
}

type ClientContext = StepContext<'client'>;

/** The first of these versions that has files, and those before it that are answered like ones that cannot exist. */
async function underVersions(context: ClientContext, all: readonly string[]) {
  const versions = versionsToTry(all);
  const open: string[] = [];
  for (const version of versions) {
    const found = await hasFiles(context, version);
    if (found === 'there') return { there: version, open, looked: versions.length };
    if (found === 'open') open.push(version);
  }
  return { there: undefined, open, looked: versions.length };
}
