// Defines what Node hands to k6: plain data in files that only this user can read.
import type { Operation } from '../../catalog/operation.ts';
import type { AmbientValues } from '../../catalog/request-path.ts';
import type { GivenWords } from '../../catalog/words.ts';
import type { Arrivals, Stage } from '../arrivals/schedule.ts';

/** A body in pieces: what stands fast, and names of values that come between. */
export type Piece = string | { readonly value: string; readonly bare: boolean };

export type Body =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'pieces'; readonly pieces: readonly Piece[] }
  /** One of the log batches made in Node. */
  | { readonly kind: 'batch'; readonly of: string };

/** How the session is taken from a login's answer: as conformance found it. */
export type Taking =
  | { readonly kind: 'cookie'; readonly names: readonly string[] }
  | {
      readonly kind: 'bearer' | 'header' | 'query';
      readonly name: string;
      readonly source: string;
      readonly scheme?: string;
    };

/** A number in an answer that says how long somebody waits. */
export interface ShownMember {
  readonly name: string;
  /** A JSON Pointer. */
  readonly pointer: string;
  /** What 1 stands for. */
  readonly unitMs: number;
}

/** Where an answer to somebody who waits says how long that has taken, and how long it will take in all. */
export interface ShownWaiting {
  readonly waited?: ShownMember;
  readonly expected?: ShownMember;
}

/** One call of a journey, made ready by Node. */
export interface Call {
  readonly operation: Operation;
  /** It carries the caller's session. */
  readonly signed: boolean;
  /** The actor who calls, counted from 0. */
  readonly as: number;
  /** The actor that `other.id` in the body and {friendId} stand for. */
  readonly other: number;
  /** The actor that {playerId} stands for. */
  readonly about: number;
  /** Values of parameters that are the same for every iteration. */
  readonly params: Readonly<Record<string, string | readonly string[]>>;
  /** Parameters whose value an earlier answer, or the caller, gives. */
  readonly from: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  /** Statuses of a right answer; none: any 2xx. */
  readonly accepts: readonly number[];
  /** A right answer that is JSON begins with this. */
  readonly begins: string;
  /** A path without a route is answered so too, with an accepted status: a right answer is not this. */
  readonly unlike?: string;
  /** Identifiers that its answer has to hold, by JSON Pointer. */
  readonly gives: Readonly<Record<string, string>>;
  /** Those that it may hold: where, or under which names where no answer has shown it yet. */
  readonly mayGive?: Readonly<Record<string, string | readonly string[]>>;
  /** The identifier that shows that the player has met others. The wait for them begins with the first such call. */
  readonly meets?: string;
  /** The pauses in ms after which the call is made again, until its answer gives the identifier of `meets`. */
  readonly waits?: readonly number[];
  /** Brings the caller into something: a queue, a match, a party, a list. */
  readonly enters?: true;
  /** Takes the caller out of it again. A caller who has entered makes this call however the journey ends. */
  readonly leaves?: true;
  /** Called only if this identifier is known, by the latest answer that may give it. */
  readonly when?: string;
  /** Called only if this identifier is not known. */
  readonly unless?: string;
  /** Where answers to somebody who waits say how long. */
  readonly shows?: ShownWaiting;
  /** Made together with the calls beside it that have this mark; a refusal is legitimate then. */
  readonly atOnce?: true;
  /** Something is taken from its answer. */
  readonly hands: boolean;
  /** What it does lasts: it is recorded who was acknowledged. */
  readonly keeps?: true;
  /** Sends what was cached on the way, and takes 304. */
  readonly validators: boolean;
  readonly takes?: readonly Taking[];
}

export interface Visit {
  readonly name: string;
  /** Its share of all, relative to the others'. */
  readonly weight: number;
  readonly calls: readonly Call[];
}

/** A player as k6 needs it. */
export interface Person {
  readonly headers: Readonly<Record<string, string>>;
  /** Goes behind every query; empty where the session does not travel there. */
  readonly query: string;
  readonly values: Readonly<Record<string, string>>;
}

/** People of one journey together; none other plays them at the same time while there are enough. */
export type Actors = readonly Person[];

