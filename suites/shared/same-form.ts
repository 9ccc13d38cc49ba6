// Compares two answers by their form.
import { sameOutline } from '../../engine/compare/content.ts';
import { type Exchange, statusOf } from '../../engine/http/exchange.ts';

/** One status and one outline. Values are left out of it, since those of another player differ. */
export const sameForm = (one: Exchange, other: Exchange): boolean =>
  statusOf(one) === statusOf(other) && sameOutline(one, other);
