// Finds client-data settings that are missing or wrong: folder, version, version pattern.

import { operationById } from '../../../catalog/catalog.ts';
import type { Operation } from '../../../catalog/operation.ts';
import { segmentsLine } from '../../../engine/preflight/lines.ts';
import { folderOf, wrongGivenVersion } from '../../../engine/preflight/segments.ts';
import { meantOperations } from '../../../engine/target/profile.ts';
import { isWall } from '../../../engine/target/session-transport.ts';
import { is2xx } from '../../../engine/values/status.ts';
import { counted } from '../../../engine/values/text.ts';
import type { Examination, HostSample } from '../examine.ts';
import { type Finding, more, stops } from './finding.ts';
import { listed, reached } from './settings.ts';

export function segmentFindings(examination: Examination): Finding[] {
  const { segments, target, hosts } = examination;
  const isAway = hosts.some(({ host, reach }) => host === 'base' && !reach.reachable);
  const isMeant = meantOperations(target).some(({ host }) => host === 'cdn');
  if (segments === undefined) return givenAlone(examination);
  // A host that refuses every call shows nothing about a folder or a version, and has a finding of its own.
  if (segments.found || !isMeant || isWall(target.sessions?.cdn)) return [];
  return [
    stops(
      'segments-unknown',
      segmentsLine(segments, target, isAway),
      isAway
        ? 'mend base first: the main API may name them'
        : 'set CDN_ROOT_FOLDER_PATH, GAME_VERSION and VERSION_PATTERN, or leave CDN_URL out',
      'cdn',
    ),
  ];
}

/** Reports a version given without a folder, where no file is found and the main API names no other version. */
function givenAlone(examination: Examination): Finding[] {
  const { hosts, target } = examination;
  const { CDN_ROOT_FOLDER_PATH: root, gameVersion } = target.ambient;
  if (!hosts.some(isLost) || givenVersionFindings(examination).length > 0) return [];
  return [
    stops(
      'segments-unknown',
      `client data: no files under ${folderOf(root, gameVersion)}; its version was given, its folder was not`,
      'set CDN_ROOT_FOLDER_PATH, or check CDN_URL and GAME_VERSION',
      'cdn',
    ),
  ];
}

/** Whether a run could judge none of a host's files, since their folder is not known. */
export const isLost = ({ sample }: HostSample) =>
  sample.length > 0 && sample.every(({ reason }) => reason === 'segments-unknown');

/** Reports a given version without files; the main API may name one that has some. A 404 of a route is no file. */
export function givenVersionFindings({ elsewhere, target, hosts }: Examination): Finding[] {
  const isThere = hosts.some(({ sample }) =>
    sample.some(
      ({ id, seen, status }) =>
        seen === 'served' && is2xx(status) && operationById(id)?.path.includes('{gameVersion}'),
    ),
  );
  const correction = elsewhere && !isThere ? wrongGivenVersion(elsewhere, target) : undefined;
  return correction === undefined ? [] : [stops('version-wrong', correction.what, correction.remedy, 'cdn')];
}

/** Reports that operations are asked with a guessed version pattern: whatever they answer, no check fails for it. */
export function versionPatternFindings({ target, hosts }: Examination): Finding[] {
  if (target.given.includes('versionPattern')) return [];
  const named = (operation: Operation) =>
    JSON.stringify([operation.path, operation.query]).includes('{versionPattern}');
  const operations = reached(hosts, meantOperations(target)).filter(named);
  if (operations.length === 0) return [];
  return [
    more(
      'version-pattern-unnamed',
      `no version pattern is named: a guess goes to ${counted(operations.length, 'operation')} (${listed(operations.map(({ id }) => id))}), and a refusal of it fails no check`,
      'set VERSION_PATTERN, such as 7.2, or versionPattern in the parameters of the profile',
    ),
  ];
}
