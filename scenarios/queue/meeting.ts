// Entering a queue, and what two who enter it are told of one another.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { open } from '../../catalog/clauses/open.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { isLong, namedBeside } from '../../engine/flow/places.ts';
import { poll } from '../../engine/flow/polling.ts';
import { silenced } from '../../engine/flow/refusal.ts';
import type { Stage } from '../../engine/flow/step-context.ts';
import { type Exchange, statusOf } from '../../engine/http/exchange.ts';
import { letIn, makeParty } from '../party/made.ts';

const { match, queue, party } = areas;

/** Enters the queue; a target that takes any queue's name is given one that nobody else waits in. */
export async function enter<Role extends string>(
  stage: Stage<Role>,
  role: NoInfer<Role>,
  name: string,
): Promise<Exchange> {
  const mayRefuse = 'entering the queue once more';
  const answer = await stage.done(role, queue.enter, { offer: { value: name }, mayRefuse });
  stage.later(role, queue.cancel);
  return answer;
}

/** Out of the queue, or out of the match that was found. */
export async function leave<Role extends string>(
  stage: Stage<Role>,
  role: NoInfer<Role>,
  matchId: string | undefined,
): Promise<void> {
  if (matchId === undefined) await stage.put(role, queue.cancel);
  else await stage.put(role, match.quit, { params: { matchId } });
}

/** What one who entered is told last. */
interface Told {
  readonly answer: Exchange;
  /** The match to play, where one is told. */
  readonly matchId: string | undefined;
  /** The other one is named to them. */
  readonly names: boolean;
}

interface Meeting {
  /** Both are told one match, or one is told of the other. */
  readonly isMet: boolean;
  readonly told: readonly [Told, Told];
}

type Two<Role extends string> = readonly [NoInfer<Role>, NoInfer<Role>];

/** Two enter, and ask how it stands until both are told, for a bounded time; without a match they leave again. */
export async function meet<Role extends string>(
  stage: Stage<Role>,
  [first, second]: Two<Role>,
  name: string,
): Promise<Meeting> {
  await enter(stage, first, name);
  await enter(stage, second, name);
  const ask = () => Promise.all([toldTo(stage, [first, second], name), toldTo(stage, [second, first], name)]);
  let told = await ask();
  // One of them may have been told just when the other had given up.
  if (isTold(told[0]) !== isTold(told[1])) told = await ask();
  const isOne = told[0].matchId !== undefined && told[0].matchId === told[1].matchId;
  const isMet = isOne || told[0].names || told[1].names;
  for (const [nth, { matchId }] of told.entries()) {
    const role = nth === 0 ? first : second;
    if (!isMet) await leave(stage, role, matchId);
    else if (matchId !== undefined) stage.later(role, match.quit, { params: { matchId } });
  }
  return { isMet, told };
}

const isTold = ({ matchId, names }: Told) => matchId !== undefined || names;

/** Entering again tells how it stands, where the target takes it. */
async function toldTo<Role extends string>(
  stage: Stage<Role>,
  [role, other]: Two<Role>,
  name: string,
): Promise<Told> {
  const again = stage.said(role, queue.enter, { offer: { value: name } });
  const otherId = stage.id(other);
  const names = (answer: Exchange) =>
    stage.mentioned(answer, otherId) && (isLong(otherId) || namedBeside(otherId, [stage.id(role)], [answer]));
  let matchId: string | undefined;
  const { last } = await poll(
    async () => {
      const answer = await stage.put(role, queue.enter, again);
      matchId = await matchIn(stage, answer);
      return answer;
    },
    (answer) => matchId !== undefined || names(answer),
  );
  silenced(last);
  return { answer: last, matchId, names: names(last) };
}

/** The match that an answer names as such: a ticket has an id as well. */
export const matchIn = <Role extends string>(
  stage: Stage<Role>,
  answer: Exchange,
): Promise<string | undefined> =>
  stage.identifier(answer, queue.enter, 'matchId', async () => false).catch(() => undefined);

const clauses = effects.queue;
const notFound = 'the two did not find one another';

