// Whichever of a rule's calls gets no answer, nobody is accused of what was not seen.
import { expect, test } from 'vitest';
import { areas, catalog } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { type Answer, rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { absentFile } from './absent-file.ts';
import { anonymous, spoiledCredential } from './anonymous.ts';
import { anonymousPrivate } from './anonymous-private.ts';
import { booleans } from './booleans.ts';
import { brackets } from './brackets.ts';
import { coding } from './content-coding.ts';
import { head } from './head.ts';
import { inboxFilter } from './inbox-filter.ts';
import { notPublic } from './not-public.ts';
import { payloadSchema } from './payload-schema.ts';
import { redirectParameter } from './redirect-parameter.ts';
import { stableShape } from './stable-shape.ts';
import { typesRepeated } from './types-repeated.ts';
import { etagStable, modified, notModified } from './validators.ts';

/** Answers so many calls in turn, each by its number from 1; then it is silent. */
const silentAfter = (most: number, answer: (nth: number) => Answer): Script => {
  let asked = 0;
  return () => {
    asked += 1;
    return asked > most ? { error: 'timeout' } : answer(asked);
  };
};

const { config, marketingRedirect } = areas.general;
const { catalog: file } = areas.clientData;
const same: (nth: number) => Answer = () => ({ body: { a: 1 } });
const changing = (nth: number): Answer => ({ body: { [`a${nth}`]: nth } });
const retagged = (nth: number): Answer => ({ body: 'x', headers: { etag: `"${nth}"` } });
const refused = (): Answer => ({ status: 400, body: {} });
const forAll = (): Answer => ({ body: { a: 1 }, headers: { 'cache-control': 'public, max-age=60' } });
const players = (nth: number): Answer => ({ body: { playerId: `player-${nth === 3 || nth === 6 ? 2 : 1}` } });
const otherwise = (nth: number): Answer => ({ body: { [`a${nth === 2}`]: 1 } });
const coded = (nth: number): Answer =>
  nth < 3 || nth === 4 ? { body: { a: 1 } } : { body: { a: 2 }, wire: { coding: 'gzip', bytes: 9 } };
const bracketed = catalog.find(({ query }) => Object.keys(query).some((name) => name.endsWith('[]')));

const rows: readonly (readonly [Rule, Operation, number, (nth: number) => Answer])[] = [
  [absentFile, file, 0, same],
  [absentFile, file, 1, same],
  [anonymous, config, 1, same],
  [spoiledCredential, config, 1, same],
  [anonymousPrivate, config, 0, same],
  [anonymousPrivate, config, 1, same],
  [anonymousPrivate, config, 2, players],
  [anonymousPrivate, config, 3, players],
  [anonymousPrivate, config, 5, players],
  [booleans, areas.party.leave, 1, same],
  [brackets, bracketed as Operation, 1, same],
  [brackets, bracketed as Operation, 2, changing],
  [brackets, bracketed as Operation, 3, otherwise],
  [coding, config, 3, coded],
  [coding, config, 4, coded],
  [head, config, 1, same],
  [head, config, 2, retagged],
  [head, config, 3, retagged],
  [inboxFilter, areas.messages.listInbox, 1, same],
  [notPublic, config, 1, same],
  [redirectParameter, marketingRedirect, 1, refused],
  [stableShape, config, 1, same],
  [stableShape, config, 2, changing],
  [stableShape, config, 3, changing],
  [typesRepeated, areas.extensions.catalogItems, 1, same],
  [etagStable, config, 1, retagged],
  [etagStable, config, 2, retagged],
  [etagStable, config, 3, retagged],
  [notModified, config, 1, retagged],
  [notModified, config, 2, retagged],
  [modified, config, 1, retagged],
  [modified, config, 2, retagged],
];

test.each(rows.map(([rule, operation, most, answer]) => ({ rule, operation, most, answer })))(
  '$rule.name on $operation.id, silent after $most calls',
  async ({ rule, operation, most, answer }) => {
    const { judgement, asked } = await rehearse(rule, operation, silentAfter(most, answer));
    expect(judgement).toMatchObject({ kind: 'inconclusive', reason: 'timeout' });
    expect(asked).toHaveLength(most + 1);
  },
);

test('a schema of the profile is held against nothing where nothing comes', async () => {
  const stated = () => ({ schema: { type: 'object' } }) as never;
  const { judgement } = await rehearse(payloadSchema, config, silentAfter(0, same), { stated });
  expect(judgement).toMatchObject({ kind: 'inconclusive', reason: 'timeout' });
});

test('what is marked public and given to nobody is compared with what another player gets', async () => {
  const onlySignedIn: Script = ({ as }) => (as?.startsWith('(') ? { status: 401 } : forAll());
  const silentToOthers: Script = (ask, row) =>
    ask.as === undefined || ask.as.startsWith('(') ? onlySignedIn(ask, row) : { error: 'timeout' };
  expect((await rehearse(notPublic, config, silentToOthers)).told).toBe('timeout');
});
