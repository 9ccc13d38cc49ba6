// Logs the calls that a host answered and those that it did not, and names the call after which it fell silent or broke.
import type { Exchange } from '../http/exchange.ts';
import { isServerFault } from '../values/status.ts';

/** One call on its way to the host. */
export interface Sent {
  readonly operation: string;
  /** Its number, counted from 1 in the order in which calls begin. */
  readonly nth: number;
}

/** Answers after a cut that calls under way may still get from a host that the cut breaks. */
const mostAfterCut = 5;
const mostNamed = 3;
const mostSuspected = 5;
/** Fewest 5xx in a row, and fewest sound answers before them, to report that a call broke the host. */
const fewestBroken = 40;
const fewestSound = 20;

/** A series of 5xx. Any call that was under way when it began may have broken the host. */
interface Broken {
  /** The number of the suspected call by its operation, in the order of the answers. */
  readonly suspects: Map<string, number>;
  /** The number of calls that had begun by the first 5xx. */
  readonly begunBy: number;
  times: number;
}

/** The log of one host. */
export function createIncidentLog() {
  let count = 0;
  let last: { readonly operation: string; readonly status: number } | undefined;
  const underWay = new Set<Sent>();
  let silent: Sent[] = [];
  let sound = 0;
  let broken: Broken | undefined;
  let cut: { readonly call: string; answersSince: number } | undefined;

  const noteStatus = (call: Sent, status: number) => {
    if (!isServerFault(status) || status === 503) {
      sound += 1;
      // Calls under way when the series began may have been answered before the host broke.
      if (broken !== undefined && call.nth > broken.begunBy) broken = undefined;
    } else {
      broken ??= { suspects: new Map(), begunBy: count, times: 0 };
      broken.times += 1;
      if (call.nth <= broken.begunBy && !broken.suspects.has(call.operation))
        broken.suspects.set(call.operation, call.nth);
    }
  };

  return {
    /** Records that a call is sent. */
    begin(operation: string): Sent {
      count += 1;
      const call = { operation, nth: count };
      underWay.add(call);
      return call;
    },
    answered(call: Sent, { response }: Exchange) {
      underWay.delete(call);
      const status = response?.status ?? 0;
      last = { operation: call.operation, status };
      silent = [];
      if (cut) cut.answersSince += 1;
      if (response) noteStatus(call, status);
    },
    unanswered(call: Sent) {
      underWay.delete(call);
      silent.push(call);
    },
    /** Records that an attack sends a call and cuts its connection before the answer. */
    cutOff(call: string) {
      cut = { call, answersSince: 0 };
    },
    /** Records that the call was not sent, or that Assay ended it. */
    withdrawn(call: Sent) {
      underWay.delete(call);
    },
    /** How the host fell silent: the last call it answered, and those it did not answer, the earliest first. */
    silence() {
      const all = [...silent, ...underWay].sort((a, b) => a.nth - b.nth);
      const names = [...new Set(all.map(({ operation }) => operation))];
      const named = names.slice(0, mostNamed).join(', ');
      const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
      const after =
        last === undefined
          ? 'from the first call on'
          : `after ${last.operation} (${last.status === 0 ? 'a broken answer' : `answered ${last.status}`})`;
      const cutBefore =
        cut && cut.answersSince <= mostAfterCut
          ? `, and just after an attack had cut the connection of a ${cut.call}, as a client does that goes away: that may be what stopped it`
          : '';
      return `stopped answering ${after}${cutBefore}; first left without an answer: ${named}${more}`;
    },
    /** The call, or the calls under way together, since which every answer was a 5xx; undefined where there is none. */
    brokenSince: () =>
      broken !== undefined && broken.times >= fewestBroken && sound >= fewestSound
        ? `answered 5xx to everything from ${suspected(broken)} on (${broken.times} answers in a row)`
        : undefined,
  };
}

/** The suspects, likeliest first. Calls and answers overtake one another, so the order of both counts. */
function suspected({ suspects }: Broken): string {
  const answered = [...suspects.keys()];
  const begun = [...suspects].sort(([, a], [, b]) => a - b).map(([operation]) => operation);
  const lateness = (operation: string) => begun.indexOf(operation) + answered.indexOf(operation);
  const likeliest = begun.toSorted((a, b) => lateness(a) - lateness(b)).slice(0, mostSuspected);
  const more = begun.length - likeliest.length;
  return `${likeliest.join(' or ')}${more > 0 ? ` (or one of ${more} more that were under way)` : ''}`;
}
