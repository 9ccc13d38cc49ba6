// Watches how each host refuses: with which status where its JSON says that it refuses, and in JSON or in plain text.
import type { Host, Operation } from '../../catalog/operation.ts';
import { type Exchange, jsonValue, type Request, statusOf } from '../http/exchange.ts';
import { bodyRefuses, deniesSuccess, type RefusalForm } from '../target/refusal-form.ts';
import { isNested, parsedJson } from '../values/json-walk.ts';
import { is4xx } from '../values/status.ts';

/** With which statuses the operations of a host refuse, where the body says that they do. */
export interface RefusalStatuses {
  /** Operations that refuse what a call asks for with 4xx alone, and those that refused at least once with a status of success. */
  readonly asRefusal: number;
  readonly asSuccess: number;
}

/** In which form the operations of a host refuse. */
export interface RefusalForms {
  /** Operations that refuse with an object. */
  readonly inJson: number;
  /** A status with which operations refuse in text only, although their other refusals are objects. */
  readonly inText?: { readonly status: number; readonly operations: number; readonly exchange: Exchange };
  /** Operations that refuse some calls with an object and a 4xx, others with a success; undefined for few. */
  readonly inSuccess?: { readonly operations: number; readonly exchange: Exchange };
}

/** How one operation refuses what an application can read. */
interface SeenForms {
  /** Statuses of refusals that are objects. */
  readonly inJson: Set<number>;
  /** Refusals in text, by status. */
  readonly inText: Map<number, Exchange>;
  /** The first refusal with a status of success. */
  inSuccess?: Exchange;
}

/** Statuses that an application sends; others may come from a gateway or a framework in front of it. */
const ofApplication = new Set([400, 409, 422]);
const isOfApplication = (status: number) => ofApplication.has(status) || status === 403;
/** Statuses for who calls, how and how often: a service that refuses with 200 may have them too. */
const ofTransport = new Set([401, 405, 429]);
/** So many operations that refuse with a 4xx and with a success are no chance. */
const fewestTorn = 5;
/** Statuses whose refusals in text are reported where other refusals are objects. */
const compared = new Set([...ofApplication, 401]);

/** Whether the application can read the request, since it is not bad input. */
const isReadable = ({ request: { url, body } }: Exchange): boolean =>
  !/%|.{1024}/.test(url) &&
  (body === undefined || (typeof body === 'string' && isNested(parsedJson(body || '{}'))));

/**
 * @param form how this target says in a body that it refuses; undefined where it has no such form
 * @param hasItsPath whether the request goes to the path of the operation, with its method: a router may refuse any other
 * path with 404, also where handlers refuse with 200
 */
export function createRefusalStatusWatch(
  form: RefusalForm | undefined,
  hasItsPath: (operation: Operation, request: Request) => boolean,
) {
  const refused = { asRefusal: new Map<Host, Set<string>>(), asSuccess: new Map<Host, Set<string>>() };
  const idsOf = (kind: keyof typeof refused, host: Host) => {
    const ids = refused[kind].get(host) ?? new Set();
    refused[kind].set(host, ids);
    return ids;
  };
  /** Refusals of readable requests, by operation. */
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
    /** Notes an answer; one that refuses with a success status is marked as such (`refuses`) already. */
    note(operation: Operation, exchange: Exchange): void {
      const { id, host } = operation;
      noteForm(operation, exchange);
      const status = statusOf(exchange);
      if (exchange.response?.refuses) idsOf('asSuccess', host).add(id);
      else if (is4xx(status) && !ofTransport.has(status) && hasItsPath(operation, exchange.request)) {
        // Bodies of an operation are examined until it has refused once.
        const ids = idsOf('asRefusal', host);
        if (!ids.has(id) && bodyRefuses(form, exchange)) ids.add(id);
      }
    },
    forms(host: Host): RefusalForms {
      const own = [...forms].flatMap(([operation, seen]) => (operation.host === host ? [seen] : []));
      const inJson = own.filter((seen) => seen.inJson.size > 0).length;
      for (const status of compared) {
        if (own.some((seen) => seen.inJson.has(status))) continue;
        // Where some operations refuse in text with other statuses too, services differ, and what stands before them.
        const refusesInText = ({ inJson, inText }: SeenForms) =>
          inJson.size === 0 && [...inText.keys()].some((other) => other !== status);
        if (own.some(refusesInText)) continue;
        // A service that always refuses in text is left out.
        const mixed = own.flatMap((seen) =>
          [...seen.inJson].some(isOfApplication) ? (seen.inText.get(status) ?? []) : [],
        );
        const [exchange] = mixed;
        if (exchange) return { inJson, inText: { status, operations: mixed.length, exchange } };
      }
      const torn = own.flatMap(({ inJson: statuses, inSuccess }) =>
        [...statuses].some((status) => ofApplication.has(status)) ? (inSuccess ?? []) : [],
      );
      const [exchange] = torn;
      // Some may have an outcome that they call no success, and no mistake of their caller either, such as a question.
      if (exchange && torn.length >= fewestTorn)
        return { inJson, inSuccess: { operations: torn.length, exchange } };
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
