import { expect, test } from 'vitest';
import { type Discovery, whyNoSession } from '../players/sign-in-discovery.ts';
import { unroutedBelow } from '../probe/served/routed-table.ts';
import { silentProfile } from '../target/profile.ts';
import { wallPhrase } from '../target/session-transport.ts';
import { readTarget, type Target } from '../target/target.ts';
import { reasonIn, reasons } from './reason-codes.ts';
import type { Result, RunResult } from './result.ts';

const options = { strict: false, readOnly: false, minJudged: 80, only: [], rerun: false };
const whole = { options, ended: 'complete', target: { embedded: false, base: 'http://a.test' } } as const;
const found = (details: readonly string[], over: Partial<Result> = {}) =>
  details.map((detail) => ({ id: 'store/redeem', host: 'base', detail, ...over }) as Result);
const remedy = (
  reason: string,
  run: Partial<Pick<RunResult, 'options' | 'ended'>>,
  ...rest: Parameters<typeof found>
) => reasonIn({ ...whole, ...run }, reason, found(...rest)).remedy;

test('no advice asks for what a whole run has done', () => {
  for (const [reason, { remedy }] of Object.entries(reasons)) {
    expect(remedy).not.toContain('whole suite');
    expect(reasonIn(whole, reason, found(['x'])).remedy).not.toBe('');
  }
});

test('what a state would take is known: that --read-only left it out, or nothing', () => {
  expect(remedy('needs-state', { options: { ...options, readOnly: true } }, ['x'])).toContain(
    'run without --read-only',
  );
  expect(remedy('needs-state', {}, ['x'])).toMatch(/^leave it as it is; .* list its status in the profile/);
});

test('below a prefix at which all is answered alike, the advice names the prefix', () => {
  const detail = `${unroutedBelow} 500 just like this`;
  const of = (...ids: string[]) =>
    found(ids.map(() => detail)).map((each, at) => ({ ...each, operation: ids[at] }) as Result);
  const advice = (results: readonly Result[]) => reasonIn(whole, 'catch-all', results).remedy;
  expect(advice(of('party.create', 'party.get', 'party.update'))).toBe(
    'make unrouted paths below /api/v1/party answer 404, as elsewhere on this host',
  );
  expect(advice(of('players.block'))).toContain('below /api/v1/players/me answer');
  expect(advice(of('players.block', 'party.create'))).toContain(
    'below /api/v1/players/me, /api/v1/party answer',
  );
  const everywhere = {
    ...of('party.get')[0],
    detail: 'unrouted paths are answered 200 just like this',
  } as Result;
  expect(advice([...of('party.create'), everywhere])).toBe(reasons['catch-all'].remedy);
});

test('of unknown resources, only those are asked for that a user can name', () => {
  const advice = (...operations: string[]) =>
    remedy('unknown-resource', {}, ['x'], { operation: operations });
  expect(advice('clientData.news', 'general.redeem')).toBe(
    'name in the profile (parameters) what exists: newsUrl, redeemableCode; or leave the operation out there (omit)',
  );
  for (const own of ['party.acceptInvite', 'party.get', 'playerName.search'])
    expect(advice(own)).toMatch(
      /^leave the operation out .*; the run makes its own, so there is nothing to name$/,
    );
  expect(advice('clientData.versionedNews', 'party.get')).toBe(
    'name in the profile (parameters) what exists: versionPattern; of all else the run makes its own: leave out there what is not meant to be served (omit)',
  );
});

test.each([
  ['bail', 'run without --bail'],
  ['worker-died', 'report it'],
  ['interrupted', 'run again'],
] as const)('a run that ended by %s: %s', (ended, expected) => {
  expect(remedy('interrupted', { ended }, ['x'])).toContain(expected);
});

test('a call that is refused by itself has a reason of its own, which its answer says', () => {
  expect(remedy('auth-wall', {}, ['a page that the journal names is answered 403'])).toMatch(
    /^its answer in result\.json says why: /,
  );
});

test('a token opens no client data', () => {
  expect(remedy('auth-wall', {}, ['x'], { host: 'cdn' })).toMatch(/^let files be fetched without a sign-in/);
  expect(remedy('auth-wall', {}, ['x'])).toBe('set LOGIN_TOKEN to a token that is let in');
});

const at = (gamelogs: string) => readTarget({ GAMELOGS_URL: gamelogs }, { cwd: '/' });
const wall = { operation: 'logs.logsBatch', status: 401 };

test.each<[string, Target, RegExp]>([
  [
    'refuses the session too',
    { ...at('https://logs.test'), sessions: { gamelogs: { kind: 'refused', ...wall } } },
    /^let the logging API take calls without a sign-in or with the session/,
  ],
  [
    'is reached by plain http',
    { ...at('http://logs.test'), sessions: { gamelogs: { kind: 'plain-http', ...wall } } },
    /^set GAMELOGS_URL to an https URL, or run Assay on the machine of the logging API/,
  ],
  [
    'is not sent it, by the word of the profile',
    { ...at('https://logs.test'), sessions: { gamelogs: { kind: 'withheld', ...wall } } },
    /^say in the profile that the session is sent there \(\{"session": \{"hosts": \{"gamelogs": true\}\}\}\)/,
  ],
  [
    'is sent it, by the word of the profile',
    { ...at('https://logs.test'), profile: { ...silentProfile, session: { hosts: { gamelogs: true } } } },
    /^set LOGIN_TOKEN to a token that is let in there, or put what the logging API wants besides/,
  ],
  ['refuses a single call', at('https://logs.test'), /^where the logging API wants the session, say so/],
])('a logging API that %s: what helps there', (_, target, expected) => {
  const detail = `answered 401; ${wallPhrase(target, 'gamelogs', undefined)}`;
  expect(remedy('auth-wall', {}, [detail], { host: 'gamelogs' })).toMatch(expected);
});

