// The flow `names`: setting, reading and searching player names.
import { createHash } from 'node:crypto';
import { playerName } from '../catalog/areas/player-name.ts';
import { players } from '../catalog/areas/players.ts';
import { ofOthers } from '../catalog/clauses/clause.ts';
import { effects } from '../catalog/clauses/flows.ts';
import { type Flow, flowSuite } from '../engine/flow/flow.ts';
import { placesOf } from '../engine/flow/places.ts';
import { pollAnswered } from '../engine/flow/polling.ts';
import { fixedIn } from '../engine/flow/setting-values.ts';
import { textInOneOrder } from '../engine/flow/snapshot.ts';
import type { StepContext } from '../engine/flow/step-context.ts';
import type { View } from '../engine/flow/views.ts';
import { ignoreUnlessViolation, requireAnswer } from '../engine/flow/why-refused.ts';
import {
  answerLeaves,
  type Exchange,
  isRefusal,
  isSuccess,
  statusInWords,
  statusOf,
} from '../engine/http/exchange.ts';
import { befriend, friendsOf } from './friends/make-friends.ts';

const nameIs = (value: string, what: string): View => ({ operation: playerName.get, value, what });

/** A view that shows the value where a search for the name finds its player. */
const foundBy = (name: string, value: string, what: string): View => ({
  operation: playerName.search,
  params: { playerName: name },
  value,
  what,
});

const searchFor = ({ send: put }: Pick<StepContext<'other'>, 'send'>, name: string): Promise<Exchange> =>
  put('other', playerName.search, { params: { playerName: name } });

/** The names that the profile's body fixes, whatever name the path holds. */
const fixedNames = ({ forms }: Pick<StepContext, 'forms'>): readonly string[] =>
  fixedIn(forms(playerName.set), 'providerPlayerName').flatMap(({ value }) =>
    typeof value === 'string' ? [value] : [],
  );

/** Sets a name; returns the one that was set: that of the path, or the one that the profile's body fixes. */
async function takeName(context: StepContext<'player'>, name: string): Promise<string> {
  const texts = fixedNames(context);
  const fixedName = (text: string) => nameIs(text, 'a name that the profile fixes');
  const stood = new Set<string>();
  for (const text of texts) if (await context.sampleBefore('player', fixedName(text))) stood.add(text);
  const params = { providerPlayerName: name };
  await context.mustSucceed('player', playerName.set, { params, madeUp: 'a name of ours' });
  if (texts.length === 0 || (await context.eventually('player', nameIs(name, 'the name')))) return name;
  for (const text of texts)
    if (!stood.has(text) && (await context.eventually('player', fixedName(text)))) return text;
  if (stood.size === 0) return name;
  return context.cannotTell(
    'needs-body',
    `the player already had the name that the profile's body of ${playerName.set.id} fixes`,
  );
}

const fixesName = `the profile fixes the name that ${playerName.set.id} sets`;

/** Sets a name; ends the step where the profile's body sets another one. */
async function takeOwnName(context: StepContext<'player'>, name: string): Promise<void> {
  if ((await takeName(context, name)) !== name) context.cannotTell('needs-body', fixesName);
}

/** Samples of scripts and characters that a name may hold, by step. */
const names: readonly (readonly [step: string, what: string, sample: string])[] = [
  ['spaces', 'spaces', 'Long  John'],
  ['umlauts', 'letters with marks', 'Jürgen Ærøskøbing'],
  ['scripts', 'letters of other scripts', 'Ольга 小林'],
  ['emoji', 'emoji', '🦊 Fox 👩‍🚀'],
  ['percent', 'percent signs', '100% sure %41'],
  ['reserved', 'reserved path characters', 'a+b&c=d?e'],
];

const shortSample = 7;

/** The beginning of the sample and a unique suffix, short enough for strict servers: at most 19 UTF-16 units. */
function shortName(context: StepContext<'player'>, sample: string): string {
  const seen = Array.from(new Intl.Segmenter().segment(sample), ({ segment }) => segment);
  const unique = createHash('sha256').update(context.unique('x')).digest('hex').slice(0, 6);
  return `${seen.slice(0, shortSample).join('').trim()} ${unique}`;
}

/** Takes a name like the sample, a short one where a long one is refused; undefined where both are. */
async function takeSample(context: StepContext<'player'>, sample: string): Promise<string | undefined> {
  for (const value of [`${sample} ${context.unique('x')}`, shortName(context, sample)]) {
    const answer = await context.send('player', playerName.set, { params: { providerPlayerName: value } });
    if (isRefusal(answer)) continue;
    await takeOwnName(context, value);
    return value;
  }
  return undefined;
}

