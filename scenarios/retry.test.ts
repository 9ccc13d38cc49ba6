import { expect, test } from 'vitest';
import { exchangeOf } from '../fixtures/kit/exchanges.ts';
import { guess, rehearseFlow } from '../fixtures/kit/flow-rehearsal.ts';
import retry from './retry.ts';

const idsIn = (body: string): string[] => [...new Set(body.match(/assaylog-\w+/g))];

interface Store {
  /** What is stored of a batch, by the cut after which it arrives; undefined: it arrives whole. */
  readonly stores: (ids: readonly string[], cut: string | undefined) => readonly string[];
  readonly hasSink?: boolean;
  readonly status?: number;
  /** Called when some time has passed. */
  readonly passes?: () => void;
}

/** Sends log batches to a store, and judges what it prints. */
async function judged({ stores, hasSink = true, status = 200, passes = () => {} }: Store) {
  const lines: string[] = [];
  let words = 0;
  const { play, context } = rehearseFlow(
    ({ ask }) => {
      lines.push(...stores(idsIn(String(ask.body)), undefined));
      return { status };
    },
    {
      flows: {
        unique(word) {
          words += 1;
          return `${word}-${String(words).padStart(4, '0')}`;
        },
        forms: () => [guess({ logs: [{ message: 'x' }] })],
        storedLogs: async () => (hasSink ? { ok: true, lines } : { ok: false, why: 'no store' }),
        async repeatable({ ask }) {
          const ids = idsIn(String(ask.body));
          return {
            ok: true,
            request: exchangeOf({}).request,
            async cut(where) {
              lines.push(...stores(ids, where));
              return true;
            },
            async send() {
              lines.push(...stores(ids, undefined));
              return exchangeOf({ status });
            },
          };
        },
      },
    },
  );
  Object.assign(context, { pause: async () => passes() });
  const [judgement] = await play(retry, 'logs');
  return judgement;
}

const stored = new Set<string>();
const onlyOnce = (ids: readonly string[]) => ids.filter((id) => !stored.has(id) && stored.add(id));

test('a store in which every record is once holds', async () => {
  stored.clear();
  const stores = (ids: readonly string[], cut?: string) => (cut === 'in the body' ? [] : onlyOnce(ids));
  expect(await judged({ stores })).toMatchObject({ kind: 'pass', detail: '4 batches of 4 records' });
});

test('a store that takes each sending of a whole batch is observed', async () => {
  const stores = (ids: readonly string[], cut?: string) => (cut === 'in the body' ? [] : ids);
  expect(await judged({ stores })).toMatchObject({
    kind: 'observed',
    behaviour: expect.stringMatching(/^at least once/),
  });
});

test('a record that is lost, one of half a batch, and one that is stored twice at once are defects', async () => {
  stored.clear();
  const loses = (ids: readonly string[], cut?: string) => (cut === undefined ? ids.slice(1) : []);
  expect(await judged({ stores: loses })).toMatchObject({
    actual: /* of the batch */ expect.stringMatching(/^1 of the 4 records of a batch are not stored/),
  });
  const halves = (ids: readonly string[], cut?: string) => (cut === 'in the body' ? ids.slice(0, 1) : ids);
  expect(await judged({ stores: halves })).toMatchObject({
    actual: '1 of the 4 records of a batch that was cut in the body and sent again are stored twice',
  });
  const twice = (ids: readonly string[]) => [...ids, ...ids];
  expect(await judged({ stores: twice })).toMatchObject({ actual: expect.stringMatching(/stored twice$/) });
});

test('a store that notices after a while that nobody waits, and has noted the batch, loses it', async () => {
  const [underWay, noted] = [new Set<string>(), new Set<string>()];
  const stores = (ids: readonly string[], cut?: string) => {
    if (cut === 'at once') for (const id of ids) underWay.add(id);
    return cut === undefined ? ids.filter((id) => !noted.has(id)) : [];
  };
  const passes = () => {
    for (const id of underWay) noted.add(id);
  };
  expect(await judged({ stores, passes })).toMatchObject({
    actual: '4 of the 4 records of a batch that was cut at once and sent again are not stored',
  });
});

test('without a store, with one that prints none of them, and where no batch is taken, nothing is judged', async () => {
  const none = () => [];
  const reason = async (store: Partial<Store>) => (await judged({ stores: none, ...store }))?.kind;
  expect(await judged({ stores: none, hasSink: false })).toMatchObject({
    detail: 'not exercised: no store',
  });
  expect(await reason({})).toBe('inconclusive');
  expect(await judged({ stores: none, status: 400 })).toMatchObject({ reason: 'needs-body' });
});
