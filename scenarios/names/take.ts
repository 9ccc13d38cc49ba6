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
  const texts = fixedIn(stage.forms(playerName.set), 'providerPlayerName').flatMap(({ value }) =>
    typeof value === 'string' ? [value] : [],
  );
  const fixedName = (text: string) => nameIs(text, 'a name that the profile fixes');
  const stood = new Set<string>();
  for (const text of texts) if (await stage.lookBefore(role, fixedName(text))) stood.add(text);
  const params = { providerPlayerName: name };
  await stage.done(role, playerName.set, { params, madeUp: 'a name of ours' });
  if (texts.length === 0 || (await stage.comes(role, nameIs(name, 'the name')))) return name;
  for (const text of texts) if (!stood.has(text) && (await stage.comes(role, fixedName(text)))) return text;
  if (stood.size === 0) return name;
  return stage.cannotTell('needs-body', `what the profile's body of ${playerName.set.id} fixes stood before`);
}
