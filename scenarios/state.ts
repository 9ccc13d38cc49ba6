// The flow `state`: data that a player stores, as JSON and as bytes. Here: named states, and the binary profile.
// `state/`: `profile.ts` checks version numbers, and `stale-version.ts` that of a named state; `names.ts` bytes under
// other names; `saved.ts` what is saved elsewhere; `changed-setting.ts` changes one setting of what a read shows.
import { players } from '../catalog/areas/players.ts';
import { ofOthers } from '../catalog/clauses/clause.ts';
import { clauseById } from '../catalog/clauses/clauses.ts';
import { effects } from '../catalog/clauses/flows.ts';
import { type Flow, flowSuite, type Step } from '../engine/flow/flow.ts';
import { poll, pollAnswered } from '../engine/flow/polling.ts';
import { ownValue } from '../engine/flow/setting-values.ts';
import type { Kept, StepContext } from '../engine/flow/step-context.ts';
import type { View } from '../engine/flow/views.ts';
import { isGuessed, requireAnswer } from '../engine/flow/why-refused.ts';
import { type Exchange, isSuccess, statusOf, text } from '../engine/http/exchange.ts';
import { Stop } from '../engine/judgement.ts';
import { atVersion } from '../engine/players/refusals/version-conflict.ts';
import { etagOf, strongEtagOf } from '../engine/probe/matchers/http-fields.ts';
import type { Json } from '../engine/target/profile-validation.ts';
import { isObject, parsedJson } from '../engine/values/json-walk.ts';
import { cut } from '../engine/values/text.ts';
import { type NamedState, namedStates } from './state/named-states.ts';
import { names } from './state/names.ts';
import { ownedLoadouts } from './state/owned-loadout.ts';
import {
  allValues,
  findBytes,
  keepProfile,
  keeps,
  manyBytes,
  plainProfile,
  plainText,
  reads,
  versions,
  write,
} from './state/profile.ts';
import { loadouts, voiceOver, voiceOverSettings } from './state/saved.ts';
import { expectStaleRefused } from './state/stale-version.ts';

const { fullProfile, setBinaryState } = players;
const clauses = effects.state;

const [challenges] = namedStates;

const inState = ({ read, stateName }: NamedState, value: string): View => ({
  operation: read,
  value,
  what: `what was written as ${stateName}`,
});

type Writer = StepContext<'player' | 'other'>;

const wasKept = (context: Writer, kept: Step<Kept>): boolean => context.resultIfPassed(kept)?.isOwn ?? false;

/** Writes a state. Where a refusal names the stored version, sends the body again with that or the next one. */
async function writeOver(
  context: Writer,
  carry: { readonly stateName: string; readonly value: string },
  mayRefuse: string,
): Promise<void> {
  const ask = context.likeliestAsk('player', players.setState, { carry });
  try {
    await context.mustSucceed('player', players.setState, { ...ask, mayRefuse });
  } catch (thrown) {
    if (!(thrown instanceof Stop)) throw thrown;
    const refusal = await context.send('player', players.setState, ask);
    const body: unknown = typeof ask.body === 'string' ? parsedJson(ask.body) : undefined;
    for (const members of isObject(body) ? atVersion(refusal, body as Record<string, Json>) : []) {
      const again = { ...ask, body: JSON.stringify(members) };
      if (isSuccess(await context.send('player', players.setState, again))) return;
    }
    throw thrown;
  }
}

/** Writes another value, and reads it back. */
async function writtenAgain(context: Writer, mayRefuse: string): Promise<Exchange> {
  const value = context.unique('assaystate');
  await writeOver(context, { stateName: challenges.stateName, value }, mayRefuse);
  return context.sees('player', inState(challenges, value));
}

