// Makes log records like those of a game client: of one session, in order of time, without personal data. Reads how
// many records an answer calls repeats.
import { answerLeaves, type Exchange, isSuccess } from '../http/exchange.ts';
import type { Json } from '../target/profile-validation.ts';
import { randomFrom } from '../values/random.ts';

export type LogKind = 'analytics' | 'log';
export type LogRecord = Readonly<Record<string, Json>>;

const events = [
  'session_started',
  'menu_opened',
  'store_viewed',
  'queue_entered',
  'match_started',
  'match_ended',
];
const maps = ['harbour', 'quarry', 'old mill', 'night market', 'marshes', 'monastery'];
const levels = [...Array<string>(8).fill('info'), 'warning', 'warning', 'error'];
const complaints = [
  ['network', 'an answer took longer than the tick'],
  ['network', 'a packet came twice'],
  ['rendering', 'the texture pool is full'],
  ['rendering', 'a frame was dropped'],
  ['audio', 'no free voice for an effect'],
  ['matchmaking', 'the estimate was off by a minute'],
  ['store', 'a price was shown without its currency'],
] as const;
const remedies = [
  'it was asked again',
  'it was left out',
  'the last one was kept',
  'the player saw a message',
];
const places = [
  'in the lobby',
  'while loading',
  'on the way to a match',
  'in the menu',
  'at the shop window',
];
const begun = Date.UTC(2026, 0, 1);
const longestPauseMs = 5_000;
/** After this many records their content repeats; times and sequence numbers do not. */
const differing = 64;

/**
 * `count` records of one client's session. The same seed gives the same records, and those of a longer batch begin
 * with those of a shorter one. Timestamps are ISO 8601 in UTC, durations are in milliseconds.
 * @param alike batches of one such word have the same levels, events and texts, whatever their seeds; their ids and
 * numbers differ
 */
export function logBatch(kind: LogKind, seed: string, count: number, alike = seed): LogRecord[] {
  const [random, randomWord] = [randomFrom('log batch', kind, seed), randomFrom('log words', kind, alike)];
  const among = (most: number) => Math.floor(random() * most);
  const oneOf = <Each>(all: readonly Each[]) => all[Math.floor(randomWord() * all.length)] as Each;
  const sessionId = 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll('x', () => among(16).toString(16));
  const platform = oneOf(['storefront', 'console']);

  const contentOf = (): LogRecord => {
    if (kind === 'log') {
      const [category, message] = oneOf(complaints);
      return {
        level: oneOf(levels),
        category,
        message: `${message} ${oneOf(places)}: ${oneOf(remedies)} (${among(1_000_000)})`,
      };
    }
    const framesPerSecond = 20 + among(1_240) / 10;
    const properties = {
      map: oneOf(maps),
      durationMs: among(600_000),
      framesPerSecond,
      isHost: random() < 0.5,
    };
    return { event: oneOf(events), properties };
  };

  const contents = Array.from({ length: Math.min(count, differing) }, contentOf);
  let at = begun;
  return Array.from({ length: count }, (_, index) => {
    at += 1 + ((index * 977) % longestPauseMs);
    const record = { timestamp: new Date(at).toISOString(), sessionId, platform, sequence: index + 1 };
    return { ...record, ...contents[index % differing] };
  });
}

const saysRepeat = /^(?:is|was|num)?_?(?:dup|repeat|already)/i;

/** How many repeated records an answer states; undefined where it states none. */
export function repeatsIn(answer: Exchange): number | undefined {
  if (!isSuccess(answer)) return undefined;
  const stated = answerLeaves(answer).flatMap(({ name, value }) =>
    saysRepeat.test(name) && (typeof value === 'boolean' || typeof value === 'number') ? [Number(value)] : [],
  );
  return stated.length > 0 ? Math.max(...stated) : undefined;
}
