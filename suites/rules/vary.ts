// Checks that a file whose coding depends on the client tells caches so. A file that no cache may keep conforms.
import { headerAll, type Response } from '../../engine/http/exchange.ts';
import { notTriggered, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { switchPoint } from '../../engine/values/switch-points.ts';
import { quietContent } from '../shared/quiet-reads.ts';
import { codedRead } from './coding.ts';

export const vary: Rule = {
  name: 'vary',
  title: 'a file that is coded on request says so to caches',
  clause: 'rfc9110.vary',
  async judge(operation, context) {
    const plain = await quietContent(operation, context);
    const coded = await codedRead(operation, context);
    if (coded.response.status !== 200 || coded.response.wire.coding === plain.response.wire.coding)
      return notTriggered('Accept-Encoding changes no coding');
    const silent = [plain, coded].find(({ response }) => isForCaches(response) && !variesByCoding(response));
    if (silent === undefined) return pass(coded.exchange);
    const seen = `Cache-Control: ${headerAll(silent.response, 'cache-control').join(', ')}, and no such Vary`;
    return { ...violation('Vary: Accept-Encoding', seen, silent.exchange), cause: 'vary: not said' };
  },
};

/** Whether Cache-Control lets a shared cache store the answer and reuse it without validation. */
export const isForCaches = switchPoint(function isForCaches(response: Response): boolean {
  const control = headerAll(response, 'cache-control').join(',');
  if (/(^|[\s,])(no-store|private|no-cache)\b/i.test(control)) return false;
  return /(^|[\s,])(public|(s-maxage|max-age)="?0*[1-9])/i.test(control);
});

const variesByCoding = (response: Response) =>
  /(^|,)\s*(\*|accept-encoding)\s*(,|$)/i.test(headerAll(response, 'vary').join(','));
