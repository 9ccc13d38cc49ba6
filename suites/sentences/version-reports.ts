import { areas } from '../../fixtures/catalog/catalog.ts';
import { clauseById } from '../../fixtures/catalog/clauses/register.ts';
import type { Operation } from '../../fixtures/catalog/operation.ts';
import { type Check, check } from '../../fixtures/check/check.ts';
import { successfulAnswer } from '../../fixtures/check/gate.ts';
import { versionIn } from '../../fixtures/check/matchers/version-report.ts';
import { inconclusive, pass, violation } from '../../fixtures/check/verdict.ts';

const { checkClientVersion, version } = areas.general;
const { contentVersion, contentVersionOf } = areas.utils;
const reporters: readonly Operation[] = [checkClientVersion, version, contentVersion, contentVersionOf];

const report = (operation: Operation): Check =>
  check(
    operation,
    'version-report',
    clauseById('versioning.report'),
    'reports a version',
    async (context) => {
      const gate = await successfulAnswer(operation, context);
      if (!gate.open) return gate.judgement;
      const reported = versionIn(gate.response, operation === checkClientVersion);
      if (reported !== undefined) return pass(gate.exchange, `reports ${reported.slice(0, 60)}`);
      const [unknown] = await context.unknownIds(operation);
      if (unknown !== undefined)
        return inconclusive(
          'unknown-resource',
          `no known ${unknown}, so it may honestly report none`,
          gate.exchange,
        );
      return violation(
        'some version: a string or a number',
        gate.response.body.length === 0 ? 'an empty body' : 'neither a string nor a number',
        gate.exchange,
      );
    },
  );

export const versionReports: readonly Check[] = reporters.map(report);
