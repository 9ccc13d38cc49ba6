// Guards: what in the suite keeps a conforming variant from being accused. The prover removes each in turn, and checks
// that the variant it protects is then accused.
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { differences } from '../../engine/compare/compare.ts';
import { leaveOut } from '../../engine/compare/contrast.ts';
import { showsMembership } from '../../engine/flow/places.ts';
import { pollTimeoutMs } from '../../engine/flow/polling.ts';
import { askedMembersHold } from '../../engine/flow/understood.ts';
import { mayMeanGone } from '../../engine/flow/views.ts';
import { isGuessed } from '../../engine/flow/why-refused.ts';
import { stale } from '../../engine/http/client.ts';
import { mediaType } from '../../engine/http/exchange.ts';
import { isInterim, unstatedLength } from '../../engine/http/raw.ts';
import { refusalOf } from '../../engine/players/accounts.ts';
import { isAnswered, logoutTakesEffectWithinMs } from '../../engine/players/session-end.ts';
import { isReasonToRenew } from '../../engine/players/session-renewal.ts';
import { haveMet } from '../../engine/probe/acquaintances.ts';
import { jsonIn, labelledJson, notJson } from '../../engine/probe/matchers/json.ts';
import { sidesOf } from '../../engine/probe/matchers/version.ts';
import { namesCallers } from '../../engine/probe/named-players.ts';
import { takesAnyName } from '../../engine/probe/served/routed-table.ts';
import { bodyRefuses } from '../../engine/target/refusal-form.ts';
import { sideBySide } from '../../engine/values/side-by-side.ts';
import { flip } from '../../engine/values/switch-points.ts';
import { variants } from '../../fixtures/conforming-variants/all.ts';
import { holdsContent, isNull } from '../../suites/rules/absent-file.ts';
import { fieldsAgree, knowsNoHead } from '../../suites/rules/head.ts';
import { claimsJson } from '../../suites/rules/media.ts';
import { unlistedForReads } from '../../suites/rules/other-method.ts';
import { mayIgnoreRange } from '../../suites/rules/range.ts';
import { isForCaches } from '../../suites/rules/vary.ts';
import { suites } from '../run/suites.ts';
import { type Accusation, askVariants } from './conforming/ask.ts';

/** A variant with random behaviour (lists in any order) may pass by chance in one run, hardly in four. */
const seeds = ['1', '2', '3', '4'];

export interface GuardRow {
  readonly variant: string;
  /** What the guard knows. */
  readonly knows: string;
  /** Ids of the checks that then accuse. */
  readonly accused: readonly string[];
}

/** Threads, one for each of two cores; each removes one guard at a time, and puts it back. */
const atOnce = 2;

/** The rows are in the order of the guards. */
export async function proveGuards(guards: readonly Guard[]): Promise<GuardRow[]> {
  const threads = Array.from({ length: atOnce }, openGuardThread);
  const free = [...threads];
  try {
    return await sideBySide(guards, atOnce, async (guard) => {
      const thread = free.pop() as GuardThread;
      const accused = await accusedInOne(guard, thread);
      free.push(thread);
      return { variant: guard.variant, knows: guard.knows, accused };
    });
  } finally {
    await Promise.all(threads.map((thread) => thread.close()));
  }
}

async function accusedInOne(guard: Guard, { accusedWithout }: GuardThread): Promise<string[]> {
  for (const seed of seeds) {
    const accusations = await accusedWithout(guard, seed);
    if (accusations.length > 0) return accusations.map(({ id }) => id);
  }
  return [];
}

/** Lines for a terminal: one for each guard that is not needed, then how many are. */
export const guardLines = (rows: readonly GuardRow[]): string[] => [
  ...rows
    .filter(({ accused }) => accused.length === 0)
    .map(({ variant, knows }) => `${variant}  NOT accused without its guard (${knows}): it guards nothing`),
  `${rows.filter(({ accused }) => accused.length > 0).length} of ${rows.length} guards are needed`,
];

// A thread that removes one guard of the suite at a time.

interface GuardRemoval {
  /** Index in the table of guards. */
  readonly guard: number;
  readonly seed: string;
}

