// Watches with which status each host refuses calls in its JSON: most hosts give all refusals a status of refusal.
import type { Host, Operation } from '../../catalog/operation.ts';
import { type Exchange, statusOf } from '../http/exchange.ts';
import { type RefusalForm, refusesInBody } from '../target/refusal-form.ts';
import { is4xx } from '../values/status.ts';

/** How the operations of a host refuse, where the body says so. */
export interface RefusalStatuses {
  /** Operations that refuse with 4xx alone, and those that refused at least once with a status of success. */
  readonly asRefusal: number;
  readonly asSuccess: number;
}

/** @param form how this target says in a body that it refuses; undefined where it shows no form of its own */
export function createRefusalStatusWatch(form: RefusalForm | undefined) {
  const refused = { asRefusal: new Map<Host, Set<string>>(), asSuccess: new Map<Host, Set<string>>() };
  const idsOf = (kind: keyof typeof refused, host: Host) => {
    const ids = refused[kind].get(host) ?? new Set();
    refused[kind].set(host, ids);
    return ids;
  };
  return {
    /** Takes in an answer that is marked already where it refuses with a status of success. */
    note({ id, host }: Operation, exchange: Exchange): void {
      if (exchange.response?.refuses) idsOf('asSuccess', host).add(id);
      // Each operation is looked at until it has refused once.
      else if (
        is4xx(statusOf(exchange)) &&
        !idsOf('asRefusal', host).has(id) &&
        refusesInBody(form, exchange)
      )
        idsOf('asRefusal', host).add(id);
    },
    of(host: Host): RefusalStatuses {
      const asSuccess = idsOf('asSuccess', host);
      return {
        asRefusal: idsOf('asRefusal', host).difference(asSuccess).size,
        asSuccess: asSuccess.size,
      };
    },
  };
}
