// Reads, from Node, what the target shows a journey's own players, and makes calls of theirs one after another.
import type { Operation } from '../../catalog/operation.ts';
import { requestOf } from '../../engine/http/ask.ts';
import { createClient } from '../../engine/http/client.ts';
import { type Exchange, isSuccess, json, statusOf } from '../../engine/http/exchange.ts';
import { createBodies } from '../../engine/players/bodies.ts';
import { write } from '../../engine/players/body-template.ts';
import { valueAt } from '../../engine/values/json-walk.ts';
import { is5xx } from '../../engine/values/status.ts';
import { ownName, ownValue } from '../k6/ledger.ts';
import type { Actors, Call, Person } from '../k6/plan.ts';
import { bodyOf, findPointer, urlOf } from '../k6/request.ts';
import { sharedValues } from '../prepare/bodies.ts';
import { around, signedAs } from '../prepare/calls.ts';
import type { Ready } from '../prepare/ready.ts';

/** A target that was just under load is given some time before a read counts as unanswered. */
const tries = 4;
const betweenTriesMs = 500;
const atOnce = 12;
const timeoutMs = 5_000;

export type Given = Readonly<Record<string, string | undefined>>;

export interface Played {
  readonly given: Given;
  /** All calls were a success. */
  readonly isWhole: boolean;
}

export interface Reading {
  /** The answer, if it is a success. */
  read(
    person: Person,
    operation: Operation,
    params?: Readonly<Record<string, string>>,
  ): Promise<Exchange | undefined>;
  /** Makes a prepared call as this player. */
  call(call: Call, person: Person, mark: string, nth: number): Promise<Exchange>;
  /**
   * Makes the calls of a journey one after another, but those that leave: what the answers gave, of as many as were right.
   * @param given what is known before
   */
  play(calls: readonly Call[], actors: Actors, mark: string, given?: Given): Promise<Played>;
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

  const requestFor = (operation: Operation, own: Readonly<Record<string, string>>) => {
    const params = { ...sharedValues(operation, target), ...own };
    const [form] = operation.method === 'GET' ? [] : forms(operation);
    const writing = form && write(form, params);
    const body = writing?.ok ? { body: writing.written.body } : {};
    return requestOf(operation, body, { ...around(operation, target), params });
  };

  return {
    async read(person, operation, params = {}) {
      const request = signedAs(person, operation, target, requestFor(operation, params));
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
    async play(calls, actors, mark, before = {}) {
      const given: Record<string, string | undefined> = { ...before };
      for (const [nth, call] of calls.entries()) {
        const [as, other, about] = [call.as, call.other, call.about].map((at) => actors[at]);
        const values = {
          ...as?.values,
          'other.id': other?.values['player.id'] ?? '',
          'other.name': other?.values['player.name'] ?? '',
          friendId: other?.values['player.id'] ?? '',
          playerId: about?.values['player.id'] ?? '',
          ...Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value ?? ''])),
        };
        const answer = as && (await this.call(call, { ...as, values }, mark, nth));
        if (answer === undefined || !isSuccess(answer)) return { given, isWhole: false };
        Object.assign(given, givenIn(call, answer));
      }
      return { given, isWhole: true };
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

/** The identifiers that an answer gives, of those that later calls need. */
function givenIn({ gives, mayGive = {} }: Call, { response }: Exchange): Given {
  const parsed = response && json(response);
  if (!parsed?.ok) return {};
  return Object.fromEntries(
    Object.entries({ ...gives, ...mayGive }).map(([name, where]) => {
      const pointer = typeof where === 'string' ? where : findPointer(parsed.value, where);
      const value = pointer === undefined ? undefined : valueAt(parsed.value, pointer);
      const isOne = (typeof value === 'string' || typeof value === 'number') && value !== '' && value !== 0;
      return [name, isOne ? String(value) : undefined];
    }),
  );
}
