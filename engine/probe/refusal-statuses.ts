// Watches how each host refuses: with which status where its JSON says so, and whether in JSON or in plain text.
import type { Host, Operation } from '../../catalog/operation.ts';
import { type Exchange, jsonValue, statusOf } from '../http/exchange.ts';
import { type RefusalForm, refusesInBody } from '../target/refusal-form.ts';
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
  /** Refusals of a status that is always told in a text, by operations whose others are objects; undefined without any. */
  readonly inText?: { readonly status: number; readonly operations: number; readonly exchange: Exchange };
}

/** Statuses of an application; others may come from a gateway or a framework before it. */
const ofApplication = new Set([400, 409, 422]);
const isOfApplication = (status: number) => ofApplication.has(status) || status === 403;

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
  /** By host, and by status for those in text. */
  const inJson = new Map<string, Set<string>>();
  const ownInJson = new Set<string>();
  const asJson = (host: Host, status?: number) =>
    inJson.get(status === undefined ? host : `${host} ${status}`) ?? new Set<string>();
  const inText = new Map<string, Map<string, Exchange>>();
  const noteForm = ({ id, host, method }: Operation, exchange: Exchange): void => {
    if (exchange.request.method !== method) return;
    const status = statusOf(exchange);
    const size = exchange.response?.body.length ?? 0;
    if (!is4xx(status) || size === 0 || !isReadable(exchange)) return;
    const key = `${host} ${status}`;
    if (isNested(jsonValue(exchange))) {
      inJson.set(host, asJson(host).add(id));
      if (isOfApplication(status)) ownInJson.add(id);
      inJson.set(key, asJson(host, status).add(id));
    } else if (ofApplication.has(status)) inText.set(key, (inText.get(key) ?? new Map()).set(id, exchange));
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
      for (const status of ofApplication) {
        const refused = inText.get(`${host} ${status}`);
        // A service that tells all its refusals in texts has a form of its own.
        const mixed = [...(refused ?? [])].filter(([id]) => ownInJson.has(id));
        const [first] = mixed;
        if (first === undefined || asJson(host, status).size > 0) continue;
        return {
          inJson: asJson(host).size,
          inText: { status, operations: mixed.length, exchange: first[1] },
        };
      }
      return { inJson: asJson(host).size };
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
