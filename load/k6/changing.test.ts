// What journeys do to a server that lets nobody be in two things, or leave what they are not in.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { parametersOf } from '../../catalog/operation.ts';
import { seededRandom } from '../../engine/values/random.ts';
import { samplePlan } from '../../fixtures/kit/sample-step.ts';
import { crowd, type Journey, match, party, queue } from '../journeys/journeys.ts';
import { readLine } from '../run/script-output.ts';
import { changing } from './changing.ts';
import { createEffectRecorder } from './effects.ts';
import type { Jar, Response } from './http.ts';
import type { Actors, Call, GroupInside, Plan } from './plan.ts';
import type { Prepared } from './send-call.ts';

type Answer = { readonly status: number; readonly body?: unknown };
interface Asked {
  readonly id: string;
  readonly who: string;
  readonly answer: Answer;
}

/** A target of which nothing is lost: every player waits, plays and is in a party, or is not. */
class Strict {
  readonly waiting = new Set<string>();
  readonly matches = new Map<string, string>();
  readonly parties = new Map<string, string>();
  readonly invited = new Set<string>();
  #made = 0;

  /** Players who are in something. */
  inside = () => [...this.waiting, ...this.matches.keys(), ...this.parties.keys()];

  answer(id: string, who: string, { given = '', other = '' }): Answer {
    const { match, party, queue } = areas;
    this.#made += 1;
    const name = `${this.#made}`;
    switch (id) {
      case queue.enter.id:
        return this.#enter(who, name);
      case queue.cancel.id:
        return { status: this.waiting.delete(who) ? 200 : 404 };
      case match.create.id:
        if (this.matches.has(who)) return { status: 409 };
        this.matches.set(who, name);
        return { status: 201, body: { matchId: name } };
      case match.quit.id:
        return { status: this.matches.get(who) === given && this.matches.delete(who) ? 200 : 404 };
      case party.create.id:
        if (this.parties.has(who)) return { status: 409 };
        this.parties.set(who, name);
        return { status: 201, body: { partyId: name } };
      case party.invite.id:
        this.invited.add(`${other} ${given}`);
        return { status: this.parties.get(who) === given ? 200 : 403 };
      case party.acceptInvite.id:
        if (this.parties.has(who)) return { status: 409 };
        if (!this.invited.delete(`${who} ${given}`)) return { status: 404 };
        this.parties.set(who, given);
        return { status: 200 };
      case party.leave.id:
        return { status: this.parties.delete(who) ? 200 : 404 };
      default:
        return { status: 200, body: { queueToken: name } };
    }
  }

  #enter(who: string, name: string): Answer {
    const found = this.matches.get(who);
    if (found !== undefined) return { status: 200, body: { state: 'matched', match: { id: found } } };
    const [opponent] = [...this.waiting].filter((each) => each !== who);
    if (opponent === undefined) {
      this.waiting.add(who);
      return { status: 200, body: { state: 'waiting', matchId: null } };
    }
    this.waiting.delete(opponent);
    this.waiting.delete(who);
    for (const each of [opponent, who]) this.matches.set(each, name);
    return { status: 200, body: { state: 'matched', match: { id: name } } };
  }
}

const strict = new Strict();
let asked: Asked[] = [];
let lines: string[] = [];
let wrong: string[] = [];
/** What becomes of a call in place of what the target does; it may do that as well. */
type Meddling = Answer | undefined;
let meddle: (id: string, who: string, answer: () => Answer) => Meddling | Promise<Meddling> = () => undefined;