/** What the actors of one journey may still be in. */
export interface Inside {
  /** The number of the journey in the plan. */
  readonly visit: number;
  /** Which actors may be in something: a bit for each. */
  readonly inside: number;
  /** Which of them are surely in it, as an answer showed: a bit for each. */
  readonly sure: number;
  /** What answers gave them. */
  readonly given: Readonly<Record<string, string | undefined>>;
  /** They did not try to get out of it. */
  readonly isStaying?: true;
}

/** A group that may still be in something, by its place among the groups. */
export interface GroupInside {
  readonly place: number;
  /** Nothing where nobody knows in what. */
  readonly states: readonly Inside[];
}

/** What is the same for all steps. */
export interface Data {
  readonly groups: readonly Actors[];
  readonly batches: Readonly<Record<string, readonly string[]>>;
}

/** Whether all journeys share the connections that are free, or every player keeps one of their own, as real clients do. */
export type Connections = 'shared' | 'per-player';

/** What is the same for every step of a load. */
export interface SharedPlan {
  readonly connections: Connections;
  readonly hosts: Readonly<Record<string, string>>;
  readonly ambient: AmbientValues;
  readonly words: GivenWords | null;
  /** The session travels in queries. */
  readonly queries: boolean;
  /** A group is played by one journey at a time. */
  readonly exclusive: boolean;
  /** Kinds of log batches that are sent. */
  readonly batches: readonly string[];
  /** Holds `groups`: for this user alone. */
  readonly dataFile: string;
  /** Holds `batches`; it may be the same file. */
  readonly batchFile: string;
  /** Values that are written carry it: no other step of any run has the same. */
  readonly mark: string;
  /** In that many last ms of the schedule, and after it, players stay in what they entered, so that it can be checked. */
  readonly staysMs: number;
  /** The load stops once the target gave only silence, server errors or requests to wait for that long, in ms. */
  readonly awayMs: number;
  /** No answer is wrong, and a journey goes on whatever it says: for a null target. */
  readonly forgiving: boolean;
}

/** Of one step. */
export interface Plan extends SharedPlan {
  readonly visits: readonly Visit[];
  /** There are groups enough: no two journeys that are under way share their people. */
  readonly ownActors: boolean;
  /** Those who may still be in something: they are played last, and leave it first. */
  readonly stillInside: readonly GroupInside[];
  /** Nothing is loaded: the groups in `stillInside` leave what they are in, each once. */
  readonly leaving: boolean;
  /** k6 processes that share the schedule, each with an equal execution segment. */
  readonly segments: number;
  readonly stages: readonly Stage[];
  readonly arrivals: Arrivals;
  readonly seed: number;
  /** Journeys due before this many ms are not measured. */
  readonly warmupMs: number;
  /** Most journeys under way in one segment. */
  readonly inFlight: number;
  /** The deadline of one request, in ms. */
  readonly timeoutMs: number;
  /** From that many ms after the last journey was due, a journey that changes something only makes its players leave. */
  readonly leavesMs: number;
  /** Longest that a journey may go on after the last one was due, in ms. */
  readonly exitTimeoutMs: number;
}

// Where others can read the plan, headers name a variable in place of a secret. Pure: Node writes them.

type Headers = Readonly<Record<string, string>>;

const reference = /\{\{(\w+)\}\}/g;

export const referenceTo = (variable: string): string => `{{${variable}}}`;

/** What no variable stands for is left as it is. */
export const filled = (headers: Headers, env: Readonly<Record<string, string | undefined>>): Headers =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value.replace(reference, (whole, variable: string) => env[variable] ?? whole),
    ]),
  );

// Equal shares of a load, one for each k6 process (k6 calls them execution segments).

/** The options of k6 for one of that many equal execution segments; none where there is only one. */
export function segmentArgs(nth: number, segments: number): string[] {
  if (segments === 1) return [];
  const at = (index: number) => (index === 0 ? '0' : index === segments ? '1' : `${index}/${segments}`);
  const sequence = Array.from({ length: segments + 1 }, (_, index) => at(index)).join(',');
  return [`--execution-segment=${at(nth)}:${at(nth + 1)}`, `--execution-segment-sequence=${sequence}`];
}

/** The share of one segment in a bound that holds for all segments together. */
export const shareOf = (whole: number, segments: number): number => Math.ceil(whole / segments);

/** Whether a number that runs through all segments, such as that of an arrival, belongs to this one. */
export const isOfSegment = (
  nth: number,
  segment: number,
  { segments }: { readonly segments: number },
): boolean => nth % segments === segment;
