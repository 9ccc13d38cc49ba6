// Watches how each host refuses: with which status where its JSON says so, and whether in JSON or in plain text.
import type { Host, Operation } from '../../catalog/operation.ts';
import { type Exchange, jsonValue, statusOf } from '../http/exchange.ts';
import { deniesSuccess, type RefusalForm, refusesInBody } from '../target/refusal-form.ts';
import { isNested, parsedJson } from '../values/json-walk.ts';
import { is4xx } from '../values/status.ts';

/** How the operations of a host refuse, where the body says so. */
export interface RefusalStatuses {
  /** Operations that refuse with 4xx alone, and those that refused at least once with a status of success. */
  readonly asRefusal: number;
  readonly asSuccess: number;
}

/** In which form the operations of a host refuse. */
export interface RefusalForms {
  /** Operations that refuse with an object. */
  readonly inJson: number;
  /** Refusals of a status that are texts everywhere, of operations whose others are objects; undefined without any. */
  readonly inText?: { readonly status: number; readonly operations: number; readonly exchange: Exchange };
  /** Operations that refuse with an object and a 4xx, and other calls with a status of success; undefined where one does at most. */
  readonly inSuccess?: { readonly operations: number; readonly exchange: Exchange };
}

/** How one operation refuses what an application can read. */
interface SeenForms {
  readonly inJson: Set<number>;
  readonly inText: Map<number, Exchange>;
  inSuccess?: Exchange;
}

/** Statuses of an application; others may come from a gateway or a framework before it. */
const ofApplication = new Set([400, 409, 422]);
const isOfApplication = (status: number) => ofApplication.has(status) || status === 403;
/** Statuses of which a text is noticed, where other refusals are objects. */
const compared = new Set([...ofApplication, 401]);

/** Whether the application can have read the request: it is no bad input. */
const isReadable = ({ request: { url, body } }: Exchange): boolean =>
  !/%|.{1024}/.test(url) &&
  (body === undefined || (typeof body === 'string' && isNested(parsedJson(body || '{}'))));

/** @param form how this target says in a body that it refuses; undefined where it shows no form of its own */
export function createRefusalStatusWatch(form: RefusalForm | undefined) {
  const refused = { asRefusal: new Map<Host, Set<string>>(), asSuccess: new Map<Host, Set<string>>() };
  const idsOf = (kind: keyof typeof refused, host: Host) => {
    const ids = refused[kind].get(host) ?? new Set();
    refused[kind].set(host, ids);
    return ids;
  };
  /** How operations refuse what an application can read: statuses of refusals that are objects, and refusals in text by status. */
  const forms = new Map<Operation, SeenForms>();
  const noteForm = (operation: Operation, exchange: Exchange): void => {
    const status = statusOf(exchange);
    const size = exchange.response?.body.length ?? 0;
    const isRefusal = is4xx(status) || deniesSuccess(exchange);
    if (exchange.request.method !== operation.method || !isRefusal || size === 0) return;
    if (!isReadable(exchange)) return;
    const seen: SeenForms = forms.get(operation) ?? { inJson: new Set(), inText: new Map() };
    const { inJson, inText } = seen;
    forms.set(operation, seen);
    if (!is4xx(status)) seen.inSuccess ??= exchange;
    else if (isNested(jsonValue(exchange))) inJson.add(status);
    else if (compared.has(status)) inText.set(status, exchange);
  };
  return {
    /** Takes in an answer that is marked already where it refuses with a status of success. */
    note(operation: Operation, exchange: Exchange): void {
      const { id, host } = operation;
      noteForm(operation, exchange);
      if (exchange.response?.refuses) idsOf('asSuccess', host).add(id);
      // Each operation is looked at until it has refused once.
      else if (
        is4xx(statusOf(exchange)) &&
        !idsOf('asRefusal', host).has(id) &&
        refusesInBody(form, exchange)
      )
        idsOf('asRefusal', host).add(id);
    },
    forms(host: Host): RefusalForms {
      const own = [...forms].flatMap(([operation, seen]) => (operation.host === host ? [seen] : []));
      const inJson = own.filter((seen) => seen.inJson.size > 0).length;
      for (const status of compared) {
        if (own.some((seen) => seen.inJson.has(status))) continue;
        // A service that refuses in texts alone has a form of its own.
        const mixed = own.flatMap((seen) =>
          [...seen.inJson].some(isOfApplication) ? (seen.inText.get(status) ?? []) : [],
        );
        const [exchange] = mixed;
        if (exchange) return { inJson, inText: { status, operations: mixed.length, exchange } };
      }
      const torn = own.flatMap(({ inJson: statuses, inSuccess }) =>
        [...statuses].some(isOfApplication) ? (inSuccess ?? []) : [],
      );
      const [exchange] = torn;
      // One operation may have an outcome that it calls no success, and no mistake of its caller either.
      if (exchange && torn.length > 1) return { inJson, inSuccess: { operations: torn.length, exchange } };
      return { inJson };
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