beforeEach(() => {
  for (const each of [strict.waiting, strict.matches, strict.parties, strict.invited]) each.clear();
  [asked, lines, wrong] = [[], [], []];
  meddle = () => undefined;
  vi.useFakeTimers({ now: 1_000_000 });
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const groupsOf = (many: number, size: number): Actors[] =>
  Array.from({ length: many }, (_, actors) =>
    Array.from({ length: size }, (__, nth) => {
      const id = `p${actors}-${nth}`;
      return { headers: { authorization: id }, query: '', values: { 'player.id': id } };
    }),
  );

function prepared({ stops, actors }: Journey): Prepared[] {
  return stops.map((stop): Prepared => {
    const { operation, as = 0, gives = {}, mayGive } = stop;
    const call: Call = {
      operation,
      signed: operation.host === 'base',
      as,
      other: stop.other ?? (as + 1) % actors,
      about: as,
      params: {},
      headers: {},
      accepts: [],
      begins: '',
      validators: false,
      hands: Object.keys(gives).length > 0 || !!mayGive,
      from: parametersOf(operation),
      body: { kind: 'pieces', pieces: [{ value: 'other.id', bare: true }] },
      gives: Object.fromEntries(Object.entries(gives).map(([name, [first = '']]) => [name, `/${first}`])),
      ...(mayGive && { mayGive }),
      ...(stop.enters && { enters: true }),
      ...(stop.each && stop.enters && { atOnce: true }),
      ...(stop.leaves && { leaves: true }),
      ...(stop.when && { when: stop.when }),
      ...(stop.unless && { unless: stop.unless }),
    };
    return {
      call,
      id: operation.id,
      url: undefined,
      port: undefined,
      text: undefined,
      cached: {},
      headersBy: new WeakMap(),
      params: { headers: {}, timeout: 0 },
      send: async (url, body, { headers }) => {
        const who = headers.authorization ?? '';
        const given = /\/(\d+)(\/|$|\?)/.exec(url.replace('/v1', ''))?.[1] ?? '';
        const real = () => strict.answer(operation.id, who, { given, other: body ?? '' });
        const answer = (await meddle(operation.id, who, real)) ?? real();
        asked.push({ id: operation.id, who, answer });
        return { status: answer.status, body: JSON.stringify(answer.body ?? {}), headers: {} } as Response;
      },
    };
  });
}

const notes = { count: () => {}, time: () => {}, record: () => {} };

/** Groups of which nobody knows what they may be in. */
const unknown = (...places: number[]): GroupInside[] => places.map((place) => ({ place, states: [] }));

/** Who left what they could not leave, or came out of it, in turn. */
const turns = () => lines.map((line) => line.split(' ').slice(1, 3).join(' '));

/** A process with its groups. */
function processOf(
  journeys: readonly Journey[],
  groups: readonly Actors[],
  given: Partial<Plan> = {},
  segment = 0,
) {
  const { plan } = samplePlan({ exclusive: true, ownActors: true, ...given });
  const all = journeys.map(prepared);
  const seen = {
    right: () => {},
    wrong: (id: string, kind: string) => void wrong.push(`${id} ${kind}`),
    notes,
  };
  const changes = changing({ plan, groups, journeys: all, segment });
  let nth = 0;
  const turn = () => ({
    nth: nth++,
    batch: () => '',
    cold: true,
    leavesAt: given.leavesMs ?? Infinity,
    staysAt: Infinity,
    seen,
    actors: [],
    place: 0,
    isStuck: false,
    jars: [],
    newJar: () => ({}) as Jar,
    batchPlace: () => 0,
    recorder: createEffectRecorder(),
    clock: () => 0,
    pause: async () => {},
  });
  return {
    play: (which = 0) => changes.play(all[which] ?? [], turn()),
    leave: () => changes.leaveOnly(turn()),
  };
}

const calls = (who?: string) =>
  asked.filter((each) => who === undefined || each.who === who).map(({ id }) => id);

test('two who are matched quit the match, and none of their answers is wrong', async () => {
  const journeys = processOf([queue], groupsOf(2, 1));
  let hasCome = false;
  meddle = async (id) => {
    if (id !== 'queue.enter' || hasCome || !strict.waiting.has('p0-0')) return undefined;
    hasCome = true;
    await journeys.play();
    return undefined;
  };
  expect(await journeys.play()).toBe('whole');
  expect([calls('p0-0').at(-1), calls('p1-0').at(-1)]).toEqual(['match.quit', 'match.quit']);
  expect([wrong, strict.inside()]).toEqual([[], []]);
});

test('who is matched just before cancelling is refused with reason, and quits the match', async () => {
  const journeys = processOf([queue], groupsOf(2, 1));
  let hasCome = false;
  meddle = async (id, who) => {
    if (id !== 'queue.cancel' || hasCome || who !== 'p0-0') return undefined;
    hasCome = true;
    await journeys.play();
    return undefined;
  };
  await journeys.play();
  expect(calls('p0-0').slice(-3)).toEqual(['queue.cancel', 'queue.enter', 'match.quit']);
  expect([wrong, strict.inside()]).toEqual([[], []]);
});

test('who is refused to cancel and still waits was answered wrongly', async () => {
  const journeys = processOf([queue], groupsOf(1, 1));
  let times = 0;
  meddle = (id) => (id === 'queue.cancel' && times++ === 0 ? { status: 404 } : undefined);
  expect(await journeys.play()).toBe('early');
  expect(wrong).toEqual(['queue.cancel status 404']);
  expect(strict.inside()).toEqual([]);
  expect(await journeys.play()).toBe('whole');
});

test('a journey that ends early leaves what it entered, and nothing else', async () => {
  const journeys = processOf([party], groupsOf(1, 3));
  let invites = 0;
  meddle = (id) => (id === 'party.invite' && invites++ === 1 ? { status: 500 } : undefined);
  expect(await journeys.play()).toBe('early');
  expect(asked.slice(-2).map(({ id, who }) => `${who} ${id}`)).toEqual([
    'p0-1 party.leave',
    'p0-0 party.leave',
  ]);
  expect([wrong, strict.inside()]).toEqual([['party.invite status 500'], []]);
  meddle = (id) => (id === 'party.create' ? { status: 429 } : undefined);
  asked = [];
  await journeys.play();
  expect(calls()).toEqual(['party.create']);
});

test('friends come in at once: who is refused stays out, leaves nothing, and is no error', async () => {
  const journeys = processOf([crowd], groupsOf(1, 2));
  let accepted = 0;
  meddle = (id) => (id === 'party.acceptInvite' && accepted++ === 1 ? { status: 409 } : undefined);
  expect([await journeys.play(), await journeys.play()]).toEqual(['whole', 'whole']);
  const leaving = asked.filter(({ id }) => id === 'party.leave').map(({ who }) => who);
  expect([wrong, strict.inside(), leaving]).toEqual([[], [], ['p0-1', 'p0-0', 'p0-0']]);
  meddle = (id) => (id === 'party.acceptInvite' ? { status: 500 } : undefined);
  expect(await journeys.play()).toBe('early');
  expect(wrong).toEqual(['party.acceptInvite status 500']);
});

test('what could not be left is left before the next journey, which does not begin before that', async () => {
  const journeys = processOf([party], groupsOf(1, 3));
  meddle = (id) => (id === 'party.leave' ? { status: 503 } : undefined);
  expect(await journeys.play()).toBe('early');
  expect(turns()).toEqual(['left 0']);
  asked = [];
  expect(await journeys.play()).toBe('early');
  expect(new Set(calls())).toEqual(new Set(['party.leave']));
  meddle = () => undefined;
  wrong = [];
  expect(await journeys.play()).toBe('whole');
  expect([wrong, strict.inside(), turns()]).toEqual([[], [], ['left 0', 'out 0']]);
});

test('who was not answered may have entered later: they leave again before they play', async () => {
  const journeys = processOf([queue], groupsOf(1, 1));
  meddle = (id) => (id === 'queue.enter' ? { status: 0 } : undefined);
  await journeys.play();
  meddle = () => undefined;
  strict.waiting.add('p0-0');
  [asked, wrong] = [[], []];
  expect(await journeys.play()).toBe('whole');
  expect(calls()[0]).toBe('queue.cancel');
  expect(wrong).toEqual([]);
});

test('a journey that goes on beyond its time calls nothing more but what leaves', async () => {
  const journeys = processOf([party], groupsOf(1, 3), { leavesMs: 1_000_500 });
  meddle = (id) => {
    if (id === 'party.acceptInvite') vi.advanceTimersByTime(500);
    return undefined;
  };
  expect(await journeys.play()).toBe('early');
  expect(calls()).toEqual([
    'party.create',
    'party.invite',
    'party.acceptInvite',
    'party.leave',
    'party.leave',
  ]);
  expect([wrong, strict.inside()]).toEqual([[], []]);
});

test('others take the place of people whose match nobody knows; without others their refusal is not wrong', async () => {
  const journeys = processOf([match], groupsOf(2, 1));
  const lost = (id: string, _: string, answer: () => Answer) =>
    id === 'match.create' && answer() ? { status: 0 } : undefined;
  meddle = lost;
  await journeys.play();
  meddle = () => undefined;
  wrong = [];
  expect(await journeys.play()).toBe('whole');
  asked = [];
  expect(await journeys.play()).toBe('whole');
  expect(calls('p1-0')).toEqual(['match.create', 'match.get', 'match.quit']);
  meddle = lost;
  await journeys.play();
  meddle = () => undefined;
  wrong = [];
  for (let nth = 0; nth < 3; nth += 1) expect(await journeys.play()).toBe('stuck');
  expect(wrong).toEqual([]);
  expect(new Set(turns())).toEqual(new Set(['left 0', 'left 1']));
});

test('groups that are in nothing play first; one that may be in something leaves it before it plays', async () => {
  const journeys = processOf([party], groupsOf(4, 3), { stillInside: unknown(0, 1) });
  strict.parties.set('p0-0', 'old').set('p0-2', 'old');
  for (let nth = 0; nth < 2; nth += 1) await journeys.play();
  expect(new Set(asked.map(({ who }) => who.slice(0, 2)))).toEqual(new Set(['p2', 'p3']));
  asked = [];
  expect(await journeys.play()).toBe('whole');
  expect(asked.slice(0, 3).map(({ id, answer }) => `${id} ${answer.status}`)).toEqual([
    'party.leave 404',
    'party.leave 200',
    'party.leave 200',
  ]);
  expect([wrong, strict.inside(), turns()]).toEqual([[], [], ['out 0']]);
});

test('two processes play people of their own, and nobody is played twice at once', async () => {
  const groups = groupsOf(4, 1);
  const both = [0, 1].map((segment) => processOf([match], groups, { segments: 2 }, segment));
  const playing = new Set<string>();
  let most = 0;
  meddle = async (id, who) => {
    if (id === 'match.create') {
      expect(playing.has(who)).toBe(false);
      playing.add(who);
    }
    most = Math.max(most, playing.size);
    await Promise.resolve();
    if (id === 'match.quit') playing.delete(who);
    return undefined;
  };
  const ended = await Promise.all([0, 1, 0, 1, 0].map((segment) => both[segment]?.play()));
  // The third of the first process finds nobody who is free.
  expect(ended).toEqual(['whole', 'whole', 'whole', 'whole', 'stuck']);
  expect(most).toBe(4);
});

test('after all steps everybody leaves what can be left, a match that was found too', async () => {
  const groups = groupsOf(2, 3);
  const journeys = processOf([queue, party], groups, { stillInside: unknown(1, 0) });
  strict.matches.set('p1-0', '7');
  strict.parties.set('p1-1', 'old');
  strict.waiting.add('p0-0');
  await journeys.leave();
  await journeys.leave();
  expect([strict.inside(), turns()]).toEqual([[], ['out 1', 'out 0']]);
});

test('who is known to be in one thing leaves that, whatever else the mix plays', async () => {
  const states = [{ visit: 0, inside: 1, sure: 1, given: { matchId: '7' } }];
  const journeys = processOf([queue, match], groupsOf(1, 1), { stillInside: [{ place: 0, states }] });
  strict.matches.set('p0-0', '7');
  await journeys.leave();
  expect([strict.inside(), calls(), turns()]).toEqual([[], ['match.quit'], ['out 0']]);
});

test('where journeys share people the next ones play each, and those left in something leave it in the first round', async () => {
  const journeys = processOf([party], groupsOf(2, 3), { ownActors: false, stillInside: unknown(1) });
  strict.parties.set('p1-1', 'old');
  for (let nth = 0; nth < 4; nth += 1) expect(await journeys.play()).toBe('whole');
  expect(asked.map(({ who }) => who).filter((who) => who.endsWith('-0')).length).toBe(4 * 5 + 1);
  expect([wrong, strict.inside()]).toEqual([[], []]);
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'whatever fails, no state of the players makes a wrong answer, and nobody is left in anything (%i)',
  async (seed) => {
    const random = seededRandom(seed);
    const groups = groupsOf(12, 3);
    const fails = [500, 503, 429, 0];
    const journeys = processOf([queue, party], groups);
    let depth = 0;
    let failing = 0.15;
    const play = async () => {
      if (depth > 3) return;
      depth += 1;
      await journeys.play(random() < 0.6 ? 0 : 1);
      depth -= 1;
    };
    meddle = async (_, __, answer) => {
      if (random() < 0.3) await play();
      if (random() > failing) return undefined;
      const status = fails[Math.floor(random() * fails.length)] ?? 500;
      // It may be done all the same, but not where it was refused.
      if (status !== 429 && random() < 0.5) answer();
      return { status };
    };
    for (let nth = 0; nth < 300; nth += 1) await play();
    expect(asked.length).toBeGreaterThan(1_000);
    expect(wrong.filter((each) => /status 40\d/.test(each))).toEqual([]);
    failing = 0;
    for (let nth = 0; nth < 300; nth += 1) await play();
    const still = new Map<number, GroupInside>();
    for (const line of lines) {
      const message = readLine(line.slice('assay '.length));
      if (message && 'left' in message) still.set(message.left.place, message.left);
      if (message && 'out' in message) still.delete(message.out);
    }
    const ending = processOf([queue, party], groups, { stillInside: [...still.values()] });
    for (const _ of still) await ending.leave();
    expect(strict.inside()).toEqual([]);
  },
);
