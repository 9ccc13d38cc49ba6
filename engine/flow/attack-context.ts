// Adds to a step what attacks need: more players, calls at one moment, calls that are cut off, and forged credentials.
import type { Operation } from '../../catalog/operation.ts';
import type { Release } from '../http/burst.ts';
import type { Exchange } from '../http/exchange.ts';
import { cannotTell } from '../judgement.ts';
import type { Form } from '../players/body-template.ts';
import type { Forging, Player } from '../players/players.ts';
import type { Context, FlowContext, Repeatable } from '../probe/context.ts';
import { likeliestAsk, type Taken } from './bodies-to-try.ts';
import type { Played } from './flow.ts';
import type { Speaker } from './send-with-body.ts';
import type { BodyAsk } from './step-context.ts';

/** A call of a burst. */
export interface RoleCall {
  readonly role: string;
  readonly operation: Operation;
  readonly ask?: BodyAsk;
}

/** A call of a role, or of an anonymous caller where there is no role. */
export interface AnybodysRoleCall extends Omit<RoleCall, 'role'> {
  readonly role: string | undefined;
}

export interface AttackContext {
  /** What the run has for attacks besides players and calls. */
  readonly means: Pick<FlowContext, 'storedLogs' | 'shortestWindowMs' | 'offersHttp2' | 'attacksBriefly'>;
  /** What `make` returns, called once per run and name, by the first step that asks. Rejects where that call failed. */
  readonly shared: <Value>(name: string, make: () => Promise<Value>) => Promise<Value>;
  /** Waits that many ms. The attack ends where that is longer than all attacks may still take. */
  readonly pause: (ms: number) => Promise<void>;
  /**
   * Brings further players into the scenario, as roles of these names. No other scenario of this run plays their
   * accounts. Ends the step where there are too few.
   */
  readonly recruit: (...roles: readonly string[]) => Promise<void>;
  /** Sends calls at one moment, each on a connection of its own, and judges nothing. At most 16. */
  readonly burst: (calls: readonly RoleCall[], release: Release) => Promise<readonly Exchange[]>;
  /** Makes a call ready to be sent again and again, with the same bytes, each on a connection of its own. */
  readonly repeatable: (call: AnybodysRoleCall) => Promise<Repeatable>;
  /** The longest replication lag that was seen, in ms. */
  readonly lagMs: () => number;
  /** Notes a replication lag, in ms: a read showed the state before a write so long after it. */
  readonly noteLag: (ms: number) => void;
  /** Content that was rolled back: the host answered it, replaced it, and answered it again. */
  readonly cameBack: Context['cameBack'];
  /** Signs in with forged tokens; ends the step where nobody could sign in with a valid one. */
  readonly forging: () => Forging;
  /** Gives a role to a player, in place of the player who had it. */
  readonly play: (role: string, player: Player) => void;
}

interface StepParts {
  readonly played: Played;
  readonly context: Context;
  readonly player: (role: string) => Player;
  readonly playerOf: (role: string | undefined) => Player | undefined;
  readonly speakerOf: (role: string | undefined) => Speaker;
  readonly noteCall: (role: string, operation: Operation, exchange: Exchange) => void;
}

interface Shared {
  readonly made: Map<string, Promise<unknown>>;
  /** The bodies that operations were seen to accept. */
  readonly taken: Map<string, Form>;
}

const sharedIn = new WeakMap<Context['flows'], Shared>();

/**
 * The bodies that operations accept, as one attack sees them: those that it saw accepted itself, else those that any
 * attack saw. So its bursts send the very body that had its effect in the control, whatever others learn meanwhile.
 */
export function takenIn(flows: Context['flows']): Taken {
  const { taken: byAll } = sharedBy(flows);
  const own = new Map<string, Form>();
  return {
    get: (id) => own.get(id) ?? byAll.get(id),
    has: (id) => own.has(id) || byAll.has(id),
    set(id, form) {
      own.set(id, form);
      byAll.set(id, form);
    },
    values: () => new Map([...byAll, ...own]).values(),
  };
}

/** What the steps of a run share. */
function sharedBy(flows: Context['flows']): Shared {
  const shared = sharedIn.get(flows) ?? { made: new Map(), taken: new Map() };
  sharedIn.set(flows, shared);
  return shared;
}

export function attackContext({
  played,
  context,
  player,
  playerOf,
  speakerOf,
  noteCall,
}: StepParts): AttackContext {
  const { flows } = context;
  const requireTime = (ms: number) => {
    if (played.attack && flows.attackTimeLeftMs() < ms)
      throw cannotTell('budget', 'not exercised: the time that all attacks have together was over');
  };
  return {
    shared<Value>(name: string, make: () => Promise<Value>) {
      const { made } = sharedBy(flows);
      const known = made.get(name) ?? make();
      made.set(name, known);
      return known as Promise<Value>;
    },
    async pause(ms) {
      requireTime(ms);
      await context.pause(ms);
    },
    async recruit(...roles) {
      requireTime(0);
      const found = await flows.attackers(roles.length, `${played.purpose} ${roles[0]}`);
      if (!found.ok) throw cannotTell('needs-players', found.why);
      if (found.players.some(({ shared }) => shared))
        throw cannotTell('needs-players', 'an attack needs players whom nobody else plays');
      for (const [at, role] of roles.entries()) played.people.set(role, found.players[at] as Player);
    },
    async burst(calls, release) {
      const sent = await flows.burst(
        calls.map(({ role, operation, ask }) => ({
          player: player(role),
          operation,
          ask: likeliestAsk(operation, ask ?? {}, speakerOf(role)),
        })),
        release,
      );
      if (!sent.ok) throw cannotTell('needs-state', sent.why);
      for (const [at, { role, operation }] of calls.entries())
        noteCall(role, operation, sent.exchanges[at] as Exchange);
      return sent.exchanges;
    },
    async repeatable({ role, operation, ask }) {
      const made = await flows.repeatable({
        player: playerOf(role),
        operation,
        ask: likeliestAsk(operation, ask ?? {}, speakerOf(role)),
      });
      if (!made.ok) throw cannotTell('needs-state', made.why);
      return made;
    },
    means: flows,
    lagMs: () => context.noise('base').lagMs,
    noteLag: (ms) => context.noteLag('base', ms),
    cameBack: context.cameBack,
    forging() {
      if (flows.forging === undefined) throw cannotTell('no-session', 'nobody could sign in');
      return flows.forging;
    },
    play: (role, who) => void played.people.set(role, who),
  };
}
