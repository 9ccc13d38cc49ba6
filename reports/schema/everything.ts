// A result in which every member stands that one may have, for the tests: a new one is missed here by the compiler.
import type { RunResult } from '../../fixtures/check/result.ts';
import type { RecordedExchange } from '../../fixtures/client/record.ts';

/** Nothing is optional, at any depth. */
type Whole<T> = T extends readonly (infer Item)[]
  ? number extends T['length']
    ? readonly Whole<Item>[]
    : T
  : T extends object
    ? { readonly [K in keyof T]-?: Whole<T[K]> }
    : T;

const headers: [string, string][] = [['content-type', 'application/json']];
const at = '2026-01-02T03:04:05.678Z';
const waived = { reason: 'being mended', link: 'https://h/1', expires: '2026-12-31' };

const exchange = {
  request: { method: 'POST', url: 'http://127.0.0.1:8080/api/v1/party', headers, body: '{}' },
  response: { status: 500, headers, body: '{}', bytes: 2, codingError: 'not gzip' },
  error: { kind: 'reset', message: 'broke', partial: { status: 200, headers, bytes: 1 } },
  startedAt: 1_767_323_045_678,
  durationMs: 2.5,
  attempts: 1,
  waits: 0,
} satisfies Whole<RecordedExchange>;

export const everything = {
  schema: 'assay.result/1',
  target: { embedded: false, base: 'http://b', cdn: 'http://c', gamelogs: 'http://g' },
  startedAt: at,
  durationMs: 2412.5,
  seed: '7',
  runId: 'k3v9',
  options: { strict: false, readOnly: false, minJudged: 80, only: ['party'], rerun: false, insecure: true },
  ended: 'complete',
  exitCode: 1,
  summary: {
    ...{ fail: 1, warn: 0, pass: 0, observed: 0, inconclusive: 0 },
    ...{ 'not-applicable': 0, 'harness-error': 0 },
  },
  headline: { operations: 184, served: 183, answered2xx: 180, verdict: 'Does not conform.' },
  judgedShare: { base: 1, cdn: 0.5, gamelogs: 0 },
  preflight: ['base: answers'],
  requests: 12,
  leftBehind: ['a party'],
  unmatched: ['ids: /partyId of party.create matched nothing in 3 answers'],
  incidents: ['base fell silent'],
  ledger: { 'party.create#shape': '200 {}' },
  latency: { 'party.create': [1, 2, 3, 4, 5.5, 6] },
  waivers: [{ ...waived, check: 'party.*', waived: 1, problem: 'expired' }],
  baseline: {
    startedAt: at,
    runId: 'k3v8',
    worse: ['party.create#answers'],
    unjudgedBefore: ['party.get#answers'],
    noLongerJudged: ['party.get#shape'],
    knownFailures: 1,
    repaired: 0,
    behaviours: [
      {
        points: ['party.create#shape'],
        before: '200 {}',
        after: '200 []',
        places: [{ at: '', before: 'object', after: 'list' }],
      },
    ],
  },
  checks: [
    {
      id: 'party.create#answers',
      title: 'answers its default form with success',
      operation: ['party.create', 'party.get'],
      host: 'base',
      clause: 'sense.answers',
      level: 'inferred',
      outcome: 'fail',
      reason: 'needs-body',
      detail: 'its plain call is answered 500',
      expected: '2xx',
      actual: '500',
      behaviour: '401',
      cause: 'the host is down',
      exchange,
      curl: 'curl http://127.0.0.1:8080',
      waived,
      known: true,
      rerun: "npm start -- --only 'party.create#answers'",
      startedAt: at,
      durationMs: 2.5,
    },
  ],
} satisfies Whole<RunResult>;
