// Finds characters that a player has, or makes them ready.
import { game } from '../../catalog/areas/game-elements.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { ignoreStop } from '../../engine/flow/why-refused.ts';
import { answerLeaves, type Exchange, isSuccess } from '../../engine/http/exchange.ts';
import { namesOffered } from './buy.ts';

const namesCharacter = /character.*(name|id)$/i;

/** Fewest characters that steps need: what belongs to one must not show with the other. */
const fewest = 2;

/**
 * The names of a player's characters. Where the player has too few of them, those that the store offers are made ready
 * first.
 */
export async function charactersOf(context: StepContext<'player'>): Promise<readonly string[]> {
  const own = async () => {
    const answer = await context.send('player', game.allCharacters);
    if (!isSuccess(answer)) return [];
    // Where entries hold a name and an id, takes the first of these fields: both mean one character.
    const named = Map.groupBy(answerLeaves(answer), ({ name }) => name);
    const values = context.values(answer, namesCharacter);
    const [first = []] = [...named].flatMap(([name, leaves]) => (namesCharacter.test(name) ? [leaves] : []));
    return values.filter((value) => first.some((leaf) => String(leaf.value) === value));
  };
  const names = await own();
  if (names.length >= fewest) return names;
  const others = await namesOffered(context, 'player');
  for (const characterName of others.filter((name) => !names.includes(name)).slice(0, fewest))
    await context
      .mustSucceed('player', game.getOrInitCharacter, {
        carry: { characterName },
        mayRefuse: 'a character that the store offers',
      })
      .catch(ignoreStop);
  const made = await own();
  if (made.some((name) => others.includes(name))) context.confirmBody(game.getOrInitCharacter);
  return made;
}

/** Whether the body of a call holds this name. */
export const isSent = ({ request }: Exchange, name: string): boolean =>
  typeof request.body === 'string' && request.body.includes(JSON.stringify(name));
