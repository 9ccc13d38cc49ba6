// Defines what a check may use. One context serves a whole run, so that session, pace and evidence are shared.
import type { Host, Operation } from '../../catalog/operation.ts';
import type { HostNoise, KnownNoise, ReadTimeout } from '../compare/noise.ts';
import type { Ask } from '../http/ask.ts';
import type { Release } from '../http/burst.ts';
import type { Cut } from '../http/cut-off.ts';
import type { Exchange, Request } from '../http/exchange.ts';
import type { RawFindings } from '../http/raw.ts';
import type { Form, TemplateValues } from '../players/body-template.ts';
import type { StoredLogs } from '../players/logs-sink.ts';
import type { Forging, Player } from '../players/players.ts';
import type { LoginFault } from '../players/sign-in-discovery.ts';
import type { OperationProfile } from '../target/profile.ts';
import type { OtherHost } from '../target/session-transport.ts';
import type { OrWhy } from '../values/or-why.ts';
import type { CameBack } from './content-rollback.ts';
import type { Intermittent } from './intermittent-errors.ts';
import type { JsonLabels } from './json-labels.ts';
import type { LatencyFigures } from './latency.ts';
import type { Named } from './named-players.ts';
import type { NullLists } from './null-lists.ts';
import type { RefusalForms, RefusalStatuses } from './refusal-statuses.ts';
import type { Routed } from './served/routed-table.ts';

type Actors = OrWhy<{
  readonly players: readonly Player[];
  /** Some of them may have played in another scenario or run. */
  readonly playedBefore?: boolean;
  /** What an earlier scenario or run left with them and could not undo; undefined where a check found them clean. */
  readonly trace?: string | undefined;
}>;

/** A call that undoes a change once its scenario is over. */
export interface CleanUp {
  readonly scenario: string;
  readonly operation: Operation;
  readonly put: () => Promise<Exchange>;
  /** Another call with the same effect, for a target that does not serve the first. */
  readonly instead?: () => Promise<Exchange>;
}

export interface BurstCall {
  readonly player: Player;
  readonly operation: Operation;
  readonly ask: Ask;
}

/** A call of a player, or of an anonymous caller. */
export interface AnybodysCall extends Omit<BurstCall, 'player'> {
  readonly player: Player | undefined;
}

/** A call that is ready to be sent again and again. */
export interface Repeatable {
  readonly request: Request;
  /** Sends it on a connection of its own. Never rejects. */
  readonly send: () => Promise<Exchange>;
  /** Sends it, or half of its body, and cuts the connection; returns whether that much was sent. */
  readonly cut: (where: Cut) => Promise<boolean>;
}

interface Step {
  readonly id: string;
  /** The operations that it judges. */
  readonly operations: readonly Operation[];
}

/** The players of flows. */
interface FlowPlayers {
  /** Players that no other scenario of this run has, all different to the target; or why there are too few. */
  readonly actors: (count: number, purpose: string) => Promise<Actors>;
  /** One more player for a scenario under way, who is about to meet its players; or why none can be had soon. */
  readonly spare: (
    purpose: string,
    fellows: readonly Player[],
  ) => Promise<OrWhy<{ readonly player: Player }>>;
  /** Ends a scenario: runs its teardown, and then frees its players for the next one where accounts are few. */
  readonly over: (scenario: string, people: readonly Player[]) => void;
  /** Signs the player in a second time, in a session that is not renewed; undefined where the target refuses. */
  readonly withSecondSession: (player: Player) => Promise<Player | undefined>;
  /** Two players with a test JWT each, where the login treats all as one; undefined where it tells some apart. */
  readonly lookalikes: () => Promise<readonly [Player, Player] | undefined>;
  /** Makes logins and calls with forged credentials; undefined where nobody could sign in. */
  readonly forging: Forging | undefined;
  /** What is wrong with the login's own answer; undefined where nothing is. */
  readonly loginFault: () => LoginFault | undefined;
  /** Players that only this attack uses; or why there are too few. */
  readonly attackers: (count: number, purpose: string) => Promise<Actors>;
}

