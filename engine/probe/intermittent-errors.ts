// Watches every exchange of a run for server errors: those that come and go, which retries would hide, and the first of
// each kind.
import type { Operation } from '../../catalog/operation.ts';
import { type Exchange, isSuccess, type Request, type Response } from '../http/exchange.ts';
import { isServerError } from './matchers/http-fields.ts';

/** Whether it is a read of the main API whose answer does not depend on the state of the player. */
export const isReliable = ({ host, method, mayBe404 }: Operation): boolean =>
  host === 'base' && method === 'GET' && mayBe404 !== 'nothing there';

/** Server errors between successes of the very same request. */
export interface Intermittent {
  /** Of calls with the same bytes, one after another: those that met a server error, and all. */
  readonly times: number;
  readonly of: number;
  /** The most calls with the same bytes, one after another; it takes two successes to show an error between them. */
  readonly inTurn: number;
  /** The first of them, and the success before it. */
  readonly broken: Exchange | undefined;
  readonly right: Exchange | undefined;
}

/** The answers to one request that was sent repeatedly. */
interface Repeated {
  readonly request: Request;
  right: Exchange;
  /** Successes, and server errors that a success followed. */
  successes: number;
  errors: number;
  firstError: { readonly broken: Exchange; readonly right: Exchange } | undefined;
  /** Server errors since the latest success. */
  open: Exchange[];
}

// Bounds: a run keeps a few megabytes, whatever a target answers.
const mostRequests = 64;
const mostOpen = 64;
const largestRequest = 4 * 1024;
const mostServerErrors = 8;
const largestServerError = 64 * 1024;

/**
 * Intermittent errors count only for reads of the main API that do not depend on the state of the player: otherwise an
 * error may come and go with that state. The credential is part of the request, so a call in a new session is another
 * request, and errors after the end of a session are followed by no success.
 */
export function createErrorWatch() {
  const operations = new Map<string, Repeated[]>();
  const serverErrors = new Map<string, Map<string, Exchange>>();

  function keep({ id }: Operation, exchange: Exchange, { status, body }: Response) {
    const kept = serverErrors.get(id) ?? new Map<string, Exchange>();
    serverErrors.set(id, kept);
    const kind = `${status} ${body.length}`;
    if (kept.size < mostServerErrors && !kept.has(kind) && body.length <= largestServerError)
      kept.set(kind, exchange);
  }

  return {
    /** The first server errors that an operation answered with, one of each status and length. */
    serverErrors: ({ id }: Operation): readonly Exchange[] => [...(serverErrors.get(id)?.values() ?? [])],
    note(operation: Operation, exchange: Exchange): void {
      const { request, response } = exchange;
      const isBroken = response !== undefined && isServerError(response);
      if (isBroken) keep(operation, exchange, response);
      if (!isReliable(operation) || request.method !== 'GET') return;
      if (!isBroken && !isSuccess(exchange)) return;
      const requests = operations.get(operation.id) ?? [];
      operations.set(operation.id, requests);
      const known = requests.find((each) => isSame(each.request, request));
      if (known === undefined) {
        if (!isBroken && requests.length < mostRequests && sizeOf(request) <= largestRequest)
          requests.push({
            request,
            right: exchange,
            successes: 1,
            errors: 0,
            firstError: undefined,
            open: [],
          });
        return;
      }
      if (isBroken) {
        if (begunAfter(exchange, known.right) && known.open.length < mostOpen) known.open.push(exchange);
        return;
      }
      if (begunAfter(exchange, known.right)) known.successes += 1;
      const past = known.open.filter((error) => begunAfter(exchange, error));
      const [first] = past;
      if (first) known.firstError ??= { broken: first, right: known.right };
      known.errors += past.length;
      known.open = known.open.filter((error) => !past.includes(error));
      if (known.open.length === 0) known.right = exchange;
    },
    of({ id }: Operation): Intermittent {
      const requests = operations.get(id) ?? [];
      const repeated = requests.filter(({ successes, errors }) => successes + errors > 1);
      const first = repeated.find(({ firstError }) => firstError)?.firstError;
      return {
        times: repeated.reduce((sum, { errors }) => sum + errors, 0),
        of: repeated.reduce((sum, { successes, errors }) => sum + successes + errors, 0),
        inTurn: Math.max(0, ...requests.map(({ successes, errors }) => successes + errors)),
        broken: first?.broken,
        right: first?.right,
      };
    },
  };
}

const isSame = (a: Request, b: Request) =>
  a.url === b.url &&
  a.headers.length === b.headers.length &&
  a.headers.every(([name, value], at) => b.headers[at]?.[0] === name && b.headers[at][1] === value);

const sizeOf = ({ url, headers }: Request) =>
  headers.reduce((sum, [name, value]) => sum + name.length + value.length, url.length);

/** Calls that were under way together are a race, which `#concurrent` judges. */
const begunAfter = (later: Exchange, earlier: Exchange) =>
  later.startedAt >= earlier.startedAt + earlier.durationMs;
