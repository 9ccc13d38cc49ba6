// A coding that is declared decodes, and what it decodes to is the content that an uncoded answer has.
import { clauseById } from '../../fixtures/catalog/clauses/register.ts';
import type { Rule } from '../../fixtures/check/check.ts';
import { answered } from '../../fixtures/check/gate.ts';
import { undeclared, undecodable } from '../../fixtures/check/matchers/content-coding.ts';
import { contentDifferences } from '../../fixtures/check/matchers/same-content.ts';
import { notTriggered, pass, violation, warning } from '../../fixtures/check/verdict.ts';
import { isRead, quiet, quietContent } from './quiet-reads.ts';

const compressed = { headers: [['accept-encoding', 'gzip, br']] } as const;

export const coding: Rule = {
  name: 'coding',
  title: 'a declared content coding decodes to the same content',
  clause: () => clauseById('rfc9110.coding'),
  applies: isRead,
  async judge(operation, context) {
    const plain = await quietContent(operation, context);
    if (!plain.open) return plain.judgement;
    const coded = answered(await context.ask(operation, quiet(operation, 1, compressed)));
    if (!coded.open) return coded.judgement;
    const broken = undecodable(coded.response) ?? undeclared(plain.response, coded.response);
    if (broken) {
      const verdict = 'unknown' in broken && broken.unknown ? warning : violation;
      return verdict(broken.expected, broken.actual, coded.exchange);
    }
    if (coded.response.wire.coding === undefined) return notTriggered('it uses no content coding');
    const differing = contentDifferences(plain.exchange, coded.exchange);
    if (differing.size === 0) return pass(coded.exchange);
    // The same order again, so that what changed by itself between two uncoded answers does not count.
    const after = await context.ask(operation, quiet(operation, 3));
    const codedAgain = await context.ask(operation, quiet(operation, 3, compressed));
    const changing = contentDifferences(plain.exchange, after);
    const stays = contentDifferences(after, codedAgain, changing);
    const [part] = [...differing].filter((name) => stays.has(name));
    if (part === undefined) return pass(coded.exchange, 'it differs only in what changes by itself');
    return violation('the content of the uncoded answer', `other content: ${part}`, coded.exchange);
  },
};
