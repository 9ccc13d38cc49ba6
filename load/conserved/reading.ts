// Reads, from Node, what the target shows a journey's own players, and makes calls of theirs one after another.
import type { Operation } from '../../catalog/operation.ts';
import { requestOf } from '../../engine/http/ask.ts';
import { createClient } from '../../engine/http/client.ts';
import { answerText, type Exchange, isSuccess, statusOf } from '../../engine/http/exchange.ts';
import { createBodies } from '../../engine/players/bodies.ts';
import { write } from '../../engine/players/body-template.ts';
import { sideBySide } from '../../engine/values/side-by-side.ts';
import { is5xx } from '../../engine/values/status.ts';
import type { Actors, Call, Person } from '../k6/plan.ts';
import { bodyOf, urlOf } from '../k6/request.ts';
import { type Given, identifierAt, valuer } from '../k6/send-call.ts';
import { sharedValues } from '../prepare/bodies.ts';
import { around, signedAs } from '../prepare/calls.ts';
import type { Ready } from '../prepare/ready.ts';

/** A target that was just under load is given some time before a read counts as unanswered. */
const tries = 4;
const betweenTriesMs = 500;
const atOnce = 12;
const timeoutMs = 5_000;

export type Reading = ReturnType<typeof openReading>;

export function openReading(
  { target, hosts }: Pick<Ready, 'target' | 'hosts'>,
  pause: (ms: number) => Promise<void>,
) {
  const client = createClient({ ...target.transport, timeoutMs, concurrency: atOnce });
  const { forms } = createBodies(target);

  const requestFor = (operation: Operation, own: Readonly<Record<string, string>>) => {
    const params = { ...sharedValues(operation, target), ...own };
    const [form] = operation.method === 'GET' ? [] : forms(operation);
    const writing = form && write(form, params);
    const body = writing?.ok ? { body: writing.written.body } : {};
    return requestOf(operation, body, { ...around(operation, target), params });
  };

  /** Sends a prepared call as k6 would. */
  const send = (call: Call, actors: Actors, given: Given, step: { mark: string; nth: number }) => {
    const { profile, ambient } = target;
    const words = profile ? { words: profile.words, wordsAt: profile.wordsAt } : null;
    const valueFor = valuer(step, call, actors, given, step);
    const body = bodyOf(call.body, valueFor, () => '');
    const person = actors[call.as] as Person;
    return client.send({
      method: call.operation.method,
      url: urlOf({ hosts: hosts as Record<string, string>, ambient, words }, call, person.query, valueFor),
      headers: Object.entries({ ...call.headers, ...(call.signed && person.headers) }),
      ...(body !== null && { body }),
    });
  };

  return {
    /** Resolves to the answer if it is a success, else to undefined. */
    async read(person: Person, operation: Operation, params: Readonly<Record<string, string>> = {}) {
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
    /** Makes a prepared call as this player. */
    call: (call: Call, person: Person, mark: string, nth: number) =>
      send(call, aloneIn(call, person), {}, { mark, nth }),
    /**
     * Makes calls of a journey one after another, until one is no success.
     * @param before the identifiers that are known before
     * @returns what the answers gave, and whether all were a success
     */
    async play(calls: readonly Call[], actors: Actors, mark: string, before: Given = {}) {
      const given: Record<string, string | undefined> = { ...before };
      for (const [nth, call] of calls.entries()) {
        const answer = actors[call.as] && (await send(call, actors, given, { mark, nth }));
        if (answer === undefined || !isSuccess(answer)) return { given, isWhole: false };
        Object.assign(given, givenIn(call, answer));
      }
      return { given, isWhole: true };
    },
    pause,
    /** Runs `act` on every item, several at once, and resolves with the results in order. */
    each: <Item, Result>(items: readonly Item[], act: (item: Item) => Promise<Result>) =>
      sideBySide(items, atOnce, act),
    close: client.close,
  };
}

/** A group in which this person stands for every actor. */
const aloneIn = ({ as, about }: Call, person: Person): Actors =>
  Array.from({ length: Math.max(as, about) + 1 }, () => person);

/** The identifiers that an answer gives, of those that later calls need. */
const givenIn = ({ gives, mayGive = {} }: Call, answer: Exchange): Given =>
  Object.fromEntries(
    Object.entries({ ...gives, ...mayGive }).map(([name, where]) => [
      name,
      identifierAt(answerText(answer), where),
    ]),
  );
