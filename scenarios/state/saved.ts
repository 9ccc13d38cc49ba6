// Checks what a player saves outside of named states: the voice-over, and the loadouts of characters.
import { game } from '../../catalog/areas/game-elements.ts';
import { ofOthers } from '../../catalog/clauses/clause.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { poll } from '../../engine/flow/polling.ts';
import { ownValue } from '../../engine/flow/setting-values.ts';
import type { Kept, StepContext } from '../../engine/flow/step-context.ts';
import type { View } from '../../engine/flow/views.ts';
import { ignoreUnlessViolation, requireAnswer } from '../../engine/flow/why-refused.ts';
import { answerLeaves, type Exchange, isSuccess } from '../../engine/http/exchange.ts';
import { Stop } from '../../engine/judgement.ts';
import { type Form, write } from '../../engine/players/body-template.ts';
import { isObject, parentOf, parsedJson } from '../../engine/values/json-walk.ts';
import { charactersOf, isSent } from '../store/characters.ts';
import { echoes, expectKeptBeside, expectNotShared, expectSettingsKept } from './changed-setting.ts';
import { loadoutForms } from './shown-loadout.ts';

const clauses = effects.state;

type People = StepContext<'player' | 'other'>;

/** Expects that the other player does not read the value, even right after a read by the player who saved it. */
async function expectHidden(context: People, operation: Operation, value: string): Promise<void> {
  await context.send('player', operation);
  const answer = requireAnswer(await context.send('other', operation));
  const isShown = isSuccess(answer) && context.mentions(answer, value);
  context.expect(!isShown, `${operation.id} shows nobody else's`, 'what the first player saved', answer);
}

const inVoiceOver = (value: string): View => ({
  operation: game.voiceOver,
  value,
  what: 'the voice-over that was saved',
});

export function voiceOver(flow: Flow): void {
  const { step } = flow.scenario('player', 'other');
  const save = (context: People): Promise<Kept> =>
    context.sets('player', game.saveVoiceOver, {
      value: context.unique('assayvoice'),
      shownIn: inVoiceOver,
    });

  const kept = step(
    'voice-over',
    [game.saveVoiceOver, game.voiceOver],
    clauses.saved,
    'the voice-over that a player saves is read back',
    async (context) => {
      // Clients read before they write: a cache that keeps this answer is then outdated.
      await context.send('player', game.voiceOver);
      return save(context);
    },
  );

  kept.step(
    'voice-over-own',
    [game.voiceOver, game.saveVoiceOver],
    ofOthers(clauses.apart, 'mixed up'),
    'another player does not read the voice-over of the first one',
    async (context, saved) => expectHidden(context, game.voiceOver, ownValue(game.saveVoiceOver, saved)),
  );

  step(
    'voice-over-again',
    [game.saveVoiceOver, game.voiceOver],
    clauses.latest,
    'the voice-over that a player saves next is read back',
    async (context) => {
      ownValue(game.saveVoiceOver, context.resultOf(kept));
      await save(context);
    },
  );
}

/** Changes one of the voice-over's settings, for targets that have no place for a text that Assay makes up. */
export function voiceOverSettings(flow: Flow): void {
  const { prepare } = flow.scenario('player', 'other');
  const before = prepare("another player's voice-over", (context) =>
    context.snapshot('other', game.voiceOver),
  );

  const changed = before.step(
    'voice-over-setting',
    [game.saveVoiceOver, game.voiceOver],
    clauses.saved,
    'a setting of the voice-over that a player changes is read back',
    (context) => expectSettingsKept(context, game.saveVoiceOver, game.voiceOver),
  );

  changed.step(
    'voice-over-setting-beside',
    [game.saveVoiceOver, game.voiceOver],
    clauses.slots,
    'a setting that is saved for one character leaves that of another as it was saved',
    (context, setting) => expectKeptBeside(context, game.saveVoiceOver, game.voiceOver, setting),
  );

  changed.step(
    'voice-over-setting-own',
    [game.voiceOver, game.saveVoiceOver],
    ofOthers(clauses.apart, 'mixed up'),
    "the settings of another player's voice-over stay as they were",
    async (context, setting) => {
      await expectNotShared(context, game.saveVoiceOver, game.voiceOver, setting);
      await context.expectUnchanged(
        context.resultOf(before),
        "the other player's voice-over as it was before the change",
      );
    },
  );
}

/** Reads that could show a loadout; the document leaves open which of them does. */
const showing: readonly [Operation, ...Operation[]] = [
  game.loadoutPresets,
  game.allCharacters,
  game.getOrInitCharacter,
];

const shows = (context: People, answer: Exchange, value: string): boolean =>
  isSuccess(answer) && context.mentions(answer, value);

/** The first answer of the `showing` reads that holds the value, or else the first success. */
async function readOf(context: People, value: string): Promise<Exchange> {
  const answers = await Promise.all(showing.map((read) => context.send('player', read)));
  const shown = answers.find((answer) => shows(context, answer, value));
  return shown ?? answers.find(isSuccess) ?? (answers[0] as Exchange);
}

