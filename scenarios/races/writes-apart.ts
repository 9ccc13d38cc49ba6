// Checks writes at one moment: to different parts of one thing, where every acknowledged write stays, and over one
// version of a thing, where one is acknowledged.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Operation } from '../../catalog/operation.ts';
import { type Race, type Round, race, runControl } from '../../engine/attack/race.ts';
import type { RoleCall } from '../../engine/flow/attack-context.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { isSuccess, text } from '../../engine/http/exchange.ts';
import { once } from '../../engine/values/once.ts';
import { letIn, makeOneOfMany } from '../party/make-party.ts';
import { namedStates } from '../state/named-states.ts';
import { write, writeParameters } from '../state/profile.ts';

const { party, players } = areas;
const { stand, version } = effects.races;
/** A write, and the read that shows its value to the reader. */
interface Write {
  readonly call: RoleCall;
  readonly value: string;
  readonly reader: string;
  readonly read: Operation;
  /** The parameters of the read. */
  readonly params?: Readonly<Record<string, string>>;
}

/** Races writes, and expects that all acknowledged ones stand; each round's writes carry values of their own. */
async function writesStand(
  context: StepContext,
  people: number,
  writesOf: (round: Round, value: () => string) => readonly Write[],
  begin?: (round: Round) => Promise<void>,
): Promise<void> {
  const of = once(
    (round: Round) => writesOf(round, () => context.unique('assaymark')),
    ({ nth }) => nth,
  );
  const sent = new Map<number, number>();
  await race<{ readonly nth: number; readonly shown: readonly (boolean | undefined)[] }>(context, {
    people: () => people,
    mostCalls: namedStates.length,
    onlyEndCounts: true,
    ...(begin && { begin }),
    calls(round, most) {
      // The control, round 0, makes all writes one after another, which shows that each is kept at all.
      const calls = of(round)
        .slice(0, round.nth === 0 ? undefined : most)
        .map(({ call }) => call);
      sent.set(round.nth, calls.length);
      return calls;
    },
    async state(round) {
      // Several writes may show in one read.
      const views = once(
        ({ reader, read, params = {} }: Write) => context.send(reader, read, { params }),
        ({ reader, read, params }) => JSON.stringify([reader, read.id, params]),
      );
      const isShown = async (written: Write) => {
        const view = await views(written);
        // A read that is refused says nothing of what was written.
        return isSuccess(view) ? context.mentions(view, written.value) : undefined;
      };
      return { nth: round.nth, shown: await Promise.all(of(round).map(isShown)) };
    },
    broken({ after: { nth, shown }, acknowledged }) {
      const calls = sent.get(nth) ?? 0;
      const lost = shown.slice(0, calls).filter((isShown) => isShown === false).length;
      // Where a call was refused, it is not known here which of the values has to show.
      if (acknowledged.length < calls || lost === 0) return undefined;
      return `${lost} of ${calls} acknowledged writes are lost`;
    },
  });
}

export function writesApart(flow: Flow): void {
  const step = flow.stepAlone;
  step(
    'states',
    [players.setState, ...namedStates.map(({ read }) => read)],
    stand,
    'states of one player that are written at one moment all stand',
    (context) =>
      writesStand(context, 1, ({ people: [role = ''] }, value) =>
        namedStates.map(({ stateName, read }) => {
          const own = value();
          const ask = { carry: { stateName, value: own } };
          return { call: { role, operation: players.setState, ask }, value: own, reader: role, read };
        }),
      ),
  );
  step(
    'member-states',
    [party.setPlayerState, party.details],
    stand,
    'states that the members of a party set at one moment all stand',
    (context) =>
      writesStand(
        context,
        2,
        ({ people }, value) =>
          people.map((role) => {
            const own = value();
            const ask = { params: { playerId: context.id(role) }, carry: { value: own } };
            const call = { role, operation: party.setPlayerState, ask };
            return { call, value: own, reader: people[0] ?? '', read: party.details };
          }),
        async ({ people: [leader = '', member = ''] }) => {
          await letIn(context, await makeOneOfMany(context, leader), [leader, member]);
        },
      ),
  );
  /** One player adds two others to a list at one moment. */
  const addedTogether = (
    context: StepContext,
    adds: Operation,
    read: Operation,
    before?: (round: Round) => Promise<void>,
  ) =>
    writesStand(
      context,
      3,
      ({ people: [adder = '', ...others] }) =>
        others.map((other) => {
          const [value, params] = [context.id(other), { playerId: context.id(adder) }];
          const call = { role: adder, operation: adds, ask: { carry: { 'other.id': value } } };
          return { call, value, reader: adder, read, params };
        }),
      before,
    );
  step(
    'friends-added',
    [players.addFriend, players.friends],
    stand,
    'friends whom one player adds at one moment are all in the list',
    (context) =>
      addedTogether(
        context,
        players.addFriend,
        players.friends,
        async ({ people: [adder = '', ...others] }) => {
          for (const other of others)
            context.addTeardown(adder, players.removeFriend, { carry: { 'other.id': context.id(other) } });
        },
      ),
  );
  step(
    'recently-played-added',
    [players.addRecentlyPlayed, players.recentlyPlayed],
    stand,
    'players whom one player adds to the recently played players at one moment are all in the list',
    (context) => addedTogether(context, players.addRecentlyPlayed, players.recentlyPlayed),
  );
  step(
    'profile-version',
    [players.setBinaryState, players.fullProfile],
    version,
    'of profiles that are written over one version at one moment, one is acknowledged where a later one is refused',
    overOneVersion,
  );
}

/** Several profiles that replace the same version are written at one moment. */
async function overOneVersion(context: StepContext): Promise<void> {
  const next = new Map<string, number>();
  const profile = () => Buffer.from(context.unique('assayprofile'));
  const writes: Race<string> = {
    people: () => 1,
    async begin({ people: [role = ''] }) {
      const written = await write(context, role, { bytes: profile(), version: 1, what: 'a profile of text' });
      next.set(role, written + 1);
    },
    calls: ({ people: [role = ''] }, most) =>
      Array.from({ length: most }, () => {
        const ask = { ...writeParameters(context, { version: next.get(role) ?? 1 }), body: profile() };
        return { role, operation: players.setBinaryState, ask };
      }),
    async state({ people: [role = ''] }) {
      const { response } = await context.send(role, players.fullProfile);
      return response ? text(response) : '';
    },
    broken: ({ onlyFirstDone, acknowledged: { length } }) =>
      onlyFirstDone && length > 1
        ? `of ${length} acknowledged writes over one version, one stands`
        : undefined,
  };
  await race(context, {
    ...writes,
    async control() {
      const round = { nth: 0, people: ['writer of the control'] };
      await context.recruit(...round.people);
      await writes.begin?.(round);
      const control = await runControl(context, writes, round);
      if (control.onlyFirstDone) return control;
      return context.cannotTell('needs-state', 'not exercised: a second profile of one version is taken');
    },
  });
}
