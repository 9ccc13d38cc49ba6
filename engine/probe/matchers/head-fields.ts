// Finds header fields in which the answer to HEAD contradicts the answer to GET.
import { header, mediaType, type Response } from '../../http/exchange.ts';
import { switchPoint } from '../../values/switch-points.ts';
import { etagOf } from './etag.ts';
import type { Finding } from './finding.ts';

export interface Contradiction extends Finding {
  /** `status` or the name of a header. */
  readonly field: string;
}

/** Returns whether two field values agree; a field that one answer leaves out agrees. */
export const fieldsAgree = switchPoint(
  (inGet: string | undefined, inHead: string | undefined) =>
    inGet === undefined || inHead === undefined || inGet === inHead,
);

/** The fields in which HEAD's answer contradicts GET's, worst first; a field that either leaves out is none. */
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
