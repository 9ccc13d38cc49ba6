import { areas } from '../../fixtures/catalog/catalog.ts';
import { fixedIn } from '../../fixtures/check/flow/setting.ts';
import type { Stage } from '../../fixtures/check/flow/stage.ts';
import type { View } from '../../fixtures/check/flow/view.ts';

const { playerName } = areas;

/** The name that a player has. */
export const nameIs = (value: string, what: string): View => ({ operation: playerName.get, value, what });

/** Takes a name; the one that was taken: that of the path, or another that the profile's body fixes. */
export async function takeName<Role extends string>(
  stage: Stage<Role>,
  role: NoInfer<Role>,
  name: string,
): Promise<string> {
  const fixed: View[] = [];
  for (const { value } of fixedIn(stage.forms(playerName.set), 'providerPlayerName')) {
    const view = nameIs(String(value), 'the name that the profile fixes');
    if (typeof value === 'string' && !(await stage.lookBefore(role, view))) fixed.push(view);
  }
  const params = { providerPlayerName: name };
  await stage.done(role, playerName.set, { params, madeUp: 'a name of ours' });
  for (const view of fixed) if (await stage.comes(role, view)) return view.value ?? name;
  return name;
}
