import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { broken, checkOf, performed } from '../../fixtures/kit/assembled.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { serve } from '../../fixtures/kit/loopback.ts';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import type { Exchange } from '../http/exchange.ts';
import {
  type InconclusiveReason,
  inconclusive,
  type Judgement,
  notTriggered,
  observed,
  pass,
  violation,
} from '../judgement.ts';
import type { Check } from '../probe/check.ts';
import { readTarget } from '../target/target.ts';
import { openCheckRunner } from './check-runner.ts';
import { readJournal } from './journal.ts';

const { clientData, party } = areas;

test('a result says what was planned, and how to run it again', async () => {
  const result = await performed(checkOf(pass()));
  expect(result).toMatchObject({
    id: 'general.config#rule',
    title: 'does what it says',
    operation: 'general.config',
    host: 'base',
    level: 'documented',
    outcome: 'pass',
    rerun: "npm start -- --only 'general.config#rule'",
  });
  expect(result.startedAt).toMatch(/^\d{4}-.*Z$/);
  expect(result.durationMs).toBeGreaterThanOrEqual(0);
});

test('a failure is on disk before it is reported: its reader may end the run', async () => {
  const journal = join(scratchFolder(), 'results.jsonl');
  const check = checkOf(violation('this', 'that', exchangeOf()));
  const onDisk: number[] = [];
  const runner = openCheckRunner(
    {
      target: readTarget({ BASE_URL: 'http://127.0.0.1:9' }, { cwd: tmpdir() }),
      discovery: undefined,
      unreachable: {},
      journal,
      strict: false,
      readOnly: false,
      timeoutMs: 1_000,
      concurrency: 1,
      rate: undefined,
      deadline: Date.now() + 10_000,
    },
    {
      planned: new Set([check.id, 'another#rule']),
      onProgress: () => void onDisk.push(readJournal(journal).size),
    },
  );
  await runner.perform(check);
  runner.close();
  expect(onDisk).toEqual([1]);
});

test('only a check that is not run is reported as such', async () => {
  const names: string[] = [];
  const passedOver = (name: string, operation: Operation) => ({
    ...checkOf(pass(), { operation }),
    passOver: () => void names.push(name),
  });
  const given = (host: string) => host !== 'cdn';
  await performed(passedOver('of a host that is there', party.get), {}, { given });
  await performed(passedOver('of one that is not', clientData.catalog), {}, { given });
  expect(names).toEqual(['of one that is not']);
});

describe('a check is not run', () => {
  const never = (options: { operation?: Operation; changes?: boolean } = {}) =>
    checkOf(new Error('it ran'), options);

  test('where the profile leaves its operation out', async () => {
    const omitted = new Map([['general.config', 'we have none']]);
    expect(await performed(never(), { omitted })).toMatchObject({
      outcome: 'not-applicable',
      reason: 'left-out',
      detail: 'the profile leaves general.config out: we have none',
    });
  });

  test('where its host was not given', async () => {
    const given = (host: string) => host !== 'cdn';
    expect(await performed(never({ operation: clientData.catalog }), {}, { given })).toMatchObject({
      outcome: 'not-applicable',
      reason: 'host-not-given',
    });
  });

  test('where it changes the target and only reading was asked for', async () => {
    const result = { outcome: 'not-applicable', reason: 'read-only' };
    expect(await performed(never({ changes: true }), { readOnly: true })).toMatchObject(result);
    expect(await performed(never({ operation: party.create }), { readOnly: true })).toMatchObject(result);
    const changing = new Set([party.get.id]);
    expect(await performed(never({ operation: party.get }), { readOnly: true, changing })).toMatchObject(
      result,
    );
    expect(await performed(checkOf(pass()), { readOnly: true })).toMatchObject({ outcome: 'pass' });
  });

  test('where its host is lost', async () => {
    const lost = () => 'it has stopped answering';
    expect(await performed(never(), {}, { lost })).toMatchObject({
      outcome: 'inconclusive',
      reason: 'target-lost',
      detail: 'it has stopped answering',
    });
  });

  test('the profile speaks first, then what was given, then the loss', async () => {
    const omitted = new Map([['general.config', 'none']]);
    const facts = { given: () => false, lost: () => 'gone' };
    expect(await performed(never(), { omitted }, facts)).toMatchObject({ reason: 'left-out' });
    expect(await performed(never(), {}, facts)).toMatchObject({ reason: 'host-not-given' });
  });
});

