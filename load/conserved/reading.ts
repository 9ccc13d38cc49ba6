// Reads, from Node, what the target shows a journey's own players, and makes calls of theirs one after another.
import type { Operation } from '../../catalog/operation.ts';
import { requestOf } from '../../engine/http/ask.ts';
import { createClient } from '../../engine/http/client.ts';
import { type Exchange, isSuccess, statusOf } from '../../engine/http/exchange.ts';
import { createBodies } from '../../engine/players/bodies.ts';
import { write } from '../../engine/players/body-template.ts';
import { is5xx } from '../../engine/values/status.ts';
import { ownName, ownValue } from '../k6/ledger.ts';
import type { Call, Person } from '../k6/plan.ts';
import { bodyOf, urlOf } from '../k6/request.ts';
import { sharedValues } from '../prepare/bodies.ts';
import { around, signedAs } from '../prepare/calls.ts';
import type { Ready } from '../prepare/ready.ts';

/** A target that was just under load is given some time before a read counts as unanswered. */
const tries = 4;
const betweenTriesMs = 500;
const atOnce = 12;
const timeoutMs = 5_000;

export interface Reading {
  /** The answer, if it is a success. */
  read(person: Person, operation: Operation): Promise<Exchange | undefined>;
  /** Makes a prepared call as this player. */
  call(call: Call, person: Person, mark: string, nth: number): Promise<Exchange>;
  pause(ms: number): Promise<void>;
  /** Resolves with what became of each, so many at once. */
  each<Item, Result>(items: readonly Item[], act: (item: Item) => Promise<Result>): Promise<Result[]>;
  close(): void;
}

export function openReading(
  { target, hosts }: Pick<Ready, 'target' | 'hosts'>,
  pause: (ms: number) => Promise<void>,
): Reading {
  const client = createClient({ ...target.transport, timeoutMs, concurrency: atOnce });
  const { forms } = createBodies(target);

  const requestFor = (operation: Operation) => {
    const params = sharedValues(operation, target);
    const [form] = operation.method === 'GET' ? [] : forms(operation);
    const writing = form && write(form, params);
    const body = writing?.ok ? { body: writing.written.body } : {};
    return requestOf(operation, body, { ...around(operation, target), params });
  };

  return {
    async read(person, operation) {
      const request = signedAs(person, operation, target, requestFor(operation));
      for (let tried = 1; ; tried += 1) {
        const exchange = await client.send(request);
        if (isSuccess(exchange)) return exchange;
        const status = statusOf(exchange);
        const isPassing = exchange.response === undefined || status === 429 || is5xx(status);
        if (!isPassing || tried === tries) return undefined;
        await pause(betweenTriesMs);
      }
    },
    call(call, person, mark, nth) {
      const own = person.values;
      const valueFor = (name: string): string => {
        if (name === 'now') return new Date().toISOString();
        if (name === 'unique' || name === 'value') return ownValue(mark, nth, own['player.name']);
        if (name === 'providerPlayerName') return ownName(mark, nth);
        return (
          own[name] ?? (name === 'playerId' ? own['player.id'] : call.params[name]?.toString()) ?? 'unknown'
        );
      };
      const { profile, ambient } = target;
      const words = profile ? { words: profile.words, wordsAt: profile.wordsAt } : null;
      const body = bodyOf(call.body, valueFor, () => '');
      return client.send({
        method: call.operation.method,
        url: urlOf({ hosts: hosts as Record<string, string>, ambient, words }, call, person.query, valueFor),
        headers: Object.entries({ ...call.headers, ...(call.signed && person.headers) }),
        ...(body !== null && { body }),
      });
    },
    pause,
    async each(items, act) {
      const results: Awaited<ReturnType<typeof act>>[] = [];
      let next = 0;
      const worker = async () => {
        for (let at = next++; at < items.length; at = next++)
          results[at] = await act(items[at] as (typeof items)[number]);
      };
      await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
      return results;
    },
    close: client.close,
  };
}