interface GuardThread {
  /**
   * Returns what the variant is accused of without its guard; to be called for one guard at a time.
   * @throws Error where the table does not hold the guard, or the thread fails
   */
  readonly accusedWithout: (guard: Guard, seed: string) => Promise<readonly Accusation[]>;
  readonly close: () => Promise<unknown>;
}

export function openGuardThread(): GuardThread {
  const worker = new Worker(new URL(import.meta.url), { workerData: { removesGuards: true } });
  // The next call reports it; until then it must not count as unhandled.
  const failed = new Promise<never>((_, reject) => worker.once('error', reject));
  failed.catch(() => {});
  return {
    async accusedWithout(guard, seed) {
      const removal: GuardRemoval = { guard: guards.indexOf(guard), seed };
      if (removal.guard < 0) throw new Error(`no guard of the table protects "${guard.variant}" like this`);
      const answered = new Promise<readonly Accusation[]>((resolve) => worker.once('message', resolve));
      worker.postMessage(removal);
      return Promise.race([answered, failed]);
    },
    close: () => worker.terminate(),
  };
}

async function judgeWithout({ guard: index, seed }: GuardRemoval): Promise<readonly Accusation[]> {
  const { variant, beside, only, remove } = guards[index] as Guard;
  const chosen = variants.filter(({ name }) => name === variant || name === beside);
  const putBack = remove();
  try {
    const { accusations } = await askVariants(chosen, {
      suites,
      seed,
      only: ({ id }) => id.includes(only),
    });
    return accusations;
  } finally {
    putBack();
  }
}

// The table of guards; each is a switch point.

interface Guard {
  /** Name of the variant that it protects. */
  readonly variant: string;
  /** Name of another variant that the server must have as well, for the guard to be needed. */
  readonly beside?: string;
  /** What the guard knows, in words. */
  readonly knows: string;
  /** Replaces the guard in this thread with the code that ignores what it knows; returns a function to put it back. */
  readonly remove: () => () => void;
  /** Which checks run: part of their ids. */
  readonly only: string;
}

/** Accepts a file as JSON only where both its media type and its body are JSON. */
const believesType = () =>
  flip(notJson, (response) =>
    labelledJson(response) && 'value' in jsonIn(response)
      ? undefined
      : { expected: 'JSON, labelled as JSON', actual: mediaType(response) ?? 'no media type' },
  );

