// Checks that a strong ETag names one content, and one coding of it. An answer without an ETag conforms.
import type { Operation } from '../../catalog/operation.ts';
import { sameBytes } from '../../engine/compare/content.ts';
import { notTriggered, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import { strongEtagOf } from '../../engine/probe/matchers/http-fields.ts';
import { type Answered, answered } from '../../engine/probe/prerequisites.ts';
import { quiet, quietContent } from '../shared/quiet-reads.ts';
import { codedRead, undecodable } from './coding.ts';
import { readAgain } from './modified.ts';

export const etagStable: Rule = {
  name: 'etag-stable',
  title: 'a strong ETag changes with the content, and only then',
  clause: 'rfc9110.strong-etag',
  async judge(operation, context) {
    const first = await quietContent(operation, context);
    const tag = strongEtagOf(first.response);
    if (tag === undefined) return notTriggered('it sends no strong ETag');
    const shared = await otherCodingOf(operation, context, first, tag);
    if (shared) return shared;
    const second = await readAgain(operation, context, first);
    const next = strongEtagOf(second.response);
    if (next === undefined || second.response.status !== 200)
      return notTriggered('its next answer has no strong ETag');
    const same = sameBytes(first.exchange, second.exchange);
    if (next === tag)
      return same
        ? pass(second.exchange)
        : violation('another ETag for other bytes', `${tag} for both`, second.exchange);
    if (!same) return pass(second.exchange, 'the content changed, and the ETag with it');
    // One change may be a redeploy; a tag that has changed again in the third answer is generated each time.
    const third = answered(await context.ask(operation, quiet(operation, 3)));
    const last = strongEtagOf(third.response);
    if (last === undefined || last === next || !sameBytes(second.exchange, third.exchange))
      return pass(third.exchange);
    const seen = `${tag}, ${next}, ${last} for the same bytes`;
    // One server generates the tags of all its answers, so reports show this as one cause.
    const cause = 'etag-stable: made anew each time';
    return { ...violation('one ETag while the bytes stay', seen, third.exchange), onlyWarns: true, cause };
  },
};

/**
 * The finding that another content coding has the same strong ETag (RFC 9110, 8.8.3.3). The bytes differ, so a download
 * that is resumed by this ETag is corrupt. It only warns, because a client that never resumes notices nothing.
 */
async function otherCodingOf(operation: Operation, context: Context, plain: Answered, tag: string) {
  const coded = await codedRead(operation, context);
  if (coded.response.status !== 200 || strongEtagOf(coded.response) !== tag) return undefined;
  // A body that does not decode may be the plain content under a wrong label, which `#coding` finds.
  if (undecodable(coded.response)) return undefined;
  const codings = [plain.response, coded.response].map(({ wire }) => wire.coding ?? 'uncoded');
  if (codings[0] === codings[1]) return undefined;
  const seen = `${tag} for both (${codings.join(', ')})`;
  const cause = 'etag-stable: one for two codings';
  const found = violation('another ETag for another content coding, or a weak one', seen, coded.exchange);
  return { ...found, control: plain.exchange, onlyWarns: true, cause };
}