/** The states that hold JSON, each written and read by its player, and not by another. */
function named(flow: Flow): void {
  const { step, observe } = flow.scenario('player', 'other');

  const written: Step<Kept>[] = [];
  for (const state of namedStates) {
    const { key, stateName, read } = state;
    const earlier = [...written];
    const kept = step(
      `${key}-written`,
      [players.setState, read],
      clauses.kept,
      `a value that is written as ${stateName} is read back there`,
      async (context) => {
        const value = context.unique('assaystate');
        const shownIn = (shown: string) => inState(state, shown);
        const ask = context.likeliestAsk('player', players.setState, { carry: { stateName, value } });
        // This body was read back under another state name, so nothing in it is a guess.
        const isRead = String(ask.body).includes(stateName) && earlier.some((kept) => wasKept(context, kept));
        if (!isRead || !isGuessed(context.forms(players.setState)))
          return context.sets('player', players.setState, { carry: { stateName }, value, shownIn });
        await writeOver(context, { stateName, value }, `the state ${stateName}`);
        // Twice: a value that shows once may be gone afterwards.
        await context.sees('player', shownIn(value));
        await context.sees('player', shownIn(value));
        return { value, isOwn: true };
      },
    );

    step(
      key,
      [read],
      clauseById('resources.named-states'),
      `${stateName} is a state that its player can read`,
      async (context) => {
        await context.mustSucceed('player', read, {
          mayRefuse: `${stateName}, which may not have been written,`,
        });
      },
    );

    step(
      `${key}-other-player`,
      [read, players.setState],
      ofOthers(clauses.apart, 'mixed up'),
      `another player does not read the ${stateName} of the first one`,
      async (context) => {
        await context.seesNot('other', {
          ...inState(state, ownValue(players.setState, context.resultOf(kept))),
          anywhere: true,
        });
      },
    );
    written.push(kept);
  }

  step(
    'names-apart',
    [players.setState, ...namedStates.map(({ read }) => read)],
    clauses.apart,
    'each state is read under its own name only',
    async (context) => {
      const values = written.map((kept) => ownValue(players.setState, context.resultOf(kept)));
      for (const [at, { read, stateName }] of namedStates.entries()) {
        const view = await context.send('player', read);
        const strange = namedStates.find(
          (_, other) => other !== at && context.mentions(view, values[other] ?? ''),
        );
        context.expect(
          strange === undefined,
          `${read.id} shows what was written as ${stateName} alone`,
          `it also shows what was written as ${strange?.stateName}`,
          view,
        );
      }
    },
  );

  const again = step(
    'written-again',
    [players.setState, players.challengeUIData],
    clauses.latest,
    'a second write is read back',
    async (context) => {
      const [first = ''] = written.map((kept) => ownValue(players.setState, context.resultOf(kept)));
      return { first, shown: await writtenAgain(context, 'a second write') };
    },
  );

  again.step(
    'other-tag',
    [players.challengeUIData, players.setState],
    clauseById('rfc9110.strong-etag'),
    'what was written once more has another strong ETag than before',
    async (context, { shown }) => {
      const tag = shown.response && strongEtagOf(shown.response);
      if (tag === undefined)
        return context.notTriggered(`${players.challengeUIData.id} sends no strong ETag`);
      const later = await writtenAgain(context, 'a third write');
      const isOther = later.response === undefined || strongEtagOf(later.response) !== tag;
      context.expect(isOther, 'another ETag for what was written since', `${tag} for both`, later);
    },
  );

  again.step(
    'tag-of-earlier-write',
    [players.challengeUIData, players.setState],
    clauses.latest,
    'a read with the ETag of an earlier write is not answered 304',
    async (context) => {
      const shown = await writtenAgain(context, 'a write before a conditional read');
      const tag = shown.response && etagOf(shown.response);
      if (tag === undefined) return context.notTriggered(`${players.challengeUIData.id} sends no ETag`);
      await writtenAgain(context, 'a write before a conditional read');
      const answer = requireAnswer(
        await context.send('player', players.challengeUIData, { headers: [['if-none-match', tag]] }),
      );
      const status = statusOf(answer);
      context.expect(status !== 304, 'what was written since', `304 for the earlier ETag ${tag}`, answer);
    },
  );

  const values = [
    [
      'long-value',
      clauses.whole,
      'a long value that is read back is whole',
      'a long value',
      (word: string) => `${word}${'-long'.repeat(longTimes)}`,
    ],
    [
      'scripts',
      clauses.letters,
      'letters of other scripts in a value are read back as they were written',
      'a value with letters of other scripts',
      (word: string) => `${word} ${otherLetters}`,
    ],
  ] as const;
  for (const [name, clause, title, what, written] of values)
    again.step(name, [players.setState, players.challengeUIData], clause, title, async (context) => {
      const { stateName, read } = challenges;
      const word = context.unique('assaystate');
      const value = written(word);
      await writeOver(context, { stateName, value }, what);
      const holds = (answer: Exchange, part: string) =>
        isSuccess(answer) && answer.response !== undefined && unescaped(text(answer.response)).includes(part);
      const { last } = await pollAnswered(
        () => context.send('player', read),
        (answer) => holds(answer, value),
      );
      // A target may keep no such value, and say so in words of its own.
      if (!holds(last, word)) context.cannotTell('needs-state', `${read.id} shows nothing of ${what}`);
      const expected = `all ${value.length} characters that were written: ${cut(value, 60)}`;
      context.expect(holds(last, value), expected, 'its beginning, and not all of the rest', last);
    });

  again.observe(
    'first-value',
    [players.setState, players.challengeUIData],
    'what happens to a value when another is written',
    async (context, { first }) => {
      const gone = await context.eventually('player', inState(challenges, first), 'gone');
      context.observe(gone ? 'the later value takes its place' : 'it stands beside the later one');
    },
  );

  again.step(
    'stale-version',
    [players.setState, players.challengeUIData],
    clauses.newer,
    'a write at an older version does not replace what is stored',
    expectStaleRefused,
  );

  observe(
    'own-name',
    [players.setState],
    'how the server answers when a player writes a state under an undocumented name',
    async (context) => {
      const carry = { stateName: 'AssayNotes', value: context.unique('assaystate') };
      await context.observeLikeliest('player', players.setState, { carry });
    },
  );
}