export const guards: readonly Guard[] = [
  ...['files as octet-stream', 'files without a type', 'files of any type'].map((variant) => ({
    variant,
    knows: 'the body decides whether a file is JSON, not its media type',
    remove: believesType,
    only: '#json-file',
  })),
  {
    variant: 'HEAD answered 405',
    knows: 'a server need not know HEAD',
    remove: () => flip(knowsNoHead, () => false),
    only: '#head',
  },
  {
    variant: 'HEAD without a length',
    knows: 'HEAD may leave fields out',
    remove: () => flip(fieldsAgree, (inGet, inHead) => inGet === inHead),
    only: '#head',
  },
  {
    variant: 'refusals with status 200 in an envelope',
    knows: 'an answer may refuse in its body',
    remove: () => flip(bodyRefuses, () => false),
    only: 'names',
  },
  {
    variant: 'a featured player, and others recommended',
    knows: 'who is named to themselves may be named to everybody',
    remove: () => flip(namesCallers, () => true),
    only: 'extensions.',
  },
  {
    variant: 'the last of a list beside it',
    knows: 'players who have met may be named to one another',
    remove: () => flip(haveMet, () => false),
    only: 'party',
  },
  {
    variant: 'files that caches ask about each time',
    knows: 'what a cache asks about each time needs no Vary',
    only: '#vary',
    remove: () => flip(isForCaches, () => true),
  },
  {
    variant: 'no ranges',
    knows: 'a server need not know ranges',
    remove: () => flip(mayIgnoreRange, () => false),
    only: '#range',
  },
  {
    variant: 'absent file: 200 and a page',
    knows: 'a page for any path is no content',
    remove: () => flip(holdsContent, () => true),
    only: '#absent-file',
  },
  {
    variant: 'absent file: 200 and null',
    knows: 'null is no content',
    remove: () => flip(isNull, () => false),
    only: '#absent-file',
  },
  {
    variant: 'a connection for each answer',
    knows: 'a connection that was closed after an answer says nothing of the next',
    remove: () => flip(stale, () => false),
    only: '#',
  },
  {
    variant: 'interim answers before the answer',
    knows: 'interim answers may come before the answer',
    remove: () => flip(isInterim, () => false),
    only: '#host-',
  },
  {
    variant: 'empty success without a type',
    knows: 'a body that is not labelled JSON need not be JSON',
    remove: () => flip(claimsJson, () => true),
    only: '#media',
  },
  ...['bodies that end with the connection', 'HTTP/1.0'].map((variant) => ({
    variant,
    knows: 'content of no stated length ends with the connection',
    remove: () => flip(unstatedLength, () => 0),
    only: '#host-',
  })),
  {
    variant: 'reads by POST too',
    knows: 'GET and POST side by side are right for what only reads',
    remove: () => flip(unlistedForReads, () => 'POST'),
    only: '#other-method',
  },
  {
    variant: 'logout after a second',
    knows: 'a logout may take effect some seconds later',
    remove: () => flip(logoutTakesEffectWithinMs, () => 0),
    only: '#dead-session',
  },
  {
    variant: 'short-lived tokens',
    knows: 'a session may end by age, and is then renewed',
    remove: () => flip(isReasonToRenew, () => false),
    only: '#',
  },
  {
    variant: 'refusals that say when and which',
    beside: 'short-lived tokens',
    knows: 'what changes in every refusal is no sign of a session',
    remove: () =>
      flip(isAnswered, (_, answer, withoutSession) => differences(answer, withoutSession).size > 0),
    only: '#',
  },
  {
    variant: 'refusals that say by which of two machines and to whom',
    beside: 'short-lived tokens',
    knows: 'where the status tells a session from none, it alone counts',
    remove: () => flip(isAnswered, (_, __, ___, apart) => apart.size > 0),
    only: '#',
  },
  {
    variant: '404 for whoever is not signed in',
    beside: 'short-lived tokens',
    knows: 'a target refuses callers without a session with a status of its own',
    remove: () => flip(refusalOf, () => 401),
    only: '#',
  },
  {
    variant: 'reads up to 500 ms behind',
    knows: 'the effect of a write may show later',
    remove: () => flip(pollTimeoutMs, () => 0),
    only: '/',
  },
  {
    variant: 'volatile fields',
    knows: 'what changes by itself tells nothing apart',
    remove: () => flip(leaveOut, (parts) => parts),
    only: '#private',
  },
  {
    variant: 'any name behind fixed names',
    knows: 'a route that takes any name here serves this one',
    remove: () => flip(takesAnyName, () => false),
    only: 'features.',
  },
  ...['histories beside lists', 'who is in no party is told in which they were'].map((variant) => ({
    variant,
    knows: 'places that showed who is in tell who is gone, whatever stands elsewhere',
    remove: () => flip(showsMembership, () => false),
    only: 'party/',
  })),
  {
    variant: 'who went stays listed, with a status',
    knows: 'an entry that stays and says something else may mean gone',
    remove: () => flip(mayMeanGone, (_): _ is string => false),
    only: 'party/',
  },
  {
    variant: 'blocks say whom as nobody guesses',
    knows: 'a refusal of a guessed body fails no check',
    remove: () => flip(isGuessed, () => false),
    only: 'friends/block',
  },
  {
    variant: 'blocks and friends name a row, and a refusal asks for it',
    knows: 'a target reads the member that it asked for',
    remove: () => flip(askedMembersHold, () => true),
    only: 'friends/listed',
  },
  {
    variant: 'versions as names of a map',
    knows: 'in a map of versions the names may be the versions',
    remove: () => flip(sidesOf, ({ value }) => [value]),
    only: 'content/',
  },
];

// Stands last, since the thread needs the table above.
if (parentPort && (workerData as { readonly removesGuards?: true } | null)?.removesGuards) {
  const port = parentPort;
  port.on('message', async (removal: GuardRemoval) => port.postMessage(await judgeWithout(removal)));
}
