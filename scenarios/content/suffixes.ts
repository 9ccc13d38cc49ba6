import { areas } from '../../fixtures/catalog/catalog.ts';
import { clauseById } from '../../fixtures/catalog/clauses/register.ts';
import type { Operation } from '../../fixtures/catalog/operation.ts';
import type { Flow, SceneBuilder } from '../../fixtures/check/flow/flow.ts';
import type { Stage } from '../../fixtures/check/flow/stage.ts';
import { type Exchange, statusOf } from '../../fixtures/client/exchange.ts';

const { archives, auth, logs, messages, party, playerName, ranks } = areas;

type Suffixed = readonly (readonly [step: string, operation: Operation])[];

/** The operations whose names carry a version, as the document lists them: those that players call … */
const ofPlayers: Suffixed = [
  ['active-node-v3', archives.updateActiveNode],
  ['reset-get-pips-v2', ranks.resetAndGetPips],
  ['list-v2', messages.list],
  ['mark-as-v2', messages.markAs],
  ['join-v2', party.join],
  ['crossplatform-v2', playerName.search],
];

/** … and those that are called before anybody has signed in. */
const ofAnybody: Suffixed = [
  ['public-key-v2', auth.publicKey],
  ['analytics-v2', logs.analyticsBatch],
];

/** A call is served by the name that carries its version, not only by the one that does not. */
export function suffixes(flow: Flow): void {
  servedByName(flow.scene(), undefined, ofAnybody);
  servedByName(flow.scene('client'), 'client', ofPlayers);
}

function servedByName<Role extends string>(
  { step }: SceneBuilder<Role>,
  role: NoInfer<Role> | undefined,
  rows: Suffixed,
): void {
  for (const [name, operation] of rows)
    step(
      name,
      [operation],
      clauseById('versioning.suffix'),
      `${operation.path} is served by that name`,
      async (stage) => {
        const found = await stage.routed(operation);
        if (found.served) return;
        if (found.served === undefined) return stage.cannotTell(found.reason, found.why);
        const plain = await servedWithout(stage, role, operation);
        stage.expect(
          plain === undefined,
          `${operation.path} is served`,
          `it is not, but the name without its version is (${plain && statusOf(plain)})`,
          plain,
        );
        stage.cannotTell('not-served', `${operation.id} is not served: ${found.why}`);
      },
    );
}

/** The answer to the same call without the version in its name, where it is a success that unknown names do not get. */
async function servedWithout<Role extends string>(
  stage: Stage<Role>,
  role: NoInfer<Role> | undefined,
  operation: Operation,
): Promise<Exchange | undefined> {
  const path = withoutVersion(operation.path);
  const [answer, control] = await Promise.all(
    [path, `${path}${stage.unique('assay')}`].map((each) => stage.put(role, { ...operation, path: each })),
  );
  const isSuccess = (exchange: Exchange | undefined) =>
    exchange?.response !== undefined && exchange.response.status >= 200 && exchange.response.status < 300;
  return isSuccess(answer) && !isSuccess(control) ? answer : undefined;
}

/** `/messages/listV2` becomes `/messages/list`, `/auth/v2/publicKey` becomes `/auth/publicKey`; `/api/v1` stays. */
const withoutVersion = (path: string) =>
  path.replace(/(?<!^\/api)\/v\d+(?=\/)/, '').replace(/-?[vV]\d+$/, '');