/** The bodies and values that flows send, stated by the profile or guessed. */
interface FlowBodies {
  /** Bodies that the operation may accept, likeliest first; only the profile's where it gives one. */
  readonly forms: (operation: Operation) => readonly Form[];
  /** Finds values that are the same for all players in the target's answers, for `send` and `given` to use. */
  readonly loadSharedValues: (operation: Operation) => Promise<unknown>;
  /** The next candidate body, made from the refusal of a guessed one; undefined where the refusal names no field. */
  readonly mend: (
    operation: Operation,
    refused: Form,
    refusal: Exchange,
    shownAs?: Readonly<Record<string, string>>,
  ) => Promise<Form | undefined>;
  /** Records that a body made from refusals was accepted. */
  readonly learn: (operation: Operation, form: Form) => void;
  /** Values of the profile and the run for the placeholders of a body, except those that depend on the player. */
  readonly given: (operation: Operation) => TemplateValues;
  /** Records that a guessed body had its effect; the command `learn` writes it into the profile. */
  readonly guessWorked: (operation: Operation, form: Form) => void;
  /** Whether the profile states how this operation is called: then its effects are judged at level profile. */
  readonly isStatedInProfile: (operation: Operation) => boolean;
  /** The success statuses that the profile lists; undefined: any 2xx. */
  readonly accepts: (operation: Operation) => readonly number[] | undefined;
  /** Where the profile finds an identifier in the operation's answer: a JSON Pointer. */
  readonly pointer: (operation: Operation, identifier: string) => string | undefined;
  /** Whether a profile or a setting gives this parameter its value, so that it is no guess. */
  readonly stated: (operation: Operation, parameter: string) => boolean;
  /** Makes flows call the operation without a query parameter from now on, since its guessed value hid results. */
  readonly withoutGuess: (operation: Operation, parameter: string) => void;
  /** The operation as flows call it: without the query parameters that `withoutGuess` removed. */
  readonly asCalled: (operation: Operation) => Operation;
  /** Why the profile leaves an operation out. */
  readonly omitted: (id: string) => string | undefined;
  /** Whether the call names a resource that may not exist. */
  readonly invented: (exchange: Exchange) => boolean;
  /**
   * A word that no other run and no other call of this one uses.
   * @param maker the id of the step or operation that sends it, by which a later run can be asked to send it again
   */
  readonly unique: (word: string, maker?: string) => string;
  /** The makers of the unique words in a text, each once. */
  readonly makersIn: (text: string) => readonly string[];
}

/** The means of attacks: ways to send calls, and the time they have. */
export interface AttackMeans {
  /** Sends calls at one moment, each on a connection of its own: at most 16; or says why that cannot be. */
  readonly burst: (
    calls: readonly BurstCall[],
    release: Release,
  ) => Promise<OrWhy<{ readonly exchanges: readonly Exchange[] }>>;
  /** Makes a call ready to be sent again and again, with the same bytes; or says why that cannot be. */
  readonly repeatable: (call: AnybodysCall) => Promise<OrWhy<Repeatable>>;
  /** Runs LOGS_SINK_COMMAND; returns the stored log records, or why they are not known. Never rejects. */
  readonly storedLogs: () => Promise<StoredLogs>;
  /** What is left of the time that all attacks share, in ms; it begins with the first attack. */
  readonly attackTimeLeftMs: () => number;
  /** The shortest window, in ms, in which this machine makes calls meet; undefined where that is not known. */
  readonly shortestWindowMs: () => Promise<number | undefined>;
  /** Whether the main API speaks HTTP/2, so that calls may also meet on one connection. */
  readonly offersHttp2: () => Promise<boolean>;
  /** True where one round of each attack is enough, since the user did not ask for attacks. */
  readonly attacksBriefly: boolean;
}