/** Two players enter one queue: they find one another, or honestly do not. */
export function meeting(flow: Flow): void {
  const { step } = flow.scene('first', 'second');

  const entered = step(
    'find',
    [queue.enter],
    open['open.flows'],
    'whether two players who enter the queue find one another',
    async (stage) => {
      const meeting = await stage.aloneInQueue(() =>
        meet(stage, ['first', 'second'], stage.unique('assayqueue')),
      );
      stage.observe(inWords(meeting), meeting.told[1].answer);
      return meeting;
    },
  );

  step(
    'find-both',
    [queue.enter],
    clauses.mutual,
    'when one is told of the other, both are',
    async (stage) => {
      const { isMet, told } = stage.of(entered);
      if (!isMet) stage.notTriggered(notFound);
      for (const [nth, { names, matchId, answer }] of told.entries()) {
        const who = nth === 0 ? 'the first' : 'the second';
        if (statusOf(answer) >= 300)
          stage.cannotTell('needs-state', `entering again, to be told, is answered ${statusOf(answer)}`);
        stage.expect(names || matchId !== undefined, `${who} is told as well`, 'nothing of it', answer);
      }
    },
  );

  const one = step('find-one-match', [queue.enter], clauses.one, 'both are told one match', async (stage) => {
    const { isMet, told } = stage.of(entered);
    const [first, second] = told.map(({ matchId }) => matchId);
    if (!isMet) stage.notTriggered(notFound);
    if (first === undefined || second === undefined)
      return stage.cannotTell('unknown-resource', 'no answer told the id of the match');
    stage.expect(first === second, 'one match', 'two', told[1].answer);
    return first;
  });

  for (const role of ['first', 'second'] as const)
    step(
      `found-${role}-reads`,
      [match.get, queue.enter],
      clauses.one,
      `the ${role} of two who found one another reads their match`,
      async (stage) => {
        const params = { matchId: stage.of(one) };
        await stage.sees(role, { operation: match.get, params, what: 'the match that was told' });
      },
    );

  step(
    'cancel-matched',
    [queue.cancel, queue.enter],
    open['open.flows'],
    'what leaving the queue once a match was found is answered',
    async (stage) => {
      if (!stage.of(entered).isMet) stage.notTriggered(notFound);
      await stage.observeAnswer('first', queue.cancel);
    },
  );
}

function inWords({ isMet, told }: Meeting): string {
  if (isMet) return 'they find one another';
  const matched = told.filter(({ matchId }) => matchId !== undefined).length;
  return matched === 0 ? 'they are told no match in time' : 'they are told matches without one another';
}

const anyState = open['open.flows'];
const operations = [queue.enter, party.create] as const;

/** The leader of a party enters the queue. */
export function together(flow: Flow): void {
  const { prepare, step } = flow.scene('leader', 'member', 'other');
  const made = prepare('a party of two', async (stage) => {
    const partyId = await makeParty(stage, 'leader');
    await letIn(stage, partyId, ['leader', 'member']);
    return partyId;
  });

  const entered = step(
    'enter-party',
    operations,
    anyState,
    'what the leader of a party who enters the queue is answered',
    // Who of them is found is one step with it, since nobody else may come between.
    (stage) =>
      stage.aloneInQueue(async () => {
        const partyId = stage.of(made);
        const name = stage.unique('assayqueue');
        stage.later('leader', queue.cancel);
        stage.later('member', queue.cancel);
        const asParty = stage.said('leader', queue.enter, { offer: { value: name, partyId } });
        const leaders = await stage.observeAnswer('leader', queue.enter, asParty);
        const asMember = stage.said('member', queue.enter, { offer: { value: name } });
        const members = await stage.put('member', queue.enter, asMember);
        const { told } = await meet(stage, ['other', 'leader'], name);
        stage.observe(`${statusOf(leaders)}`, leaders);
        return { members, told };
      }),
  );

  step(
    'enter-member',
    operations,
    anyState,
    'what a member whose leader has entered the queue is answered on entering',
    async (stage) => {
      const { members } = stage.of(entered);
      silenced(members);
      stage.observe(`${statusOf(members)}`, members);
    },
  );

  step(
    'find-party',
    operations,
    anyState,
    'who of a party is matched with somebody who enters the queue',
    async (stage) => {
      const [{ answer, matchId }] = stage.of(entered).told;
      const details = matchId && (await stage.put('other', match.get, { params: { matchId } }));
      const isIn = (role: 'leader' | 'member') =>
        namedBeside(stage.id(role), [stage.id('other')], [answer, details || answer]);
      const who = (['leader', 'member'] as const).filter(isIn).join(' and ');
      stage.observe(`matched: ${who || 'nobody'}`, details || answer);
    },
  );
}