describe('a host that is lost while a check runs', () => {
  const lostAfterwards = () => {
    let asked = 0;
    return { lost: () => (++asked > 1 ? 'gone meanwhile' : undefined) };
  };

  test.each<InconclusiveReason>(['timeout', 'reset', 'unreachable', 'interrupted'])(
    'turns %s into target-lost',
    async (reason) => {
      expect(await performed(checkOf(inconclusive(reason, 'x')), {}, lostAfterwards())).toMatchObject({
        reason: 'target-lost',
        detail: 'gone meanwhile',
      });
    },
  );

  test.each<Judgement>([
    inconclusive('needs-body', 'x'),
    inconclusive('rate-limited', 'x'),
    notTriggered('x'),
  ])('leaves $reason as it is', async (judgement) => {
    const { reason } = judgement as { reason: string };
    expect(await performed(checkOf(judgement), {}, lostAfterwards())).toMatchObject({ reason });
  });

  test('keeps a verdict that came before the loss', async () => {
    expect(await performed(checkOf(broken), {}, lostAfterwards())).toMatchObject({ outcome: 'fail' });
  });

  test('while the host answers, a timeout is a timeout', async () => {
    expect(await performed(checkOf(inconclusive('timeout', 'x')))).toMatchObject({ reason: 'timeout' });
  });
});

describe('a host that was never there', () => {
  const facts = {
    unreachable: (host: string) => (host === 'base' ? 'refused' : undefined),
    lost: () => 'refused',
  };

  test('was not lost', async () => {
    expect(await performed(checkOf(pass()), {}, facts)).toMatchObject({
      reason: 'unreachable',
      detail: 'refused',
    });
  });

  test('explains unknown resources of another host', async () => {
    const check = checkOf(inconclusive('unknown-resource', 'x'), { operation: clientData.archiveQuests });
    const away = { ...facts, lost: (host: string) => (host === 'base' ? 'refused' : undefined) };
    expect(await performed(check, {}, away)).toMatchObject({
      reason: 'unreachable',
      detail: 'the main API gives its identifiers, and is away: refused',
    });
    const gone = { lost: away.lost };
    expect(await performed(check, {}, gone)).toMatchObject({ reason: 'target-lost' });
    expect(await performed(check)).toMatchObject({ reason: 'unknown-resource', detail: 'x' });
  });
});

describe('what throws is our fault', () => {
  test('in the check', async () => {
    const result = await performed(checkOf(new TypeError('x is not a function')));
    expect(result).toMatchObject({
      outcome: 'harness-error',
      detail: expect.stringContaining('TypeError: x is not a function'),
    });
    expect(result.detail).not.toContain('\n');
    expect(result.detail?.split(' ‖ ').length).toBeLessThanOrEqual(4);
  });

  test('in what is made of its judgement', async () => {
    const curl = () => {
      throw new Error('no curl');
    };
    expect(await performed(checkOf(broken), { curl })).toMatchObject({ outcome: 'harness-error' });
  });

  test('without being an Error', async () => {
    const made = { ...checkOf(pass()), run: () => Promise.reject('just text') };
    expect(await performed(made)).toMatchObject({ outcome: 'harness-error', detail: 'just text' });
  });
});

describe('no text leaves with a secret in it', () => {
  test.each<readonly [string, Judgement | Error]>([
    ['pass', pass(exchangeOf(), 'with s3cret')],
    ['observed', observed('says s3cret')],
    ['inconclusive', inconclusive('timeout', 'GET /?token=s3cret')],
    ['not-applicable', notTriggered('no s3cret')],
    ['violation', violation('not s3cret', 's3cret')],
    ['violation with a cause', { ...violation('a', 'b'), cause: 'the s3cret' } as Judgement],
    ['harness-error', new Error('cannot read s3cret')],
  ])('a result of %s holds no secret', async (_, judgement) => {
    const result = await performed(checkOf(judgement));
    expect(JSON.stringify(result)).not.toContain('s3cret');
    expect(JSON.stringify(result)).toContain('[redacted]');
  });

  test('the profile that leaves an operation out', async () => {
    const result = await performed(checkOf(pass()), {
      omitted: new Map([['general.config', 'needs s3cret']]),
    });
    expect(result.detail).toBe('the profile leaves general.config out: needs [redacted]');
  });
});