/** Observations of steps, for the checks that wait for them. */
export interface StepNotes {
  /** Notes that a step's call, in which nothing was guessed, showed that the operation is not served. */
  readonly noteUnserved: (operation: Operation, exchange: Exchange) => void;
  /** Notes that a read of what an earlier step made was answered as a path without a route is. */
  readonly noteLooksUnserved: (operation: Operation, exchange: Exchange) => void;
  /** Whether a step's call of this operation was accepted so far. */
  readonly wasServed: (operation: Operation) => boolean;
  /** Notes how an outsider was answered: a caller without a part in what the call asked about. */
  readonly noteOutsider: (seen: OutsiderAnswer) => void;
  readonly outsiderAnswers: () => readonly OutsiderAnswer[];
  /** Notes that a step's call was accepted. */
  readonly noteServed: (operation: Operation, exchange: Exchange) => void;
  /** Exchanges that show whether it is served; waits until every step that has begun and judges it is over. */
  readonly seenInSteps: (operation: Operation) => Promise<SeenInSteps>;
  /** Notes that a step begins. Steps begin before the checks that wait for them. */
  readonly begins: (step: Step) => void;
  readonly ended: (step: Step) => void;
}

/** What flows need of a run: players, bodies, the means of attacks, and the observations of other flows' steps. */
export interface FlowContext extends FlowPlayers, FlowBodies, AttackMeans, StepNotes {
  /** Whether this run includes the step of that id. */
  readonly asked: (id: string) => boolean;
  /** Runs scenarios that observe matches in the queue one after another, and apart from rules that use the queue. */
  readonly aloneInQueue: <Value>(work: () => Promise<Value>) => Promise<Value>;
  /** Sends a call as this player, or without a session. Never rejects, and is never shared. */
  readonly send: (player: Player | undefined, operation: Operation, ask: Ask) => Promise<Exchange>;
  /** Sends a call's request on a path without a route; each `nth` is another call. */
  readonly unrouted: (
    player: Player | undefined,
    operation: Operation,
    ask: Ask,
    nth: number,
  ) => Promise<Exchange>;
  /** Registers a teardown call for the end of its scenario; the last registered runs first. */
  readonly later: (cleanUp: CleanUp) => void;
  /** Runs the teardown of unfinished scenarios as well; returns a line for each call that failed. */
  readonly tearDown: () => Promise<readonly string[]>;
}

/** How an outsider was answered: a caller without a part in what the call asked about, such as a match of others. */
export interface OutsiderAnswer {
  readonly operation: Operation;
  /** The target showed the outsider what it shows to those who have a part in it, or did what the outsider asked. */
  readonly isLetIn: boolean;
  readonly exchange: Exchange;
  /** The id of the step that saw it. */
  readonly step: string;
}

/** What calls of steps, in which nothing was guessed, showed of an operation. */
export interface SeenInSteps {
  readonly served: Exchange | undefined;
  /** The exchange of a call in which nothing was guessed, and the ids of the steps that observed it. */
  readonly unserved: SeenUnserved | undefined;
  /** As `unserved`, by a read of something that an earlier step made and that the target may hide. */
  readonly looksUnserved: SeenUnserved | undefined;
}

export interface SeenUnserved {
  readonly exchange: Exchange;
  readonly steps: readonly string[];
}

/** How a host answers 404 to the plain calls of its operations. */
export interface NotFounds {
  /** Operations whose 404 differs from that of paths without a route: they do not find the resource. */
  readonly unlike: number;
  /** Operations whose 404 equals that of paths without a route. */
  readonly alike: number;
}