/** Each sample has its own scenario, so that a refused one stops no other. */
function scripts(flow: Flow): void {
  for (const [name, what, sample] of names) {
    const { prepare, step } = flow.scenario('player', 'other');
    const kept = step(
      name,
      [playerName.set, playerName.get],
      effects.names.kept,
      `a name with ${what} is read back as it was written, or refused`,
      async (context) => {
        const value = await takeSample(context, sample);
        if (value === undefined) {
          const params = { providerPlayerName: `${sample} ${context.unique('x')}` };
          await context.observeAnswer('player', playerName.set, { params });
        } else await context.sees('player', nameIs(value, 'the name as it was written'));
        return value;
      },
    );
    // A search needs a name that was set, not one that was read back.
    const taken = prepare(`a name with ${what}`, async (context) => {
      try {
        return context.resultOf(kept);
      } catch (error) {
        ignoreUnlessViolation(error);
        return takeSample(context, sample);
      }
    });
    taken.step(
      `${name}-search`,
      [playerName.search, playerName.set],
      effects.names.found,
      `a player is found by a name with ${what}`,
      async (context, value) => {
        if (value === undefined)
          return context.cannotTell('prerequisite-failed', `the server refuses a name with ${what}`);
        await context.sees('other', foundBy(value, context.id('player'), 'the player'));
      },
    );
  }
}

/** Whether an entry of the answer that holds the player's id shows both names. */
const showsBoth = (answer: Exchange, id: string, names: readonly string[]): boolean =>
  [...placesOf(answer, id).values()].some(({ entry }) => {
    const text = textInOneOrder(entry ?? '');
    return names.every((name) => text.includes(name));
  });

const clauses = effects.names;

/** Signs that have a special meaning in a regular expression or a query language. */
const signs = ['(', '*', "'"];
/** Signs that stand for any letter, or for any text, in a regular expression or a LIKE. */
const wildcards = ['.', '_', '%'];
/** The letter of a name that such a sign takes the place of: a search may look at the beginning alone. */
const inside = 3;

/** A plain name is set, read, searched for, and belongs to no other player. */
function taking(flow: Flow): void {
  const { step } = flow.scenario('player', 'other');

  const taken = step('set', [playerName.set], clauses.kept, 'a player sets a name', (context) =>
    takeName(context, context.unique('Assay')),
  );

  const read = taken.step(
    'read',
    [playerName.get, playerName.set],
    clauses.kept,
    'the player reads the name that was set',
    async (context, value) => {
      await context.sees('player', nameIs(value, 'the name that was set'));
    },
  );

  const found = taken.step(
    'search',
    [playerName.search, playerName.set],
    clauses.found,
    'another player finds the player by that name',
    async (context, name) => {
      await context.sees('other', foundBy(name, context.player('player').id ?? name, 'the player'));
      return name;
    },
  );

  found.observe(
    'search-other-case',
    [playerName.search],
    'whether a search distinguishes upper and lower case',
    async (context, name) => {
      const answer = await searchFor(context, name.toUpperCase());
      context.observe(
        context.mentions(answer, context.player('player').id ?? name) ? 'it does not' : 'it does',
        answer,
      );
    },
  );

  const nobody = found.step(
    'search-nobody',
    [playerName.search],
    clauses.found,
    'a search for a name that nobody has does not find the player',
    (context) =>
      context.seesNot('other', {
        ...foundBy(
          context.unique('Nobody'),
          context.id('player'),
          'the player, under a name that nobody has',
        ),
        outsider: true,
      }),
  );

  found.step(
    'search-signs',
    [playerName.search],
    clauses.literal,
    'a search takes signs for themselves: none is a server error, and none stands for other letters',
    async (context, name) => {
      for (const sign of signs) {
        const answer = requireAnswer(await searchFor(context, `Assay ${sign}`));
        const status = statusOf(answer);
        context.expect(status < 500, 'an answer that is no server error', `${status} for ${sign}`, answer);
      }
      const id = context.player('player').id ?? name;
      const inName = (sign: string) => name.slice(0, inside) + sign + name.slice(inside + 1);
      // A search for similar names, or for the words of a name, may ignore a sign.
      for (const sign of [name[inside] === 'q' ? 'z' : 'q', '-'])
        if (context.mentions(await searchFor(context, inName(sign)), id)) return;
      for (const wildcard of wildcards) {
        const answer = await searchFor(context, inName(wildcard));
        const isFound = context.mentions(answer, id);
        context.expect(!isFound, `nobody for ${inName(wildcard)}`, `the player, who is ${name}`, answer);
      }
    },
  );

  step(
    'other-untouched',
    [playerName.get, playerName.set],
    ofOthers(clauses.own, 'mixed up'),
    'the name of another player is not the one that was set',
    async (context) => {
      const name = context.resultOf(read);
      // The profile gives this name to every account, so the other player may have it as well.
      if (fixedNames(context).includes(name)) context.cannotTell('needs-body', fixesName);
      await context.seesNot('other', { ...nameIs(name, "the first player's name"), outsider: true });
    },
  );

  const renamed = read.step(
    'set-again',
    [playerName.set, playerName.get],
    clauses.kept,
    'a player sets another name',
    async (context) => {
      const name = context.unique('Renamed');
      await takeOwnName(context, name);
      await context.sees('player', nameIs(name, 'the new name'));
      return name;
    },
  );

  const foundAnew = renamed.step(
    'search-renamed',
    [playerName.search, playerName.set],
    clauses.found,
    'another player finds the player by the new name',
    async (context, name) => {
      context.resultOf(found);
      const id = context.player('player').id ?? name;
      await context.sees('other', foundBy(name, id, 'the player, under the new name'));
      return name;
    },
  );

  const former = foundAnew.observe(
    'search-former',
    [playerName.search, playerName.set],
    'whether a search finds a player by a name that was given up',
    async (context) => {
      const answer = await searchFor(context, context.resultOf(found));
      context.observe(context.mentions(answer, context.id('player')) ? 'it does' : 'it does not', answer);
      return answer;
    },
  );

  former.step(
    'search-former-name',
    [playerName.search, playerName.set],
    clauses.givenUp,
    'a search for a name that was given up does not find the player, unless it shows both names',
    async (context, answer) => {
      const [id, now, was] = [context.id('player'), context.resultOf(foundAnew), context.resultOf(found)];
      if (!context.mentions(answer, id)) return;
      // A player who is found under a name that nobody has is found by any search.
      context.resultOf(nobody);
      const isRight = (read: Exchange) => !context.mentions(read, id) || showsBoth(read, id, [now, was]);
      const { last } = await pollAnswered(() => searchFor(context, was), isRight);
      context.expect(
        isRight(last),
        `nobody, or a player who was called ${was}`,
        `the player, who is ${now}`,
        last,
      );
    },
  );

  const takenTwice = taken.observe(
    'set-taken',
    [playerName.set],
    'how the server answers when a player sets the name of another',
    async (context, name) => {
      try {
        name = context.resultOf(renamed);
      } catch (error) {
        ignoreUnlessViolation(error);
      }
      const params = { providerPlayerName: name };
      return { name, answer: await context.observeAnswer('other', playerName.set, { params }) };
    },
  );

  takenTwice.step(
    'set-taken-found',
    [playerName.search, playerName.set, playerName.get],
    clauses.found,
    'a player whose name another player may take as well is still found by it',
    async (context, { name, answer }) => {
      if (!isSuccess(answer)) return context.note(`another player is answered ${statusInWords(answer)}`);
      if (fixedNames(context).includes(name)) context.cannotTell('needs-body', fixesName);
      const [first, second] = [context.id('player'), context.id('other')];
      const finds = (read: Exchange, id: string) => isSuccess(read) && context.mentions(read, id);
      const sees = await pollAnswered(
        () => searchFor(context, name),
        (read) => finds(read, second),
      );
      if (!sees.holds) return context.notTriggered('a search does not find the second player of that name');
      context.resultOf(foundAnew);
      const isStillTheirs = context.mentions(await context.send('player', playerName.get), name);
      if (!isStillTheirs) return context.notTriggered('the first player has the name no more');
      const both = await pollAnswered(
        () => searchFor(context, name),
        (read) => finds(read, first),
      );
      const what = 'only the second, who took it later';
      context.expect(both.holds, `both players who are called ${name}, or the name refused`, what, both.last);
    },
  );

  taken.observe(
    'set-long',
    [playerName.set],
    'how the server answers when a player sets a name of 300 letters',
    (context) =>
      context.observeAnswer('other', playerName.set, { params: { providerPlayerName: 'a'.repeat(300) } }),
  );
}