test('of walls on several hosts, each is reported with what helps there', () => {
  const both = [...found(['x']), ...found(['x'], { host: 'cdn' })];
  expect(reasonIn(whole, 'auth-wall', both).remedy).toMatch(
    /^base: set LOGIN_TOKEN to a token that is let in; cdn: let files be fetched/,
  );
});

test.each<[Discovery | undefined, RegExp]>([
  [
    { kind: 'refused', status: 401, from: 'LOGIN_TOKEN' } as Discovery,
    /^set LOGIN_TOKEN to a token the target accepts$/,
  ],
  [{ kind: 'refused', status: 429, from: 'LOGIN_TOKEN' } as Discovery, /lower --rate/],
  [{ kind: 'unrouted' } as Discovery, /^serve the login/],
  [{ kind: 'unreachable', error: 'timeout', message: 'x' }, /why the login does not answer$/],
  [{ kind: 'no-credential', status: 200, missingWhereStated: true } as Discovery, /^correct in the profile/],
  [{ kind: 'no-credential', status: 200 } as Discovery, /^say in the profile/],
  [
    { kind: 'no-difference', transport: { kind: 'bearer', source: '/token' } } as Discovery,
    /^correct in the profile/,
  ],
  [
    { kind: 'any-credential', evidence: { operation: 'me.location' } } as Discovery,
    /^refuse a wrong credential/,
  ],
  [undefined, /^set BASE_URL/],
])('without a session a token is asked for only where one helps: %j', (discovery, expected) => {
  expect(remedy('no-session', {}, [`needs one, and ${whyNoSession(discovery)}`])).toMatch(expected);
});

test('players that there was no time for need no tokens', () => {
  expect(remedy('needs-players', { ended: 'budget' }, ['x'])).toMatch(/^raise --budget/);
  expect(remedy('needs-players', {}, ['x'])).toMatch(/^give more tokens/);
});

test.each([
  ['test JWTs', /^let the login make a player of each test JWT \(by its sub\): .*; or set LOGIN_TOKEN/],
  ['LOGIN_TOKEN', /^let LOGIN_TOKEN hold tokens of different players/],
  ['LOGIN_TOKEN_COMMAND', /^let LOGIN_TOKEN_COMMAND print tokens of different players/],
])('where all are one player more tokens are no help: %s', (from, expected) => {
  const why = `2 different players are needed and there is one: the target takes player 2 for player 1, since its login answers both with one player id (${from})`;
  expect(remedy('needs-players', {}, ['one player alone cannot show it', why])).toMatch(expected);
});

test('the host that was left out is named', () => {
  expect(remedy('host-not-given', {}, ['x'], { host: 'gamelogs' })).toBe('set GAMELOGS_URL');
});

test('what came before is reported by its own reason, the first in the line of steps and the most frequent first', () => {
  expect(
    remedy('prerequisite-failed', {}, [
      'page: needs-body, archives.readPage is answered 400',
      'remove: prerequisite-failed, two friends: not-served, players.addFriend is not served: it is answered 404, just as',
      'two friends: not-served, players.addFriend is not served',
    ]),
  ).toBe('do first what is advised for not-served and needs-body, where an earlier step stopped');
  const four = ['not-served', 'needs-body', 'timeout', 'reset'].map((reason) => `a: ${reason}, x`);
  expect(remedy('prerequisite-failed', {}, four)).toContain(
    'advised for not-served, needs-body, timeout and others, where',
  );
});

test('each advice begins with what to do', () => {
  const first = Object.values(reasons).map(({ remedy }) => remedy.split(' ', 1)[0] ?? '');
  expect([...new Set(first)].sort()).toEqual(
    'answer check find give leave let look make mend name nothing point raise run serve set use'.split(' '),
  );
  const idle = Object.entries(reasons).filter(([, { remedy }]) => remedy.startsWith('nothing'));
  expect(idle.map(([, { remedy }]) => remedy)).toEqual(['nothing to do', 'nothing to do']);
});

test('a step that failed is to be mended, and a plain call that did', () => {
  expect(remedy('prerequisite-failed', {}, ['make: expected 2xx, got 500'])).toBe(
    'mend the step before it first',
  );
  expect(
    remedy('prerequisite-failed', {}, ['its plain call is answered 404'], { id: 'a.b#shape' }),
  ).toContain('#answers');
});

test('a reason of another version is said to be one', () => {
  for (const reason of ['of-tomorrow', 'constructor'])
    expect(reasonIn(whole, reason, []).means).toBe('this version of Assay does not know the reason');
});

test('what a check of the main API misses may be another host', () => {
  const [check] = found(['no URL'], { operation: ['general.contentVersion', 'clientData.catalog'] });
  expect(reasonIn(whole, 'host-not-given', [check as Result]).remedy).toBe('set CDN_URL');
});