export interface Context {
  /** Sends a call. Equal asks share one exchange. Never rejects: a transport error is part of the exchange. */
  readonly ask: (operation: Operation, ask?: Ask) => Promise<Exchange>;
  /** Names of an operation's parameters whose resource may not exist. */
  readonly unknownIds: (operation: Operation) => Promise<readonly string[]>;
  /** Whether the operation is served, by comparing its answer with controls. */
  readonly routed: (operation: Operation) => Promise<Routed>;
  /** Why no player is signed in; undefined where one is. */
  readonly noSession: () => string | undefined;
  readonly takesSession: (host: Host) => boolean;
  /** True where the session is not sent to this host, and nothing showed whether it has to be. */
  readonly sessionUntried: (host: Host) => boolean;
  /** A phrase about the session on a host, besides the main API's, that refuses a call. */
  readonly wall: (host: OtherHost) => string;
  /** Whether this is the id of a player of this run. */
  readonly isPlayer: (id: string) => boolean;
  /** True where accounts are so few that scenarios borrow those of checks, which then wait for the scenarios. */
  readonly stepsFirst: () => boolean;
  /**
   * The places where this run's answers to an operation name their caller, or the id of their path, and the answers
   * that name another there; waits until all other checks have ended.
   * @param own whether the operation is about its caller alone
   */
  readonly named: (operation: Operation, own: boolean) => Promise<Named>;
  /** Server errors of a read between successes of the same request; waits until all other checks have ended. */
  readonly intermittent: (operation: Operation) => Promise<Intermittent>;
  /** The first server errors that an operation answered with; waits until all other checks have ended. */
  readonly serverErrors: (operation: Operation) => Promise<readonly Exchange[]>;
  /** Fields of an operation's answers that were a list, and one also null; waits until all other checks have ended. */
  readonly nullLists: (operation: Operation) => Promise<NullLists>;
  /** How outsiders were answered; waits until all other checks have ended. */
  readonly outsiderAnswers: () => Promise<readonly OutsiderAnswer[]>;
  /** How the operations of a host label their JSON; waits until all other checks have ended. */
  readonly jsonLabels: (host: Host) => Promise<JsonLabels>;
  /** With which statuses the operations of a host refuse; waits until all other checks have ended. */
  readonly refusalStatuses: (host: Host) => Promise<RefusalStatuses>;
  /** In which form the operations of a host refuse; waits until all other checks have ended. */
  readonly refusalForms: (host: Host) => Promise<RefusalForms>;
  /** How the operations of a host answer 404; waits until all other checks have ended. */
  readonly notFounds: (host: Host) => Promise<NotFounds>;
  /** True where accounts are so few that rules share players: another check's call may then cause a refusal. */
  readonly crowded: () => boolean;
  readonly given: (host: Host) => boolean;
  /** How preflight failed to reach the host; undefined where it reached it. */
  readonly unreachable: (host: Host) => string | undefined;
  /** Why nothing is sent to the host any more; undefined while it answers. */
  readonly lost: (host: Host) => string | undefined;
  /** Whether the host was away at any time since. @param since in ms, by `performance.now()` */
  readonly wasAway: (host: Host, since: number) => boolean;
  /** Incidents of the hosts, a line each: silences, returns, and the call from which on a host only failed. */
  readonly incidents: () => readonly string[];
  /** The profile's pointers to identifiers that matched no answer, a line each. */
  readonly unmatched: () => readonly string[];
  /** How long calls that were answered 2xx took, by operation. */
  readonly latency: () => Readonly<Record<string, LatencyFigures>>;
  /** The longest wait, in ms, for an answer of the operation that never began; 0 where there was none. */
  readonly longestUnanswered: (operation: Operation) => number;
  /** The credential of a session that was logged out a while ago; or why there is none. */
  readonly deadSession: () => Promise<OrWhy>;
  /** What is wrong with the raw bytes of the host's answers, which the parser hides; asked once per host. */
  readonly rawProbe: (host: Host) => Promise<RawFindings>;
  /** How the host's answers vary by themselves, as far as this run has observed. */
  readonly noise: (host: Host) => KnownNoise;
  /** `noise` of every host that got some call twice. */
  readonly noises: () => Readonly<Partial<Record<Host, HostNoise>>>;
  /** Contents that a host served, replaced, and later served again. */
  readonly cameBack: (host: Host) => readonly CameBack[];
  /** The number of calls that were sent in bursts, past the client. */
  readonly burstCalls: () => number;
  /** The number of bursts. */
  readonly bursts: () => number;
  /** Notes that a read showed a write only after that many ms. */
  readonly noteLag: (host: Host, ms: number) => void;
  readonly readTimeout: ReadTimeout;
  /** Waits this many ms before a repeat. */
  readonly pause: (ms: number) => Promise<unknown>;
  /** The seed that repeats a check's random draws. */
  readonly seed: string;
  readonly host: (host: Host) => string;
  /** Which of the client-data folder and versions were given rather than assumed. */
  readonly ambientGiven: ReadonlySet<string>;
  /** What the profile states about an operation. */
  readonly stated: (operation: Operation) => OperationProfile | undefined;
  /** Players, bodies and the other needs of scenarios. */
  readonly flows: FlowContext;
}
