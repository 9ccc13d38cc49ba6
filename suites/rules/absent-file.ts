// Checks that a store does not serve a file as content when the table does not name it.
import { areas } from '../../catalog/catalog.ts';
import { type Operation, placeholders } from '../../catalog/operation.ts';
import { sameBytes } from '../../engine/compare/content.ts';
import { mediaType } from '../../engine/http/exchange.ts';
import { judgementOf, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { holdsJson, jsonIn, saysNothing } from '../../engine/probe/matchers/json.ts';
import { answered, successfulAnswer } from '../../engine/probe/prerequisites.ts';
import { is2xx } from '../../engine/values/status.ts';
import { switchPoint } from '../../engine/values/switch-points.ts';
import { askedPathAlone } from '../shared/asked-path.ts';

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'));
const fileOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** The first operation of each folder whose file has a fixed name: any name may be an `{archiveId}.json`. */
const representatives: readonly Operation[] = [
  ...Object.values<Operation>(areas.clientData)
    .filter(({ path }) => placeholders(fileOf(path)).length === 0)
    .reduce(
      (folders, operation) =>
        folders.has(folderOf(operation.path)) ? folders : folders.set(folderOf(operation.path), operation),
      new Map<string, Operation>(),
    )
    .values(),
];

export const isFirstOfFolder = (operation: Operation): boolean => representatives.includes(operation);

/** Whether it is JSON: a client that expects JSON notices the page that a single-page host sends for any path. */
export const holdsContent = switchPoint(holdsJson);

/** A client can distinguish `null` from content. */
export const isNull = switchPoint((value: unknown): boolean => value === null);

export const absentFile: Rule = {
  name: 'absent-file',
  title: 'a file beside it that the table does not name is not served as content',
  clause: 'cdn.absent',
  async judge(operation, context) {
    const real = await judgementOf(successfulAnswer(operation, context));
    const whyNot = 'kind' in real ? real : undefined;
    if (whyNot && !(whyNot.kind === 'inconclusive' && whyNot.reason === 'any-name')) return whyNot;
    const plain = await context.ask(operation);
    const path = `${folderOf(askedPathAlone(plain, operation, context))}/assayNoSuchFile.json`;
    const absent = answered(await context.ask(operation, { path }));
    const { status } = absent.response;
    const parsed = jsonIn(absent.response);
    const value = 'value' in parsed ? parsed.value : undefined;
    const isContent = is2xx(status) && holdsContent(absent.response) && !isNull(value);
    // No evidence shows that the file itself exists, so only an answer with content counts as served content.
    if (whyNot && !(isContent && !saysNothing(value))) return whyNot;
    if (isContent)
      return violation(
        'no content for a file that does not exist',
        sameBytes(plain, absent.exchange)
          ? `answered ${status} with the content of ${fileOf(operation.path)}`
          : `answered ${status} with JSON`,
        absent.exchange,
      );
    if (!is2xx(status)) return pass(absent.exchange, `answered ${status}`);
    const sign = value === null ? 'null' : `its type: ${mediaType(absent.response) ?? 'none'}`;
    return pass(absent.exchange, `answered ${status}, distinguished by ${sign}`);
  },
};
