import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { open } from '../../catalog/clauses/open.ts';
import type { ScenarioBuilder, Step } from '../../engine/flow/flow.ts';
import { type Polled, poll } from '../../engine/flow/polling.ts';
import { silenced } from '../../engine/flow/refusal.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { Stop } from '../../engine/flow/stop.ts';
import type { View } from '../../engine/flow/views.ts';
import { type Exchange, statusOf } from '../../engine/http/exchange.ts';
import { inconclusive, type Judgement } from '../../engine/judgement.ts';
import { inParty, makeParty } from '../party/made.ts';

const { auth, general } = areas;
const { around } = effects.login;

/** What the service tells anybody. */
const reports = [
  ['health', general.healthcheck],
  ['version', general.version],
  ['public-key', auth.publicKey],
] as const;

interface Around {
  /** Steps for while somebody is signed in. */
  readonly during: () => void;
  /** Steps for once somebody has signed out. */
  readonly after: (out: Step<unknown>) => void;
}

/** Asks what anybody is told, before anybody has signed in; and what is told later. */
export function tellingAnybody({ step }: ScenarioBuilder<'player' | 'other'>): Around {
  const reported = reports.map(([name, operation]) => ({
    name,
    operation,
    before: step(
      `${name}-before`,
      [operation],
      open['open.flows'],
      'what who has not signed in is answered',
      async (context) => statusOf(await context.observeAnswer(undefined, operation)) < 300,
    ),
  }));
  const notReported = 'nobody is told without a session';
  const what = 'what anybody was told';

  return {
    during() {
      for (const { name, operation, before } of reported)
        step(
          `${name}-signed-in`,
          [operation],
          around,
          'who has signed in is told what anybody was told before',
          async (context) => {
            if (!context.of(before)) context.notTriggered(notReported);
            await context.sees('player', { operation, what });
          },
        );
    },
    after(out) {
      for (const { name, operation, before } of reported)
        step(
          `${name}-after`,
          [operation],
          around,
          'when a player has signed out, anybody is told what was told before',
          async (context) => {
            context.of(out);
            if (!context.of(before)) context.notTriggered(notReported);
            await context.sees(undefined, { operation, what });
          },
        );
    },
  };
}

// Something that only one player has, and where that player finds it again: by it sessions are told apart.
const { players } = areas;
const stateName = 'SeenStoreItems';

interface Mark extends View {
  readonly value: string;
  /** Why nothing is known that stays with a player; undefined where it does: whoever signs in as that player has it. */
  readonly whyGone?: Judgement;
}

/** A state that was written and read; where nobody knows how to write one, a party. */
export async function leaveMark<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
): Promise<Mark> {
  const value = context.unique('assaylogin');
  const view: Mark = {
    operation: players.seenStoreItems,
    value,
    anywhere: true,
    what: 'what the player keeps',
  };
  let wasTaken = false;
  try {
    await context.done(role, players.setState, { carry: { stateName, value }, until: view });
    wasTaken = true;
    await context.sees(role, view);
    return view;
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    const partyId = await makeParty(context, role);
    await context.sees(role, inParty(partyId, 'the party'));
    return {
      ...inParty(partyId, 'the party of the player'),
      value: partyId,
      whyGone: whyGone(error.judgement, wasTaken),
    };
  }
}

/** The fault itself is told by the flow of states: what rests on it cannot be judged. */
function whyGone(judgement: Judgement, wasTaken: boolean): Judgement {
  const nothing = wasTaken
    ? `what ${players.setState.id} wrote is not read back`
    : 'nothing is known that stays with a player';
  if (judgement.kind === 'violation')
    return inconclusive(
      'prerequisite-failed',
      `${nothing}: expected ${judgement.expected}, got ${judgement.actual}`,
      judgement.evidence,
    );
  return judgement.kind === 'inconclusive'
    ? { ...judgement, detail: `${nothing}: ${judgement.detail}` }
    : judgement;
}

type Session = StepContext<'player once more'>;

const shows = async (context: Session, mark: Mark): Promise<Exchange> => {
  const answer = await context.put('player once more', mark.operation);
  silenced(answer);
  return answer;
};

/** Ends the step where the second session is over already: a session may last for seconds only. */
export async function goesOn(context: Session, mark: Mark): Promise<void> {
  if (!context.shows('player once more', mark, await shows(context, mark)))
    context.cannotTell('needs-state', 'the session does not show what the player keeps');
}

/** A session that went on a moment ago does so now: `401` is no wall then, but its end. */
export async function stillGoesOn(context: Session, mark: Mark): Promise<void> {
  const { holds, last } = await poll(
    () => shows(context, mark),
    (answer) => context.shows('player once more', mark, answer),
  );
  const seen = `${mark.operation.id} is answered ${statusOf(last)} without ${mark.what}`;
  context.expect(holds, 'a session that goes on', seen, last);
}

/** A logout may take effect some seconds later; longer than this it has not. */
const logoutTakesEffectWithinMs = 5_000;

/** Does the second session come to show the mark no more? */
export const comesToEnd = (context: Session, mark: Mark): Promise<Polled> =>
  poll(
    () => shows(context, mark),
    (answer) => !context.shows('player once more', mark, answer),
    logoutTakesEffectWithinMs,
  );
