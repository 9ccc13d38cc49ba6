// A journey of one call that is the same every time, without what the others need: here every access counts.
import type { Person, Plan } from './plan.ts';
import { wrongWith } from './right.ts';
import { type Note, type Prepared, sign } from './visit.ts';

/** @returns what one iteration does */
export function plainVisit({ forgiving }: Plan, prepared: Prepared, note: Note): (person: Person) => void {
  const { call, id, send, url = '', text = null, params } = prepared;
  const { accepts, begins, unlike } = call;
  const isUsual = accepts.length === 0 && unlike === undefined && begins !== '';
  const judge = wrongWith;
  return (person) => {
    if (prepared.signedAs !== person) sign(prepared, person, url, true);
    const response = send(url, text, params);
    const status = response.status;
    const isFine = isUsual && status > 199 && status < 300 && response.body?.[0] === begins;
    note(id, status, isFine || forgiving ? undefined : judge(call, status, response, false), response);
  };
}
