import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import type { Stage } from '../../fixtures/check/flow/stage.ts';
import { versionsTold, worthLooking } from '../../fixtures/check/matchers/versions-told.ts';
import { anyFile, hasFiles, noFiles } from './exists.ts';

const { general, utils } = areas;
const anyState = open['open.flows'];

/** Versions that the API reports, and the files under them. */
export function versions(flow: Flow): void {
  const { prepare, step } = flow.scene('client');

  const known = prepare('client data under the version in force', (stage) => hasFiles(stage));

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
      const { there, open, looked } = await underVersions(stage, told);
      if (there !== undefined) return stage.note(`there are files under ${there}`);
      if (stage.guessesPattern(operation))
        stage.cannotTell(
          'unknown-resource',
          `${operation.id} was asked about a version pattern that nobody gave`,
        );
      if (stage.of(known) !== 'there') stage.cannotTell('segments-unknown', noFiles);
      if (open.length > 0) stage.cannotTell('any-name', `${open.join(', ')}: answered as no version is`);
      if (looked < told.length)
        stage.cannotTell('unknown-resource', `none of ${looked} versions has files, of ${told.length} told`);
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
        const { there, open } = await underVersions(stage, versionsTold(answer));
        if (there === undefined && stage.of(known) !== 'there') stage.cannotTell('segments-unknown', noFiles);
        if (there === undefined && open.length > 0)
          stage.cannotTell('any-name', `${open.join(', ')}: answered as no version is`);
        stage.observe(`it names ${there === undefined ? 'none' : 'one'} that has files`, answer);
      },
    );
}

type Client = Stage<'client'>;

/** Which of these versions has files, and those that are answered as versions that cannot exist. */
async function underVersions(stage: Client, told: readonly string[]) {
  const versions = worthLooking(told);
  const open: string[] = [];
  for (const version of versions) {
    const found = await hasFiles(stage, version);
    if (found === 'there') return { there: version, open, looked: versions.length };
    if (found === 'open') open.push(version);
  }
  return { there: undefined, open, looked: versions.length };
}