/**
 * Saves loadouts in the form in which a read shows them, with the value in them, until one is kept. Undefined where
 * neither a read nor an answer shows the value; an answer that only repeats the body does not count.
 * @param dressed receives the name of each character for whom a loadout was sent
 */
async function savedAsShown(context: People, value: string, names: readonly string[], dressed: Set<string>) {
  const shown = await context.send('player', game.allCharacters);
  let answered: { readonly form: Form; readonly sent: Exchange } | undefined;
  for (const name of names.slice(0, 2).toReversed())
    for (const form of loadoutForms(name, shown)) {
      const writing = write(form, { value, characterName: name });
      const body = writing.ok ? writing.written.body : null;
      const members = body === null ? undefined : parsedJson(body);
      if (!isObject(members)) continue;
      dressed.add(name);
      const sent = await context.send('player', game.loadout, { body });
      if (!isSuccess(sent)) continue;
      const last = await readOf(context, value);
      if (shows(context, last, value)) return { form, sent, holds: true, last };
      if (
        answered === undefined &&
        shows(context, sent, value) &&
        !(await echoes(context, game.loadout, members))
      )
        answered = { form, sent };
    }
  if (answered === undefined) return undefined;
  // The target accepted the form that its reads show and answered with it, so nothing in the body was a guess.
  context.confirmBody(game.loadout, answered.form);
  return { ...answered, ...(await pollReads(context, value)) };
}

/** Polls the `showing` reads until one shows the value. */
const pollReads = (context: People, value: string) =>
  poll(
    () => readOf(context, value),
    (answer) => shows(context, answer, value),
  );

export function loadouts(flow: Flow): void {
  const { step } = flow.scenario('player', 'other');

  const kept = step(
    'loadout',
    [game.loadout, ...showing],
    clauses.saved,
    'the loadout that a player saves is read back, among the presets or with the character',
    async (context) => {
      const others = showing.filter((read) => read !== game.allCharacters);
      await Promise.all(others.map((read) => context.send('player', read)));
      const value = context.unique('assayloadout');
      const names = await charactersOf(context);
      const isGuess = context.forms(game.loadout).every(({ from }) => from === 'guess');
      const dressed = new Set<string>();
      const save = (characterName: string | undefined) => {
        if (characterName !== undefined) dressed.add(characterName);
        return context.mustSucceed('player', game.loadout, {
          carry: { value },
          ...(characterName !== undefined && { offer: { characterName } }),
        });
      };
      const [first, second = first] = isGuess ? names : [];
      // Tries the second character first: a server that ignores the name changes the first. Some players own only that.
      const guessed = await save(second)
        .catch((error) => {
          ignoreUnlessViolation(error);
          if (second === first) throw error;
          return save(first);
        })
        .then(async (sent) => ({ sent, ...(await pollReads(context, value)) }))
        .catch((error) => {
          ignoreUnlessViolation(error);
          return error as Stop;
        });
      const isKept = !(guessed instanceof Stop) && guessed.holds;
      const asShown = isGuess && !isKept ? await savedAsShown(context, value, names, dressed) : undefined;
      const saved = asShown ?? guessed;
      if (saved instanceof Stop) throw saved;
      const { sent, holds, last } = saved;
      if (!isSuccess(last))
        context.cannotTell('needs-state', 'no read that could show a loadout is answered');
      const reads = showing.map(({ id }) => id).join(', ');
      context.expect(holds, `one of ${reads} shows the loadout that was saved`, 'none does', last);
      context.confirmBody(game.loadout, asShown?.form);
      const character = names.find((name) => isSent(sent, name));
      return { value, names, last, character, isForOne: dressed.size < 2 };
    },
  );

  kept.step(
    'loadout-character',
    [game.loadout, ...showing],
    clauses.character,
    'a loadout that is saved for one character is shown with that one, and with no other',
    async (context, { value, names, last, character, isForOne }) => {
      if (character === undefined)
        return context.cannotTell('needs-state', 'the call names no character that the reads show');
      const shownWith = (answer: Exchange) => charactersWith(answer, value, names);
      const isRight = (answer: Exchange) => shownWith(answer).has(character);
      const operation = showing.find(({ path }) => last.request.url.includes(path));
      const isDone = operation === undefined || isRight(last) || shownWith(last).size === 0;
      const read = isDone ? last : (await poll(() => context.send('player', operation), isRight)).last;
      const [other] = shownWith(read);
      if (other === undefined)
        context.cannotTell('needs-state', 'the read that shows the loadout does not say whose it is');
      context.expect(isRight(read), `the loadout with ${character}`, `it stands with ${other}`, read);
      // Where loadouts were sent for two characters, both may rightly show it.
      if (!isForOne) return;
      // All characters may wear one loadout, but then every read says so, and none shows it with this character alone.
      const others = showing.filter((each) => each !== operation);
      const reads = [read, ...(await Promise.all(others.map((each) => context.send('player', each))))];
      const [shared] = reads.filter((each) => shownWith(each).size > 1);
      const isOwn = reads.some((each) => isRight(each) && shownWith(each).size === 1);
      context.expect(
        shared === undefined || !isOwn,
        `the loadout with ${character} alone, as another read shows it`,
        'it stands with other characters as well',
        shared,
      );
    },
  );

  kept.observe(
    'loadout-shown-in',
    showing,
    'which reads show the loadout that was saved',
    async (context, { value }) => {
      const shown = await Promise.all(
        showing.map((operation) => context.eventually('player', { operation, value, what: 'the loadout' })),
      );
      context.observe(
        showing
          .filter((_, at) => shown[at])
          .map(({ id }) => id)
          .join(', '),
      );
    },
  );

  kept.step(
    'loadout-own',
    [game.loadout, ...showing],
    ofOthers(clauses.apart, 'mixed up'),
    'another player reads nothing of the loadout that the first one saved',
    async (context, { value }) => {
      for (const operation of showing) await expectHidden(context, operation, value);
    },
  );

  kept.step(
    'loadout-slots',
    [game.loadout, game.loadoutPresets],
    clauses.slots,
    'a loadout that is saved as another preset leaves the first preset as it was',
    async (context, { value: first }) => {
      const second = context.unique('assayloadout');
      const before = await context.send('player', game.loadoutPresets);
      const { body, isGuess } = asNextPreset(context, second, presetOf(before, first));
      if (!isSuccess(before) || !context.mentions(before, first))
        context.cannotTell('needs-state', 'the presets do not show the loadout that was saved');
      await context.mustSucceed('player', game.loadout, { body, mayRefuse: 'a loadout as another preset' });
      const both = (answer: Exchange) => context.mentions(answer, first) && context.mentions(answer, second);
      const { last } = await poll(() => context.send('player', game.loadoutPresets), both);
      if (!isSuccess(last) || !context.mentions(last, second))
        context.cannotTell('needs-state', 'the presets do not show the loadout of the other preset');
      // A server may number presets in what it shows and not in what it takes.
      if (isGuess && !context.mentions(last, first)) context.cannotTell('needs-body', unnumbered);
      context.expect(
        context.mentions(last, first),
        `${game.loadoutPresets.id} shows the loadouts of both presets`,
        'only that of the one saved last',
        last,
      );
    },
  );
}

