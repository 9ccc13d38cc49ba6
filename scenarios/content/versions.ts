import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import type { Stage } from '../../fixtures/check/flow/stage.ts';
import { versionsTold } from '../../fixtures/check/matchers/versions-told.ts';
import { anyFile, hasFiles, noFiles } from './exists.ts';

const { general, utils } = areas;
const anyState = open['open.flows'];

/** Versions that the API reports, and the files under them. */
export function versions(flow: Flow): void {
  const { prepare, step } = flow.scene('client');

  const known = prepare('client data under the version in force', (stage) => hasFiles(stage, {}));

  for (const [name, operation, title] of [
    ['content-version', utils.contentVersion, 'the content version is one of client-data files'],
    [
      'content-version-of',
      utils.contentVersionOf,
      'the content version of a pattern is one of client-data files',
    ],
  ] as const)
    step(name, [operation, ...anyFile], effects.content.version, title, async (stage) => {
      const answer = await stage.done('client', operation, {
        mayRefuse: 'a version that was not asked for by name',
      });
      const told = versionsTold(answer);
      if (told.length === 0)
        stage.cannotTell('unknown-resource', `${operation.id} tells no version with dots`);
      const found = await firstWithFiles(stage, told);
      if (found !== undefined) return stage.note(`there are files under ${found}`);
      if (!stage.of(known)) stage.cannotTell('segments-unknown', noFiles);
      const expected = 'client-data files under a version that it tells';
      stage.expect(false, expected, `none under ${told.join(', ')}`, answer);
    });

  for (const [name, operation, what] of [
    ['version', general.version, 'the version'],
    ['config', general.config, 'the configuration'],
    ['client-version-check', general.checkClientVersion, 'the check of a client version'],
  ] as const)
    step(
      name,
      [operation, ...anyFile],
      anyState,
      `whether ${what} names a version of client-data files`,
      async (stage) => {
        const answer = await stage.observeAnswer('client', operation, stage.said('client', operation));
        const found = await firstWithFiles(stage, versionsTold(answer));
        if (found === undefined && !stage.of(known)) stage.cannotTell('segments-unknown', noFiles);
        stage.observe(`it names ${found === undefined ? 'none' : 'one'} that has files`, answer);
      },
    );
}

type Client = Stage<'client'>;

async function firstWithFiles(stage: Client, told: readonly string[]): Promise<string | undefined> {
  for (const gameVersion of told) if (await hasFiles(stage, { gameVersion })) return gameVersion;
  return undefined;
}
