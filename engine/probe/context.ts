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
import type { Routed } from './served/verdict.ts';

type Actors = OrWhy<{
  readonly players: readonly Player[];
  /** Some of them may have played in another scenario or run. */
  readonly playedBefore?: boolean;
  /** What an earlier scenario or run left with them and could not be put back; undefined where they are shown clean. */
  readonly trace?: string | undefined;
}>;

/** What is put back once a run is over. */
export interface CleanUp {
  readonly scenario: string;
  readonly operation: Operation;
  readonly put: () => Promise<Exchange>;
  /** Another way to the same, for a target that does not serve the first. */
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
  /** Sends it, or half of its body, and cuts the connection; whether it was sent so far. */
  readonly cut: (where: Cut) => Promise<boolean>;
}

interface Step {
  readonly id: string;
  /** What it judges. */
  readonly operations: readonly Operation[];
}

/** The players of flows. */
interface FlowPlayers {
  /** Players that no other scenario of this run has, each another player to the target; or why there are too few. */
  readonly actors: (count: number, purpose: string) => Promise<Actors>;
  /** One more player for a scenario under way, with whom its own are about to meet; or why none can be had soon. */
  readonly spare: (
    purpose: string,
    fellows: readonly Player[],
  ) => Promise<OrWhy<{ readonly player: Player }>>;
  /** Ends a scenario: runs its teardown; then, where accounts are few, the next scenario gets its players. */
  readonly over: (scenario: string, people: readonly Player[]) => void;
  /** The same player once more, in a new session that is not renewed; undefined where the target refuses. */
  readonly double: (player: Player) => Promise<Player | undefined>;
  /** Two players with a test JWT each, where the login says that all are one; undefined where it tells any two apart. */
  readonly lookalikes: () => Promise<readonly [Player, Player] | undefined>;
  /** Makes logins and calls with forged credentials; undefined where nobody could sign in. */
  readonly forging: Forging | undefined;
  /** What is wrong with the login's own answer; undefined where nothing is. */
  readonly loginFault: () => LoginFault | undefined;
  /** Players that nothing but this attack uses; or why there are too few. */
  readonly attackers: (count: number, purpose: string) => Promise<Actors>;
}

/** What flows send: bodies and values, as the profile states them or as they are guessed. */
interface FlowBodies {
  /** Bodies that the operation may take, likeliest first; the profile's alone where it gives one. */
  readonly forms: (operation: Operation) => readonly Form[];
  /** Finds in the target's answers what is the same for all players, so that `send` and `given` know it. */
  readonly loadSharedValues: (operation: Operation) => Promise<unknown>;
  /** The next candidate body, made of the refusal of a guessed one; undefined where that names no member. */
  readonly mend: (
    operation: Operation,
    refused: Form,
    refusal: Exchange,
    shownAs?: Readonly<Record<string, string>>,
  ) => Promise<Form | undefined>;
  /** A body that was made of refusals was accepted. */
  readonly learn: (operation: Operation, form: Form) => void;
  /** Values of the profile and the run for the placeholders of a body, except those that depend on the player. */
  readonly given: (operation: Operation) => TemplateValues;
  /** A guessed body had its effect; the command learn writes it into the profile. */
  readonly guessWorked: (operation: Operation, form: Form) => void;
  /** The profile states how this operation is called: its effects are judged at level profile. */
  readonly isStatedInProfile: (operation: Operation) => boolean;
  /** The success statuses that the profile lists; undefined: any 2xx. */
  readonly accepts: (operation: Operation) => readonly number[] | undefined;
  /** Where the profile finds an identifier in the operation's answer: a JSON Pointer. */
  readonly pointer: (operation: Operation, identifier: string) => string | undefined;
  /** A profile or setting gives this parameter a value: it is no guess. */
  readonly stated: (operation: Operation, parameter: string) => boolean;
  /** From now on flows call the operation without a query parameter whose guessed value hid what is there. */
  readonly withoutGuess: (operation: Operation, parameter: string) => void;
  /** The operation as flows call it. */
  readonly asCalled: (operation: Operation) => Operation;
  /** Why the profile leaves an operation out. */
  readonly omitted: (id: string) => string | undefined;
  /** Whether the call names a resource that may not exist. */
  readonly invented: (exchange: Exchange) => boolean;
  /**
   * A word that no other run and no other call of this one uses.
   * @param maker what a run is asked with to make it again: the id of the step or the operation that sends it
   */
  readonly unique: (word: string, maker?: string) => string;
  /** The makers of the unique words in a text, each once. */
  readonly makersIn: (text: string) => readonly string[];
}