const shortestName = 6;

/** The name that a player has, where an answer to another one shows it. */
async function nameShown(
  context: StepContext<'player' | 'other'>,
  answer: Exchange,
): Promise<string | undefined> {
  const id = context.id('player');
  return answerLeaves(await context.send('player', playerName.get))
    .flatMap(({ name, value }) => (/name/i.test(name) && typeof value === 'string' ? [value] : []))
    .find((value) => value.length >= shortestName && value !== id && context.mentions(answer, value));
}

/** A player takes another name, and a friend lists them. */
function renamedFriend(flow: Flow): void {
  const { step } = flow.scenario('player', 'other');
  step(
    'friend-renamed',
    [players.friends, playerName.set],
    clauses.known,
    'a list of friends that shows names shows the name that a friend took last',
    async (context) => {
      const [was, now] = [context.unique('Assay'), context.unique('Renamed')];
      if (!(await befriend(context, 'other', 'player')))
        return context.notTriggered(`${players.friends.id} is not served`);
      const list = () => friendsOf(context, 'other');
      const shownFirst = await nameShown(context, await list());
      await takeOwnName(context, was);
      const before = await pollAnswered(list, (answer) => context.mentions(answer, was));
      const isStale =
        shownFirst !== undefined &&
        context.mentions(before.last, shownFirst) &&
        context.mentions(await context.send('player', playerName.get), was);
      if (!before.holds && !isStale)
        return context.notTriggered(`${players.friends.id} shows no name that a friend took`);
      context.expect(before.holds, `${was}, the name of the friend`, `still ${shownFirst}`, before.last);
      await takeOwnName(context, now);
      const { holds, last } = await pollAnswered(list, (answer) => context.mentions(answer, now));
      if (!isSuccess(last))
        return context.notTriggered(`${players.friends.id} is answered ${statusOf(last)}`);
      context.expect(holds, `the friend as ${now}`, `the friend as ${was}, as before`, last);
    },
  );
}

export default flowSuite('names', [taking, scripts, renamedFriend]);