/** About 5,000 characters: more than a short column or a small buffer holds. */
const longTimes = 1_000;
/** Letters of two, three and four bytes in UTF-8. */
const otherLetters = 'Größe Привет 日本 🎲';

/** Decodes letters that JSON writes as `\\u00e9`; JSON inside a JSON text has more backslashes. */
const unescaped = (json: string) =>
  json.replace(/(?<!\\)\\{1,8}u([\da-f]{4})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );

const mebibyte = 1024 * 1024;

/** The binary profile, byte for byte, in every size, and never another player's. */
function bytes(flow: Flow): void {
  const { step } = flow.scenario('player', 'other');

  const written = step(
    'profile-written',
    [setBinaryState, fullProfile],
    clauses.kept,
    'the profile reads back byte for byte as it was written',
    async (context) => {
      await keepProfile(context, 'player');
      const plain = plainProfile(context);
      const found = await keeps(context, 'player', { bytes: plain, version: 1, what: plainText });
      if (found === 'base64') context.note('read as base64');
      return { plain, found };
    },
  );

  step(
    'full-profile',
    [fullProfile],
    clauseById('resources.named-states'),
    'FullProfile is a state that its player can read',
    (context) =>
      context.mustSucceed('player', fullProfile, {
        mayRefuse: 'FullProfile, which may not have been written,',
      }),
  );

  written.step(
    'profile-other-player',
    [fullProfile, setBinaryState],
    ofOthers(clauses.apart, 'mixed up'),
    'another player does not read the profile of the first one',
    async (context, { plain }) => {
      const view = requireAnswer(await context.send('other', fullProfile));
      context.expect(
        findBytes(view, plain) === undefined,
        `${fullProfile.id} shows nobody else's profile`,
        'what the first player wrote',
        view,
      );
    },
  );

  written.step(
    'profile-each-own',
    [setBinaryState, fullProfile],
    clauses.apart,
    "a profile that another player writes does not change the first one's",
    async (context, { plain }) => {
      await keepProfile(context, 'other');
      await keeps(context, 'other', { bytes: plainProfile(context), version: 1, what: plainText });
      await reads(context, 'player', plain);
    },
  );

  written.step(
    'profile-all-values',
    [setBinaryState, fullProfile],
    clauseById('resources.binary-profile'),
    'a profile of all byte values reads back unchanged, not decoded as text',
    async (context) => {
      const every = allValues(context.unique('assayprofile'));
      await keeps(context, 'player', { bytes: every, version: 2, what: 'a profile of all byte values' });
    },
  );

  const large = written.step(
    'profile-large',
    [setBinaryState, fullProfile],
    clauses.kept,
    'a profile of 1 MiB reads back byte for byte',
    async (context) => {
      const many = manyBytes(mebibyte, context.unique('assayprofile'));
      await keeps(context, 'player', { bytes: many, version: 3, what: 'a profile of 1 MiB' });
    },
  );

  large.step(
    'profile-shorter',
    [setBinaryState, fullProfile],
    clauses.latest,
    'a short profile replaces a long one completely',
    async (context) => {
      const few = Buffer.from(context.unique('assayprofile'));
      await keeps(context, 'player', { bytes: few, version: 4, what: 'a short profile' });
    },
  );

  written.step(
    'profile-empty',
    [setBinaryState, fullProfile],
    clauses.latest,
    'an empty profile replaces one that is not empty',
    async (context) => {
      const last = Buffer.from(context.unique('assayprofile'));
      await keeps(context, 'player', { bytes: last, version: 5, what: 'a short profile' });
      await write(context, 'player', { bytes: new Uint8Array(), version: 6, what: 'an empty profile' });
      const polled = await poll(
        () => context.send('player', fullProfile),
        (exchange) => statusOf(exchange) !== 0 && findBytes(exchange, last) === undefined,
      );
      requireAnswer(polled.last);
      context.expect(
        polled.holds,
        `${fullProfile.id} no longer shows the ${last.length} bytes before the empty profile`,
        `${statusOf(polled.last)} with them`,
        polled.last,
      );
    },
  );
}

export default flowSuite('state', [
  named,
  bytes,
  names,
  versions,
  voiceOver,
  voiceOverSettings,
  loadouts,
  ownedLoadouts,
]);
