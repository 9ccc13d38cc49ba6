// Checks that HEAD describes the same representation as GET. A server without HEAD conforms.
import { header, mediaType, type Response } from '../../engine/http/exchange.ts';
import { inconclusive, notTriggered, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { etagOf, type MatcherFinding } from '../../engine/probe/matchers/http-fields.ts';
import { answered, samplesInTurn } from '../../engine/probe/prerequisites.ts';
import { switchPoint } from '../../engine/values/switch-points.ts';
import { quiet, quietContent } from '../shared/quiet-reads.ts';

/** Statuses by which routers, firewalls and handlers say that they do not answer HEAD. */
const unknownMethod = new Set([400, 403, 404, 405, 501]);
export const knowsNoHead = switchPoint((status: number): boolean => unknownMethod.has(status));

export const head: Rule = {
  name: 'head',
  title: 'HEAD answers like GET, without the body',
  clause: 'rfc9110.head',
  async judge(operation, context) {
    const get = await quietContent(operation, context);
    const { exchange, response } = answered(
      await context.ask(operation, quiet(operation, 1, { method: 'HEAD' })),
    );
    if (knowsNoHead(response.status)) return notTriggered(`HEAD is answered ${response.status}`);
    // Where GET has an effect, which HEAD must not have, the two may rightly show other content.
    const contradictions = (ofHead: Response, ofGet: Response) =>
      headContradicts(ofHead, ofGet).filter(
        ({ field }) => operation.effect === 'read' || !ofContent.has(field),
      );
    let found = contradictions(response, get.response);
    if (found.length === 0) return pass(exchange);
    // A field that changes by itself from GET to GET, or from machine to machine, cannot contradict HEAD.
    for await (const samples of samplesInTurn('head', operation, context, (nth) => [
      () => context.ask(operation, quiet(operation, nth, { method: 'HEAD' })),
      () => context.ask(operation, quiet(operation, nth)),
    ])) {
      const [again, later] = samples.map((seen) => seen.response as Response) as [Response, Response];
      const still = contradictions(again, later);
      found = found.filter((one) => still.some((other) => isSame(one, other)));
      if (found.length === 0) return pass(exchange, 'it differs only in what changes by itself');
    }
    if (context.crowded())
      return inconclusive(
        'needs-players',
        'a flow may have changed this player between the two calls',
        exchange,
      );
    const [worst] = found as [Contradiction];
    return violation(worst.expected, worst.actual, exchange);
  },
};

/** Whether two contradictions are the same: field and value of GET are equal; HEAD's value may vary. */
const isSame = (one: Contradiction, other: Contradiction) =>
  one.field === other.field && one.expected === other.expected;

/** Fields that depend on the content of the answer. */
const ofContent: ReadonlySet<string> = new Set(['ETag', 'Content-Length']);

interface Contradiction extends MatcherFinding {
  /** `status` or the name of a header. */
  readonly field: string;
}

/** Returns whether two field values agree; a field that one answer leaves out agrees. */
export const fieldsAgree = switchPoint(
  (inGet: string | undefined, inHead: string | undefined) =>
    inGet === undefined || inHead === undefined || inGet === inHead,
);

/** The fields in which HEAD's answer contradicts GET's, worst first; a field that either leaves out does not count. */
export const headContradicts = switchPoint(function headContradicts(
  head: Response,
  get: Response,
): Contradiction[] {
  const compareField = (field: string, inGet: string | undefined, inHead: string | undefined) =>
    fieldsAgree(inGet, inHead)
      ? []
      : [{ field, expected: `${field} as GET says: ${inGet}`, actual: inHead ?? 'none' }];
  return [
    ...compareField('status', String(get.status), String(head.status)),
    ...compareField('Content-Type', mediaType(get), mediaType(head)),
    ...compareField('ETag', opaque(get), opaque(head)),
    ...(get.wire.coding === head.wire.coding
      ? compareField('Content-Length', String(get.wire.bytes), header(head, 'content-length'))
      : []),
  ];
});

/** The tag without its weak prefix: a proxy may weaken a tag on its way. */
const opaque = (response: Response) => etagOf(response)?.replace(/^W\//, '');