/** What attacks send, and how long. */
export interface AttackMeans {
  /** Sends calls at one moment, each on a connection of its own: at most 16; or says why that cannot be. */
  readonly burst: (
    calls: readonly BurstCall[],
    release: Release,
  ) => Promise<OrWhy<{ readonly exchanges: readonly Exchange[] }>>;
  /** Makes a call ready to be sent again and again, with the same bytes; or says why that cannot be. */
  readonly repeatable: (call: AnybodysCall) => Promise<OrWhy<Repeatable>>;
  /** Runs LOGS_SINK_COMMAND; or says why nothing is known of what was stored. Never rejects. */
  readonly storedLogs: () => Promise<StoredLogs>;
  /** The rest of the time that all attacks share; it begins with the first attack. */
  readonly attackTimeLeftMs: () => number;
  /** The shortest window, in ms, in which this machine makes calls meet; undefined where that is not known. */
  readonly shortestWindowMs: () => Promise<number | undefined>;
  /** The main API speaks HTTP/2, so that calls may also meet on one connection. */
  readonly offersHttp2: () => Promise<boolean>;
  /** One round of each attack is enough, since the user did not ask for attacks. */
  readonly attacksBriefly: boolean;
}

/** What steps saw, for the checks that wait for it. */
export interface StepNotes {
  /** A step saw that the operation is not served, in a call in which nothing was guessed. */
  readonly noteUnserved: (operation: Operation, exchange: Exchange) => void;
  /** A step saw how a caller was answered who has no part in what they asked about. */
  readonly noteStranger: (seen: StrangerSeen) => void;
  readonly strangers: () => readonly StrangerSeen[];
  /** A step's call was accepted. */
  readonly noteServed: (operation: Operation, exchange: Exchange) => void;
  /** Exchanges that show whether it is served, once every step that has begun and judges the operation is over. */
  readonly seenInSteps: (operation: Operation) => Promise<SeenInSteps>;
  /** Steps begin before the checks that wait for them. */
  readonly begins: (step: Step) => void;
  readonly ended: (step: Step) => void;
}

