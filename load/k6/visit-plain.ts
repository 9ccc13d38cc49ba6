// A journey of one call that is the same every time, without what the others need: here every access counts.
import type { Person, Plan } from './plan.ts';
import { wrongWith } from './right.ts';
import { type Prepared, type Seen, sign } from './visit.ts';

/** @returns what one iteration does */
export function plainVisit(
  { forgiving }: Plan,
  prepared: Prepared,
  { right, wrong }: Seen,
): (person: Person) => void {
  const { call, id, send, url = '', text = null, params } = prepared;
  const { accepts, begins, unlike } = call;
  const isUsual = accepts.length === 0 && unlike === undefined && begins !== '';
  return (person) => {
    if (prepared.signedAs !== person) sign(prepared, person, url, true);
    const response = send(url, text, params);
    if (isUsual) {
      const status = response.status;
      if (status > 199 && status < 300 && response.body?.[0] === begins) {
        right(response);
        return;
      }
    }
    const kind = forgiving ? undefined : wrongWith(call, response.status, response, false);
    if (kind === undefined) right(response);
    else wrong(id, kind, response);
  };
}
