import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import type { Operation } from '../../fixtures/catalog/operation.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import type { Stage } from '../../fixtures/check/flow/stage.ts';
import type { Exchange } from '../../fixtures/client/exchange.ts';
import { anyOrStop, fetched, namedAs, namesNothing, noneOpen } from './exists.ts';
import { archivesTold, newsTold } from './told.ts';

const { clientData, extensions } = areas;
const { named: clause } = effects.content;

/** News and archives that one answer names, and the files that hold them. */
export function named(flow: Flow): void {
  const files = flow.scene();

  files.step(
    'versioned-news',
    [clientData.versionedNews, clientData.news],
    clause,
    'news that the versioned news name exist as files',
    async (stage) => {
      const answer = await fetched(stage, clientData.versionedNews, 'a version pattern that may not exist');
      await newsExist(stage, clientData.versionedNews, answer);
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
      `archives that the reward data name have ${what}`,
      async (stage) => {
        const answer = await fetched(
          stage,
          clientData.archiveRewardData,
          'a game version that may not exist',
        );
        const archives = archivesTold(answer);
        if (archives.length === 0) throw namesNothing(clientData.archiveRewardData, 'archiveId');
        await someExist(stage, operation, 'archiveId', archives, answer);
      },
    );

  const { step } = flow.scene('client');
  step(
    'news-of-api',
    [extensions.news, clientData.news],
    clause,
    'news that the main API names exist as files',
    async (stage) => {
      const answer = await stage.done('client', extensions.news);
      await newsExist(stage, extensions.news, answer);
    },
  );
}

async function newsExist<Role extends string>(stage: Stage<Role>, from: Operation, answer: Exchange) {
  const news = newsTold(answer);
  if (news.length === 0) throw namesNothing(from, 'file as newsUrl');
  await someExist(stage, clientData.news, 'newsUrl', news, answer);
}

/** Of what is named some may be over, or not yet there; where nothing is, the names lead nowhere. */
async function someExist<Role extends string>(
  stage: Stage<Role>,
  operation: Operation,
  parameter: string,
  values: readonly string[],
  answer: Exchange,
): Promise<void> {
  const found = await Promise.all(values.map((value) => namedAs(stage, operation, parameter, value)));
  const missing = values.filter((_, at) => found[at] === 'absent');
  if (!found.includes('there')) {
    noneOpen(stage, values, found);
    await anyOrStop(stage);
  }
  stage.expect(
    missing.length < values.length,
    `a file for what is named as ${parameter}`,
    `none for ${missing.join(', ')}`,
    answer,
  );
  if (missing.length > 0) stage.note(`no file for ${missing.join(', ')}`);
}