/** What flows need of a run: players, bodies, the means of attacks, and what the steps of other flows saw. */
export interface FlowContext extends FlowPlayers, FlowBodies, AttackMeans, StepNotes {
  /** Does this run ask for the step of that id? */
  readonly asked: (id: string) => boolean;
  /** Runs scenarios that observe matches in the queue one after another, and apart from rules that use the queue. */
  readonly aloneInQueue: <Value>(work: () => Promise<Value>) => Promise<Value>;
  /** Sends a call as this player, or without a session. Never rejects, and is never shared. */
  readonly send: (player: Player | undefined, operation: Operation, ask: Ask) => Promise<Exchange>;
  /** Sends a call's own request on a path that has no route; each `nth` is another answer to it. */
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

/** How a caller was answered who has no part in what they asked about, such as the match of other players. */
export interface StrangerSeen {
  readonly operation: Operation;
  /** It showed them what it shows to those who have a part in it, or did what they asked. */
  readonly isLetIn: boolean;
  readonly exchange: Exchange;
  /** The id of the step that saw it. */
  readonly step: string;
}

/** What steps saw of an operation in calls in which nothing was guessed. */
export interface SeenInSteps {
  readonly served: Exchange | undefined;
  /** With the ids of the steps in which it was seen. */
  readonly unserved: { readonly exchange: Exchange; readonly steps: readonly string[] } | undefined;
}

/** How a host answers 404 to the plain calls of its operations. */
export interface NotFounds {
  /** Operations that are answered otherwise than paths without a route: they do not find what is named. */
  readonly unlike: number;
  /** Operations that are answered just as those paths. */
  readonly alike: number;
}

export interface Context {
  /** Sends a call. Equal asks share one exchange. Never rejects: a transport error is part of the exchange. */
  readonly ask: (operation: Operation, ask?: Ask) => Promise<Exchange>;
  /** Names of an operation's parameters whose resource may not exist. */
  readonly unknownIds: (operation: Operation) => Promise<readonly string[]>;
  /** Is the operation served, by evidence against controls? */
  readonly routed: (operation: Operation) => Promise<Routed>;
  /** Why no player is signed in; undefined where one is. */
  readonly noSession: () => string | undefined;
  readonly takesSession: (host: Host) => boolean;
  /** The session is not sent to this host, and nothing showed whether it has to be. */
  readonly sessionUntried: (host: Host) => boolean;
  /** A phrase about the session on a host, besides the main API's, that refuses a call. */
  readonly wall: (host: OtherHost) => string;
  /** This is the id of a player of this run. */
  readonly isPlayer: (id: string) => boolean;
  /** Accounts are so few that scenarios borrow those of single checks, which wait until no scenario plays. */
  readonly stepsFirst: () => boolean;
  /**
   * Where the answers of this run to an operation name their caller, or the id of their path, and which name somebody
   * else there; once all other checks have ended.
   * @param own the operation is about its caller alone
   */
  readonly named: (operation: Operation, own: boolean) => Promise<Named>;
  /** Server errors of a read between successes of the very same request; once all other checks have ended. */
  readonly intermittent: (operation: Operation) => Promise<Intermittent>;
  /** The first server errors of this run that an operation answered with; once all other checks have ended. */
  readonly serverErrors: (operation: Operation) => Promise<readonly Exchange[]>;
  /** Members of an operation's answers that were a list, and one that was null as well; once all other checks have ended. */
  readonly nullLists: (operation: Operation) => Promise<NullLists>;
  /** How callers were answered who have no part in what they asked about; once all other checks have ended. */
  readonly strangers: () => Promise<readonly StrangerSeen[]>;
  /** How the operations of a host label their JSON; once all other checks have ended. */
  readonly jsonLabels: (host: Host) => Promise<JsonLabels>;
  /** With which status the operations of a host refuse; once all other checks have ended. */
  readonly refusalStatuses: (host: Host) => Promise<RefusalStatuses>;
  /** In which form the operations of a host refuse; once all other checks have ended. */
  readonly refusalForms: (host: Host) => Promise<RefusalForms>;
  /** How the operations of a host answer 404; once all other checks have ended. */
  readonly notFounds: (host: Host) => Promise<NotFounds>;
  /** Accounts are so few that rules share players: one refusal may come from another check's call. */
  readonly crowded: () => boolean;
  readonly given: (host: Host) => boolean;
  /** How preflight failed to reach the host; undefined where it did. */
  readonly unreachable: (host: Host) => string | undefined;
  /** Why the host is left alone; undefined while it answers. */
  readonly lost: (host: Host) => string | undefined;
  /** Whether the host was away at any time since. @param since in ms, by `performance.now()` */
  readonly wasAway: (host: Host, since: number) => boolean;
  /** Incidents of the hosts, a line each: silences, returns, and from which call on a host only failed. */
  readonly incidents: () => readonly string[];
  /** Pointers of the profile at identifiers that no answer had, a line each. */
  readonly unmatched: () => readonly string[];
  /** How long calls took that were answered 2xx, by operation. */
  readonly latency: () => Readonly<Record<string, LatencyFigures>>;
  /** The longest wait, in ms, for an answer of the operation that never began; 0 where there was none. */
  readonly longestUnanswered: (operation: Operation) => number;
  /** The credential of a session that was logged out, once the logout has had its time; else why there is none. */
  readonly deadSession: () => Promise<OrWhy>;
  /** What is wrong with the raw bytes of the host's answers, which the parser hides; asked once per host. */
  readonly rawProbe: (host: Host) => Promise<RawFindings>;
  /** How the host's answers vary by themselves, as far as this run has seen. */
  readonly noise: (host: Host) => KnownNoise;
  /** The same of every host that was asked anything twice. */
  readonly noises: () => Readonly<Partial<Record<Host, HostNoise>>>;
  /** Contents that a host served, replaced, and served again. */
  readonly cameBack: (host: Host) => readonly CameBack[];
  /** Calls that were sent at one moment with others, past the client. */
  readonly burstCalls: () => number;
  /** How often several calls were sent at one moment. */
  readonly bursts: () => number;
  /** Notes that a read showed a write only after that many ms. */
  readonly noteLag: (host: Host, ms: number) => void;
  readonly readTimeout: ReadTimeout;
  /** Waits that many ms before a repeat. */
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
