import { areas } from '../../fixtures/catalog/catalog.ts';
import type { Stage } from '../../fixtures/check/flow/stage.ts';
import type { View } from '../../fixtures/check/flow/view.ts';
import { type Exchange, statusOf } from '../../fixtures/client/exchange.ts';

const { match } = areas;

/** The details of a match. */
export const inMatch = (matchId: string) => ({
  operation: match.get,
  params: { matchId },
});

/** Somebody who plays in it. */
export const naming = (match: Pick<View, 'operation' | 'params'>, value: string, what: string): View => ({
  ...match,
  value,
  what,
});

/** Makes a match that is quit again when the run is over; its id. */
export async function makeMatch<Role extends string>(
  stage: Stage<Role>,
  host: NoInfer<Role>,
): Promise<string> {
  const matchId = await matchIn(stage, host, await stage.done(host, match.create));
  stage.later(host, match.quit, { params: { matchId } });
  return matchId;
}

/** The id of a match that was made: read with it, there is one, and with another id there is none. */
export async function matchIn<Role extends string>(
  stage: Stage<Role>,
  host: NoInfer<Role>,
  made: Exchange,
): Promise<string> {
  const status = async (matchId: string) =>
    statusOf(await stage.put(host, match.get, { params: { matchId } }));
  return stage.identifier(made, match.create, 'matchId', async (candidate) => {
    const isThere = (await status(candidate)) < 300;
    return isThere && (await status(stage.unique('assay'))) >= 300;
  });
}
