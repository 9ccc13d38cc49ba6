// Defines what Node hands to k6: plain data in files that only this user can read.
import type { Operation } from '../../catalog/operation.ts';
import type { AmbientValues } from '../../catalog/request-path.ts';
import type { GivenWords } from '../../catalog/words.ts';
import type { Arrivals, Stage } from '../arrivals/schedule.ts';

/** A piece of a body: fixed text, or the name of a value that is filled in; `bare` writes it without escaping. */
export type Piece = string | { readonly value: string; readonly bare: boolean };

export type Body =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'pieces'; readonly pieces: readonly Piece[] }
  /** One of the log batches made in Node. */
  | { readonly kind: 'batch'; readonly of: string };

/** How the session is taken from a login's answer, as the preflight found it. */
export type Taking =
  | { readonly kind: 'cookie'; readonly names: readonly string[] }
  | {
      readonly kind: 'bearer' | 'header' | 'query';
      readonly name: string;
      readonly source: string;
      readonly scheme?: string;
    };

/** A number field of an answer that states a waiting time. */
export interface ShownMember {
  readonly name: string;
  /** A JSON Pointer. */
  readonly pointer: string;
  /** How many ms the number 1 stands for. */
  readonly unitMs: number;
}

/** The fields in which answers to a waiting player state the time waited, and an estimate of the wait. */
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
  /** The first character of a right answer that is JSON; empty where the body is not checked by it. */
  readonly begins: string;
  /** The body that unrouted paths get with an accepted status; a right answer differs from it. */
  readonly unlike?: string;
  /** Identifiers that its answer has to hold, by JSON Pointer. */
  readonly gives: Readonly<Record<string, string>>;
  /** Identifiers that its answer may hold: by JSON Pointer, or by the names to look for while that is not known. */
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
  /** The fields in which answers to a waiting player state how long. */
  readonly shows?: ShownWaiting;
  /** Made together with the calls beside it that have this mark; a refusal is legitimate then. */
  readonly atOnce?: true;
  /** Later calls need something from its answer. */
  readonly hands: boolean;
  /** Its effect lasts, so it is recorded which calls were acknowledged (effects.ts). */
  readonly keeps?: true;
  /** Sends the validators of the cached answer, and accepts 304. */
  readonly validators: boolean;
  readonly takes?: readonly Taking[];
}

export interface Visit {
  readonly name: string;
  /** Its share of the journeys, relative to the other weights. */
  readonly weight: number;
  readonly calls: readonly Call[];
}

/** A player as k6 needs it. */
export interface Person {
  readonly headers: Readonly<Record<string, string>>;
  /** The session as query text, appended to each URL; empty where it is sent in headers only. */
  readonly query: string;
  readonly values: Readonly<Record<string, string>>;
}

/** The players of one journey. While there are enough groups, no other journey uses them at the same time. */
export type Actors = readonly Person[];

/** What the actors of one journey may still be in. */
export interface Inside {
  /** The number of the journey in the plan. */
  readonly visit: number;
  /** Which actors may be in something: a bit for each. */
  readonly inside: number;
  /** Which of them are surely in it, as an answer showed: a bit for each. */
  readonly sure: number;
  /** Identifiers that answers gave them. */
  readonly given: Readonly<Record<string, string | undefined>>;
  /** They stay on purpose, and have not tried to leave. */
  readonly isStaying?: true;
}

/** A group that may still be in something, by its place among the groups. */
export interface GroupInside {
  readonly place: number;
  /** Empty where it is not known in what. */
  readonly states: readonly Inside[];
}

/** The players and log batches, which are the same for all steps. */
export interface Data {
  readonly groups: readonly Actors[];
  readonly batches: Readonly<Record<string, readonly string[]>>;
}

/** Whether all journeys share the free connections, or every player keeps one of their own, as real clients do. */
export type Connections = 'shared' | 'per-player';

/** The fields of a plan that are the same for every step of a load. */
export interface SharedPlan {
  readonly connections: Connections;
  readonly hosts: Readonly<Record<string, string>>;
  readonly ambient: AmbientValues;
  readonly words: GivenWords | null;
  /** The session is sent in queries. */
  readonly queries: boolean;
  /** A group is played by one journey at a time. */
  readonly exclusive: boolean;
  /** Kinds of log batches that are sent. */
  readonly batches: readonly string[];
  /** The file that holds `groups`; only this user can read it. */
  readonly dataFile: string;
  /** The file that holds `batches`; it may be the same file. */
  readonly batchFile: string;
  /** Part of every value that is written; no other step of any run has the same. */
  readonly mark: string;
  /** In the last `staysMs` of the schedule, and after it, players stay in what they entered, for a check to see it. */
  readonly staysMs: number;
  /** The load stops once the target gave only silence, server errors or requests to wait for that long, in ms. */
  readonly awayMs: number;
  /** No answer is wrong, and a journey goes on whatever it says: for a null target. */
  readonly forgiving: boolean;
}

/** The plan of one step. */
export interface Plan extends SharedPlan {
  readonly visits: readonly Visit[];
  /** There are enough groups that no two journeys under way share their players. */
  readonly ownActors: boolean;
  /** Groups that may still be in something. Their turn comes last, and begins with leaving it. */
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
  /** From this many ms after the last journey was due, journeys that change something only make their players leave. */
  readonly leavesMs: number;
  /** Longest that a journey may go on after the last one was due, in ms. */
  readonly exitTimeoutMs: number;
}

// In an exported plan, which others can read, headers name an environment variable in place of a secret.

type Headers = Readonly<Record<string, string>>;

const reference = /\{\{(\w+)\}\}/g;

export const referenceTo = (variable: string): string => `{{${variable}}}`;

/** Replaces references by environment variables; a reference to a variable that is not set stays. */
export const filled = (headers: Headers, env: Readonly<Record<string, string | undefined>>): Headers =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value.replace(reference, (whole, variable: string) => env[variable] ?? whole),
    ]),
  );

// Equal shares of a load, one for each k6 process (k6 calls them execution segments).

/** The arguments of k6 for the nth of `segments` equal execution segments; none where there is only one. */
export function segmentArgs(nth: number, segments: number): string[] {
  if (segments === 1) return [];
  const at = (index: number) => (index === 0 ? '0' : index === segments ? '1' : `${index}/${segments}`);
  const sequence = Array.from({ length: segments + 1 }, (_, index) => at(index)).join(',');
  return [`--execution-segment=${at(nth)}:${at(nth + 1)}`, `--execution-segment-sequence=${sequence}`];
}

/** The share of one segment in a bound that holds for all segments together. */
export const shareOf = (whole: number, segments: number): number => Math.ceil(whole / segments);

/** Whether a number that is counted over all segments, such as that of an arrival, belongs to this segment. */
export const isOfSegment = (
  nth: number,
  segment: number,
  { segments }: { readonly segments: number },
): boolean => nth % segments === segment;