test('what could not be judged carries the exchange that decided it, and a curl that repeats it', async () => {
  const { exchange, curl } = await performed(checkOf(inconclusive('needs-body', 'refused', exchangeOf())));
  expect(exchange?.request.method).toBe('GET');
  expect(curl).toMatch(/^curl /);
});

const allowed = 16;

test('attacks have at most 16 requests in flight, those past the client included', async () => {
  const waiting: ServerResponse[] = [];
  let [most, asked] = [0, 0];
  let answering: NodeJS.Timeout | undefined;
  // Answers when all that may come at a time have come, and one too many would have; or when no more come.
  const origin = await serve((_, response) => {
    asked += 1;
    most = Math.max(most, waiting.push(response));
    clearTimeout(answering);
    answering = setTimeout(
      () => {
        for (const each of waiting.splice(0)) each.end();
      },
      waiting.length < allowed ? 2_000 : 200,
    );
  });
  const attack: Check = {
    ...checkOf(pass()),
    attack: true,
    async run({ flows }) {
      const call = { player: undefined, operation: areas.general.config, ask: {} };
      const past = await flows.repeatable(call);
      const sends = Array.from({ length: 2 * allowed }, (_, at) =>
        at % 2 === 0 && past.ok ? past.send() : flows.send(undefined, areas.general.config, {}),
      );
      await Promise.all(sends);
      return pass();
    },
  };
  const runner = openCheckRunner(
    {
      target: readTarget({ BASE_URL: origin }, { cwd: tmpdir() }),
      discovery: undefined,
      unreachable: {},
      journal: undefined,
      strict: false,
      readOnly: false,
      attack: 'on',
      timeoutMs: 60_000,
      concurrency: 32,
      rate: undefined,
      deadline: Date.now() + 90_000,
    },
    { planned: new Set([attack.id]), onProgress: () => {} },
  );
  await runner.performSuite([attack]);
  runner.close();
  expect([most, asked]).toEqual([allowed, 2 * allowed]);
});

describe('an attack', () => {
  const attack = (judgement: Judgement) => ({ ...checkOf(judgement), attack: true as const });

  test('is left out where the run attacks nothing, and says why', async () => {
    expect(await performed(attack(pass()), { noAttack: 'attacks are off' })).toMatchObject({
      outcome: 'not-applicable',
      reason: 'attack-off',
      detail: 'attacks are off',
    });
  });

  test('that could not be made is left out, or inconclusive where attacks were asked for', async () => {
    const short = attack(inconclusive('needs-players', 'too few'));
    expect(await performed(short)).toMatchObject({
      outcome: 'not-applicable',
      reason: 'not-exercised',
      detail: 'needs-players: too few',
    });
    expect(await performed(short, { attackAsked: true })).toMatchObject({
      outcome: 'inconclusive',
      reason: 'needs-players',
    });
  });
});

test('a violation keeps the exchange that it was held against', async () => {
  const held: Judgement = {
    ...violation('a', 'b', exchangeOf({ status: 201 })),
    control: exchangeOf({ status: 404 }),
  };
  const record = ({ response }: Exchange) => ({ status: response?.status }) as never;
  const { exchange, control } = await performed(checkOf(held), { record });
  expect([exchange, control]).toEqual([{ status: 201 }, { status: 404 }]);
});

test('a pass may name the clause and the level that it was judged by', async () => {
  const by = { level: 'profile', clause: 'another' } as const;
  expect(await performed(checkOf({ kind: 'pass', ...by }))).toMatchObject({ outcome: 'pass', ...by });
});

test('a long text is cut', async () => {
  const { actual } = await performed(checkOf(violation('a', 'b'.repeat(5_000))));
  expect(actual).toHaveLength(2_000);
  expect(actual?.at(-1)).toBe('…');
});

test('of an error without a stack the message is shown', async () => {
  const bare = Object.assign(new Error('bare'), { stack: undefined });
  expect(await performed(checkOf(bare))).toMatchObject({ outcome: 'harness-error', detail: 'bare' });
});