/** The characters whose entries hold a value; for each place, the innermost enclosing object that names one counts. */
function charactersWith(answer: Exchange, value: string, names: readonly string[]): ReadonlySet<string> {
  const leaves = answerLeaves(answer);
  const holders = leaves.filter((leaf) => names.includes(String(leaf.value)));
  const places = leaves.filter((leaf) => leaf.value === value).map(({ pointer }) => pointer);
  const above = (pointer: string) => `${parentOf(pointer)}/`;
  return new Set(
    places.flatMap((place) => {
      const around = holders.filter(({ pointer }) => place.startsWith(above(pointer)));
      const [inner] = around.toSorted((a, b) => above(b.pointer).length - above(a.pointer).length);
      return inner ? [String(inner.value)] : [];
    }),
  );
}

const numbersPreset = /preset|slot|index/i;

const unnumbered = `the profile states no body of ${game.loadout.id} with the number of a preset (as presetId: 1)`;

interface PresetNumber {
  readonly name: string;
  readonly number: number;
}

/** The number that an answer gives the preset which holds the value; undefined where it gives none. */
function presetOf(answer: Exchange, value: string): PresetNumber | undefined {
  const leaves = answerLeaves(answer);
  const holding = leaves.find((leaf) => String(leaf.value).includes(value));
  const numbered = leaves.find(
    ({ pointer, name, value: number }) =>
      numbersPreset.test(name) &&
      Number.isSafeInteger(number) &&
      holding?.pointer.startsWith(`${parentOf(pointer)}/`),
  );
  return numbered && { name: numbered.name, number: Number(numbered.value) };
}

/**
 * The body of a loadout that carries the value, with its preset number raised by one. A body without a number gets one
 * under the field name that this target's presets show: a guess, even in a body from the profile.
 */
function asNextPreset(
  context: People,
  value: string,
  shown: PresetNumber | undefined,
): { readonly body: string; readonly isGuess: boolean } {
  const { body } = context.likeliestAsk('player', game.loadout, { carry: { value } });
  const sent = typeof body === 'string' ? parsedJson(body) : undefined;
  const next = JSON.stringify(sent ?? {}, (name, held: unknown) =>
    numbersPreset.test(name) && Number.isSafeInteger(held) ? Number(held) + 1 : held,
  );
  const isStated = context.forms(game.loadout).some(({ from }) => from === 'profile');
  if (isStated && next !== JSON.stringify(sent ?? {})) return { body: next, isGuess: false };
  if (shown && isObject(sent))
    return { body: JSON.stringify({ ...sent, [shown.name]: shown.number + 1 }), isGuess: true };
  return context.cannotTell('needs-body', unnumbered);
}
