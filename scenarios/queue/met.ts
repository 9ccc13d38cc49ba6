// Entering a queue, and what two who enter it are told of one another.
import { areas } from '../../fixtures/catalog/catalog.ts';
import { isLong, namedBeside } from '../../fixtures/check/flow/places.ts';
import { poll } from '../../fixtures/check/flow/polling.ts';
import { silenced } from '../../fixtures/check/flow/refusal.ts';
import type { Stage } from '../../fixtures/check/flow/stage.ts';
import type { Exchange } from '../../fixtures/client/exchange.ts';

const { match, queue } = areas;

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
export interface Told {
  readonly answer: Exchange;
  /** The match to play, where one is told. */
  readonly matchId: string | undefined;
  /** The other one is named to them. */
  readonly names: boolean;
}

export interface Meeting {
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
