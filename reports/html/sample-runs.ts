// Whole runs for the tests of the page: a good one, a bad one, and one in which everything that can be said is vile.
import { areas, catalog } from '../../fixtures/catalog/catalog.ts';
import { register } from '../../fixtures/catalog/clauses/register.ts';
import type { Result, RunResult } from '../../fixtures/check/result.ts';
import type { RecordedExchange } from '../../fixtures/client/record.ts';
import { sampleResult, sampleRun } from '../sample.ts';

const rules = ['routed', 'answers', ...Array.from({ length: 21 }, (_, at) => `rule-${at}`)];
/** The flows that Assay plays, and how many steps each has. */
const flows = {
  content: 23,
  friends: 36,
  login: 23,
  logs: 16,
  match: 25,
  messages: 19,
  names: 21,
  party: 52,
  progression: 26,
  queue: 18,
  state: 31,
  store: 14,
};

export type Say = (id: string) => Partial<Result>;

/** As many checks as Assay has: every rule of every operation, and every flow. */
export function wholeRun(say: Say = () => ({}), over: Partial<RunResult> = {}): RunResult {
  const ruled = catalog.flatMap(({ id, host }) =>
    rules.map((rule) => ({ id: `${id}#${rule}`, operation: id, host, title: `it holds to ${rule}` })),
  );
  const steps = Object.entries(flows).flatMap(([flow, length]) =>
    Array.from({ length }, (_, at) => ({
      id: `${flow}/step-${at}`,
      operation: [areas.party.create.id, areas.party.details.id],
      title: `${flow} goes on to step ${at}`,
      level: 'inferred' as const,
    })),
  );
  const checks = [...steps, ...ruled].map((check) => {
    const clause = register[check.id.length % register.length]?.id ?? '';
    return sampleResult({ ...check, clause, ...say(check.id) });
  });
  const latency = Object.fromEntries(
    catalog.map(({ id }, at) => [id, [1, 2, 3 + at, 200, 300 + at, 9] as const]),
  );
  return sampleRun(checks, { latency, ...over });
}

const exchange: RecordedExchange = {
  request: {
    method: 'DELETE',
    url: 'http://127.0.0.1:8080/api/v1/party/leave?disband=true',
    headers: [['authorization', 'Bearer [redacted]']],
  },
  response: {
    status: 500,
    headers: [['content-type', 'application/json']],
    body: '{"error":true}',
    bytes: 14,
  },
  startedAt: 0,
  durationMs: 3,
  attempts: 1,
  waits: 0,
};

/** One operation fails in all rules and an area in some, one warns, another area could not be judged. */
export const badRun = (over: Partial<RunResult> = {}): RunResult =>
  wholeRun((id) => {
    if (id.startsWith('party.leave#'))
      return { outcome: 'fail', exchange, expected: 'status 204 or 200', actual: 'status 500' };
    if (id.startsWith('players.') && id.endsWith('#answers'))
      return { outcome: 'fail', cause: id, expected: `success of ${id}`, actual: 'status 500' };
    if (id.startsWith('me.location#')) return { outcome: 'warn', level: 'inferred' };
    if (id.startsWith('queue.')) return { outcome: 'inconclusive', reason: 'needs-body', detail: 'no body' };
    if (id.endsWith('#rule-3')) return { outcome: 'observed', level: 'open', behaviour: `${id} answers 401` };
    return {};
  }, over);

/** A headline whose verdict needs three lines. */
export const talkative = {
  operations: 184,
  served: 161,
  answered2xx: 40,
  verdict: `Does not conform: 42 checks failed. ${['base', 'cdn', 'gamelogs']
    .map((host) => `Too little could be judged on ${host}: 38 % of its documented checks, 80 % are needed.`)
    .join(' ')}`,
};

const breakers = [
  '<img src=x onerror="window.pwned=1">',
  '</script><script>window.pwned=1</script>',
  '"\' onmouseover="window.pwned=1" autofocus onfocus="window.pwned=1',
  '<!-- --><svg onload=window.pwned=1><style>*{display:none}</style>',
  '\u202Egnp.exe\u0000\u001B[31m\uD800 {{7*7}} javascript:window.pwned=1',
];

/** Every text vile, another one each time; nearly every check fails with an exchange of its own. */
export function hostileRun(): RunResult {
  let state = 7;
  const random = () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state;
  };
  const vile = (length: number) => {
    let text = breakers[random() % breakers.length] ?? '';
    while (text.length < length)
      text += `${random().toString(36)}${String.fromCharCode(0x2000 + (random() % 0x8000))}`;
    return text.slice(0, length);
  };
  const run = wholeRun((id) => ({
    title: vile(200),
    ...(id.length % 7 === 0 ? { outcome: 'observed', behaviour: vile(600) } : { outcome: 'fail' }),
    cause: vile(60),
    clause: vile(80),
    expected: vile(1_500),
    actual: vile(1_500),
    detail: vile(500),
    curl: vile(400),
    exchange: {
      ...exchange,
      request: { ...exchange.request, url: `http://127.0.0.1/${vile(300)}` },
      response: { status: 200, headers: [[vile(50), vile(500)]], body: vile(4_000), bytes: 4_000 },
    },
  }));
  const waiver = { check: vile(80), reason: vile(200), link: 'javascript:window.pwned=1', expires: vile(30) };
  return {
    ...run,
    target: { embedded: false, base: `http://${vile(60)}` },
    seed: vile(300),
    runId: vile(300),
    headline: { ...run.headline, verdict: vile(2_000) },
    preflight: Array.from({ length: 40 }, () => vile(500)),
    leftBehind: [vile(500)],
    ledger: Object.fromEntries(catalog.map(({ id }) => [`${id}#rule-3`, vile(600)])),
    latency: {
      ...run.latency,
      [vile(40)]: [1, 2, 3, 4, 5, 6],
      [areas.me.location.id]: [9e99, 0, 1, 0, 9e99, 9e99],
    },
    waivers: [{ ...waiver, waived: 1, problem: vile(300) }],
    baseline: {
      startedAt: run.startedAt,
      runId: vile(80),
      worse: run.checks.slice(0, 500).map(({ id }) => id),
      knownFailures: 3,
      repaired: 2,
      behaviours: [{ points: [vile(80)], before: vile(300), after: vile(300) }],
    },
  };
}
