import { areas } from '../../fixtures/catalog/catalog.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import { statusOf } from '../../fixtures/client/exchange.ts';
import { amongMembers, makeParty } from './made.ts';

const { party } = areas;

const others = ['second', 'third', 'fourth', 'fifth'] as const;

/** How many parties one makes, and how many people one takes. */
export function limits(flow: Flow): void {
  const twice = flow.scene('leader');
  const first = twice.prepare('a party', (stage) => makeParty(stage, 'leader'));
  twice.step(
    'create-again',
    [party.create],
    open['open.flows'],
    'what making a party while in one is answered',
    async (stage) => {
      const partyId = stage.of(first);
      const answer = await stage.observeAnswer('leader', party.create);
      const again = await stage.identifier(answer, party.create, 'partyId').catch(() => undefined);
      if (again === undefined) return;
      if (again !== partyId) stage.later('leader', party.delete, { params: { partyId: again } }, party.leave);
      stage.observe(`${statusOf(answer)}, ${again === partyId ? 'the same party' : 'another party'}`, answer);
    },
  );

  const { prepare, step } = flow.scene('leader', ...others);
  const made = prepare('a party', (stage) => makeParty(stage, 'leader'));

  step(
    'full',
    [party.join, party.acceptJoin],
    open['open.flows'],
    'what a full party answers',
    async (stage) => {
      const partyId = stage.of(made);
      let members = 1;
      for (const role of others) {
        const joined = await stage.put(role, party.join, { params: { playerId: stage.id('leader') } });
        const letIn = await stage.put('leader', party.acceptJoin, {
          params: { partyId, playerId: stage.id(role) },
        });
        const view = await stage.put('leader', party.details);
        if (!stage.shows('leader', amongMembers(stage.id(role), stage.id('leader'), role), view)) {
          stage.observe(
            `a party of ${members} takes no other: join ${statusOf(joined)}, accept ${statusOf(letIn)}`,
            letIn,
          );
          return;
        }
        members += 1;
      }
      stage.observe(`a party takes at least ${members} players`);
    },
  );
}
