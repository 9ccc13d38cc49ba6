// Two machines answer in turn by chance, and copies hold what one of them said: what differs between two calls is theirs.
import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { type Ask, nobody } from '../../engine/http/ask.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { type Answer, rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { anonymousPrivate } from './anonymous-private.ts';
import { brackets } from './brackets.ts';
import { coding } from './content-coding.ts';
import { head } from './head.ts';
import { notPublic } from './not-public.ts';

const copyMs = 500;

/**
 * A copy for each kind of call, by one machine; that of the first kind is by the other one at the last of `draws`.
 * @param draws Infinity: each kind has a machine of its own for ever
 */
function served(
  kindOf: (ask: Ask) => string,
  answer: (machine: number, ask: Ask) => Answer,
  draws: number,
): { script: Script; pause: (ms: number) => Promise<void> } {
  let now = 0;
  const kinds = new Map<string, { drawn: number; until: number; machine: number }>();
  const script: Script = (ask) => {
    const kind = kindOf(ask);
    const copy = kinds.get(kind) ?? { drawn: 0, until: 0, machine: kinds.size === 0 ? 117 : 118 };
    if (copy.until <= now) {
      copy.drawn += 1;
      copy.until = now + copyMs;
      if (copy.drawn === draws && copy.machine === 117) copy.machine = 118;
    }
    kinds.set(kind, copy);
    return answer(copy.machine, ask);
  };
  const pause = async (ms: number) => {
    now += ms;
  };
  return { script, pause };
}

const isCoded = ({ headers = [] }: Ask) => headers.some(([name]) => name === 'accept-encoding');
const byPlayer = ({ as = 'main' }: Ask) => String(as);

const rules: readonly [
  string,
  Rule,
  Operation,
  Parameters<typeof served>[0],
  Parameters<typeof served>[1],
][] = [
  [
    'coded and uncoded',
    coding,
    areas.general.config,
    (ask) => String(isCoded(ask)),
    (machine, ask) => ({ body: { machine }, ...(isCoded(ask) && { wire: { coding: 'gzip', bytes: 9 } }) }),
  ],
  [
    'GET and HEAD',
    head,
    areas.general.config,
    ({ method = 'GET' }) => method,
    (machine, { method }) => ({ headers: { etag: `"${machine}"` }, body: method === 'HEAD' ? '' : 'x' }),
  ],
  [
    'raw and encoded brackets',
    brackets,
    areas.messages.listInbox,
    ({ rawBrackets = false }) => String(rawBrackets),
    (machine) => ({ body: { [`of${machine}`]: 1 } }),
  ],
  [
    'two players',
    notPublic,
    areas.me.location,
    byPlayer,
    (machine, { as }) =>
      as === nobody
        ? { status: 401 }
        : { headers: { 'cache-control': 'public' }, body: { servedBy: machine } },
  ],
  [
    'a player, nobody, and another player',
    anonymousPrivate,
    areas.me.location,
    ({ as = 'main' }) => (as === 'another' ? 'another' : 'any'),
    (machine) => ({ body: { servedBy: `ip-10-0-${machine}` } }),
  ],
];

test.each(rules)(
  '%s are not told apart by the machine that answered',
  async (_, rule, operation, kindOf, answer) => {
    const { script, pause } = served(kindOf, answer, 9);
    expect((await rehearse(rule, operation, script, { pause })).judgement.kind).not.toBe('violation');
  },
);

test.each(rules)(
  '%s that differ each time are told apart, after ten looks over 4.8 s',
  async (_, rule, operation, kindOf, answer) => {
    const { script, pause } = served(kindOf, answer, Number.POSITIVE_INFINITY);
    const pauses: number[] = [];
    const noted = async (ms: number) => {
      pauses.push(ms);
      await pause(ms);
    };
    const { judgement, asked } = await rehearse(rule, operation, script, { pause: noted });
    expect(judgement.kind).toBe('violation');
    expect(pauses).toEqual([0, 0, ...Array(8).fill(600)]);
    expect(new Set(asked.flatMap(({ nth }) => nth ?? [])).size).toBe(10);
  },
);
