import { clientData } from '../../fixtures/catalog/client-data.ts';
import type { Operation } from '../../fixtures/catalog/operation.ts';
import { differences } from '../../fixtures/check/evidence/compare.ts';
import { silenced } from '../../fixtures/check/flow/refusal.ts';
import type { Stage } from '../../fixtures/check/flow/stage.ts';
import { Stop } from '../../fixtures/check/flow/stop.ts';
import { notTriggered } from '../../fixtures/check/verdict.ts';
import { statusOf } from '../../fixtures/client/exchange.ts';

type Params = Readonly<Record<string, string>>;

/**
 * Is there a file with these parameters? It is answered 2xx, and a control, in which one of them has a value that
 * cannot exist, is answered otherwise: a host may say 200 to every path.
 */
export async function exists<Role extends string>(
  stage: Stage<Role>,
  operation: Operation,
  params: Params,
  control: Params,
): Promise<boolean> {
  const [file, absent] = await Promise.all([
    stage.put(undefined, operation, { params }),
    stage.put(undefined, operation, { params: { ...params, ...control } }),
  ]);
  silenced(file);
  silenced(absent);
  const status = statusOf(file);
  // It may well be where that leads: nobody is followed to other origins.
  if (status >= 300 && status < 400) stage.cannotTell('redirected', `${operation.id} is answered ${status}`);
  // Of two statuses no body needs to be looked at.
  return status >= 200 && status < 300 && (statusOf(absent) !== status || differences(file, absent).size > 0);
}

/** A game version that cannot exist. */
export const noVersion: Params = { gameVersion: 'assay-no-such-version' };

/** Two files, either of which shows that there is client data under a folder and version. */
export const anyFile = [clientData.catalog, clientData.contentMetadata] as const;

/** Is there client data under these segments, or under those in force? */
export async function hasFiles<Role extends string>(stage: Stage<Role>, params: Params): Promise<boolean> {
  for (const file of anyFile) if (await exists(stage, file, params, noVersion)) return true;
  return false;
}

export const noFiles = 'there are no files under the folder and version in force either';

/** Ends the step where no file could be found, whatever is named: folder or version are then not the target's. */
export async function anyOrStop<Role extends string>(stage: Stage<Role>): Promise<void> {
  if (!(await hasFiles(stage, {}))) stage.cannotTell('segments-unknown', noFiles);
}

/** Ends the step where an answer names nothing that could be looked for: there is nothing to judge. */
export const namesNothing = (from: Operation, what: string): Stop =>
  new Stop(notTriggered(`${from.id} names no ${what}`));
