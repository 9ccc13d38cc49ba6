import { expect, test } from 'vitest';
import { catalog } from '../../catalog/catalog.ts';
import { pathInWords } from '../../catalog/words.ts';
import { type Behaviour, standIn, twoMachines } from '../../fixtures/kit/sign-in-server.ts';
import { type Profile, silentProfile } from '../target/profile.ts';
import { putter } from './ask-target.ts';
import { doubtLine, doubtWords } from './doubtful-words.ts';

const alive = '/api/v1/healthcheck';
/** Serves the calls that hold this word for the game, and a plain health check; 404 to all else. */
const serving = (word: string, but = ''): Behaviour => {
  const paths = new Set(
    catalog.map((operation) => pathInWords(operation, { words: { game: word }, wordsAt: {} })),
  );
  return ({ path }) =>
    path === alive || (path.startsWith(`/api/v1/${word}-`) && paths.has(path) && path !== but)
      ? { body: { path, name: word } }
      : { status: 404, body: { error: 'no such path' } };
};
const notFound: Behaviour = () => ({ status: 404, body: { error: 'no such path' } });

/** Says 503 where it has nothing, as a balancer without a backend does. */
const busy =
  (behaviour: Behaviour): Behaviour =>
  (call) => {
    const answer = behaviour(call);
    return answer?.status === 404 ? { status: 503, body: 'no backend' } : answer;
  };

async function lines(behaviour: Behaviour, profile: Partial<Profile>) {
  const { target: plain, client, calls: sent } = await standIn(behaviour);
  const target = { ...plain, profile: { ...silentProfile, ...profile } };
  const found = await doubtWords(putter(client, target, undefined), target, undefined);
  expect(new Set(sent.map(({ method }) => method)).difference(new Set(['GET'])).size).toBe(0);
  return found.map(doubtLine);
}

test("a word that is not there is reported, with the document's own where that is", async () => {
  expect(await lines(serving('game'), { words: { game: 'nope' } })).toEqual([
    'words: "nope" for "game" in words of the profile is answered 404 just as a wrong word is, while other calls are served: the document\'s own "game" is answered 200 (game.challenges): leave it out',
  ]);
});

test('what the target has instead is named where it can be found', async () => {
  const [line] = await lines(serving('rally'), { words: { game: 'nope' } });
  expect(line).toContain('"rally" is answered 200 (game.challenges): say that instead');
});

test("the document's own word is reported as any other where the target has another instead", async () => {
  const [line] = await lines(serving('rally'), { words: { game: 'game' } });
  expect(line).toContain('"game" for "game" in words of the profile is answered 404 just as a wrong word is');
  expect(line).toContain('"rally" is answered 200 (game.challenges): say that instead');
});

test('an entry for one operation alone is named with it', async () => {
  const at = { 'game.challenges': { game: 'nope' } };
  const [line] = await lines(serving('game'), { wordsAt: at });
  expect(line).toContain('"nope" for "game" in wordsAt of game.challenges of the profile');
});

test('a word is not there because another of two machines answers', async () => {
  const otherwise = twoMachines('/api/v1/nope-challenges', /-challenges$/);
  const at = { 'game.challenges': { game: 'nope' } };
  const [line] = await lines((call) => (call.path === alive ? { body: 'fine' } : otherwise(call)), {
    wordsAt: at,
  });
  expect(line).toContain('"nope" for "game" in wordsAt of game.challenges of the profile');
});

test.each([
  ['that is there', serving('rally'), { words: { game: 'rally' } }],
  ['in a target that serves nothing', notFound, { words: { game: 'nope' } }],
  [
    'that one of two reads is served by',
    serving('rally', '/api/v1/rally-challenges'),
    { words: { game: 'rally' } },
  ],
  ['where a wrong word is answered 503', busy(serving('rally')), { words: { game: 'rally' } }],
  ["that is the document's own and there", serving('game'), { words: { game: 'game' } }],
])('nothing is said against a word %s', async (_, behaviour, profile) => {
  expect(await lines(behaviour, profile)).toEqual([]);
});
