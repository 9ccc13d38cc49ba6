// A journey of one call that is the same every time, without what the others need: here every access counts.
import type { Person, Plan } from './plan.ts';
import { wrongWith } from './right.ts';
import { type Prepared, type Seen, sign } from './visit.ts';

/** @returns what one iteration does, for whoever is played by a VU throughout */
export function plainVisit(
  { forgiving }: Plan,
  prepared: Prepared,
  person: Person,
  { right, wrong }: Seen,
): () => void {
  const { call, id, send, get, url = '', text = null, params } = prepared;
  const { accepts, begins, unlike } = call;
  sign(prepared, person, url, true);
  const judged = (response: ReturnType<typeof send>) => {
    const kind = forgiving ? undefined : wrongWith(call, response.status, response, false);
    if (kind === undefined) right(response);
    else wrong(id, kind, response);
  };
  if (accepts.length > 0 || unlike !== undefined || begins === '')
    return () => judged(send(url, text, params));
  return () => {
    const response = get === undefined ? send(url, text, params) : get(url, params);
    const status = response.status;
    if (status > 199 && status < 300 && response.body?.[0] === begins) right(response);
    else judged(response);
  };
}
