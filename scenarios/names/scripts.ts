import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import { statusOf } from '../../fixtures/client/exchange.ts';
import { nameIs, takeName } from './take.ts';

const { playerName } = areas;

/** What a name may hold, by step; each is a word that people use, in one piece of its own. */
const names: readonly (readonly [step: string, what: string, sample: string])[] = [
  ['spaces', 'spaces', 'Long  John'],
  ['umlauts', 'letters with marks', 'Jürgen Ærøskøbing'],
  ['scripts', 'letters of other scripts', 'Ольга 小林'],
  ['emoji', 'emoji', '🦊 Fox 👩‍🚀'],
  ['percent', 'percent signs', '100% sure %41'],
  ['reserved', 'signs that paths reserve', 'a+b&c=d?e'],
];

/** Each in a scene of its own: one that is refused stops no other. */
export function scripts(flow: Flow): void {
  for (const [name, what, sample] of names) {
    const { step } = flow.scene('player', 'other');
    const kept = step(
      name,
      [playerName.set, playerName.get],
      effects.names.kept,
      `a name with ${what} is read back as it was written, where it may be taken`,
      async (stage) => {
        const value = `${sample} ${stage.unique('x')}`;
        const answer = await stage.put('player', playerName.set, { params: { providerPlayerName: value } });
        if (statusOf(answer) >= 400 && statusOf(answer) < 500) {
          await stage.observeAnswer('player', playerName.set, { params: { providerPlayerName: value } });
          return undefined;
        }
        if ((await takeName(stage, 'player', value)) !== value)
          stage.cannotTell('needs-body', `the profile fixes the name that ${playerName.set.id} takes`);
        await stage.sees('player', nameIs(value, 'the name as it was written'));
        return value;
      },
    );
    step(
      `${name}-search`,
      [playerName.search, playerName.set],
      effects.names.found,
      `a player is found by a name with ${what}`,
      async (stage) => {
        const value = stage.of(kept);
        if (value === undefined)
          return stage.cannotTell('prerequisite-failed', `no name with ${what} may be taken`);
        await stage.sees('other', {
          operation: playerName.search,
          params: { playerName: value },
          value: stage.id('player'),
          what: 'the player',
        });
      },
    );
  }
}
