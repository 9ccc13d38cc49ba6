import { expect, test } from 'vitest';
import { formOf } from '../../engine/players/body-template.ts';
import { type Put, rehearseFlow, withoutWaits } from '../../fixtures/kit/flow-rehearsal.ts';
import friends from '../friends.ts';

const form = formOf({ id: '{{other.id}}' }, 'profile');

/** The judgements of steps on a server that lists whom a player knows, and removes nobody who is no friend. */
async function judged(list: (friends: readonly string[], reader: number) => object, ...steps: string[]) {
  const all = new Map<number, string[]>();
  const script = ({ operation, player, ask }: Put) => {
    const own = all.get(player) ?? [];
    const { id = '' } = JSON.parse(String(ask.body ?? '{}')) as { id?: string };
    if (operation === 'players.addFriend') all.set(player, [...own, id]);
    if (operation === 'players.removeFriend') {
      if (!own.includes(id)) return { status: 404 };
      all.set(
        player,
        own.filter((each) => each !== id),
      );
    }
    return operation === 'players.friends' ? { body: list(all.get(player) ?? [], player) } : {};
  };
  const spoken = ({ id }: { readonly id: string }) => /players\.(add|remove)Friend/.test(id);
  const forms = (operation: { readonly id: string }) => (spoken(operation) ? [form] : []);
  const flows = { forms, isStatedInProfile: spoken, accepts: () => [200] };
  const judgements = await withoutWaits(() => rehearseFlow(script, { flows }).play(friends, ...steps));
  return judgements.map((judgement) =>
    judgement.kind === 'inconclusive' ? judgement.reason : judgement.kind,
  );
}

const known = [1, 2, 3].map((nth) => `id-of-player-${nth}`);

test('who is suggested is no friend, and need not be removed first', async () => {
  const suggesting = (friends: readonly string[]) => ({
    friends,
    suggested: known.filter((id) => !friends.includes(id)),
  });
  expect(await judged(suggesting, 'add', 'listed', 'stranger-own-list')).toEqual(['pass', 'pass', 'pass']);
});

test('a friend in the list of an outsider is found out by the place', async () => {
  const mixed = (friends: readonly string[], reader: number) => ({ friends: reader === 3 ? known : friends });
  const blind = (friends: readonly string[], reader: number) => ({ friends: reader === 3 ? [] : friends });
  let isAdded = false;
  const later = (friends: readonly string[], reader: number) => {
    isAdded ||= friends.length > 0;
    return isAdded ? mixed(friends, reader) : blind(friends, reader);
  };
  expect(await judged(later, 'listed', 'stranger-own-list')).toEqual(['pass', 'violation']);
  expect(await judged(mixed, 'listed', 'stranger-own-list')).toEqual(['pass', 'needs-state']);
});

test('friends who are listed as former ones are no longer friends', async () => {
  const removing = (all: readonly string[]) => ({
    friends: all,
    former: known.filter((id) => !all.includes(id)),
  });
  const steps = ['remove', 'removed-view', 'removed-others-stay'];
  expect(await judged(removing, ...steps)).toEqual(['pass', 'pass', 'pass']);
  let most = 0;
  const forgetful = (all: readonly string[]) => {
    most = Math.max(most, all.length);
    return all.length < most ? { friends: [], former: all } : { friends: all };
  };
  expect(await judged(forgetful, ...steps)).toEqual(['pass', 'pass', 'violation']);
});
