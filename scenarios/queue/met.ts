// Entering a queue, and what two who enter it are told of one another.
import { areas } from '../../fixtures/catalog/catalog.ts';
import { mentions } from '../../fixtures/check/flow/mentions.ts';
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
  const answer = await stage.done(role, queue.enter, { offer: { value: name } });
  stage.later(role, queue.cancel);
  return answer;
}

/** What one who entered is told last. */
export interface Told {
  readonly answer: Exchange;
  /** The match to play, where one is told. */
  readonly matchId: string | undefined;
  /** Whom they waited for is named to them. */
  readonly names: boolean;
}

export interface Meeting {
  /** Both are told one match, or one is told of the other. */
  readonly isMet: boolean;
  readonly told: readonly [Told, Told];
}

/** Two who entered ask how it stands until both are told, for a bounded time. */
export async function meet<Role extends string>(
  stage: Stage<Role>,
  [first, second]: readonly [NoInfer<Role>, NoInfer<Role>],
  name: string,
): Promise<Meeting> {
  const early = await toldTo(stage, [first, second], name);
  const late = await toldTo(stage, [second, first], name);
  // The second may have waited for longer than the first was asked.
  const told = [
    isTold(late) && !isTold(early) ? await toldTo(stage, [first, second], name) : early,
    late,
  ] as const;
  for (const [nth, { matchId }] of told.entries())
    if (matchId !== undefined) stage.later(nth === 0 ? first : second, match.quit, { params: { matchId } });
  const isOne = told[0].matchId !== undefined && told[0].matchId === told[1].matchId;
  return { isMet: isOne || told[0].names || told[1].names, told };
}

const isTold = ({ matchId, names }: Told) => matchId !== undefined || names;

/** Entering again tells how it stands, where the target takes it. */
async function toldTo<Role extends string>(
  stage: Stage<Role>,
  [role, other]: readonly [NoInfer<Role>, NoInfer<Role>],
  name: string,
): Promise<Told> {
  const again = stage.said(role, queue.enter, { offer: { value: name } });
  let matchId: string | undefined;
  const { last } = await poll(
    async () => {
      const answer = await stage.put(role, queue.enter, again);
      matchId = await matchIn(stage, answer);
      return answer;
    },
    (answer) => matchId !== undefined || mentions(answer, stage.id(other)),
  );
  silenced(last);
  return { answer: last, matchId, names: mentions(last, stage.id(other)) };
}

/** The match that an answer names as such: a ticket has an id as well. */
const matchIn = <Role extends string>(stage: Stage<Role>, answer: Exchange): Promise<string | undefined> =>
  stage.identifier(answer, queue.enter, 'matchId', async () => false).catch(() => undefined);
