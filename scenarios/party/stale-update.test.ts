import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { guess, judgeStep } from '../../fixtures/kit/flow-rehearsal.ts';
import { expectStaleRefused } from './stale-update.ts';

const { party } = areas;
const form = guess({ name: '{{value}}' }, 'value');

interface Server {
  readonly etag?: string;
  /** The status of a write with a stale If-Match. */
  readonly stale: number;
  /** Whether that write is carried out. */
  readonly isWritten: boolean;
}

async function judged({ etag, stale, isWritten }: Server, isOwn = true) {
  let name = 'party of old';
  const { judgement } = await judgeStep(
    (context) => expectStaleRefused(context, 'party-77', { value: 'before', isOwn }),
    ({ operation, ask }) => {
      if (operation === party.update.id) {
        if (isWritten) name = JSON.parse(String(ask.body)).name;
        return { status: stale };
      }
      return { body: { partyId: 'party-77', name }, headers: etag === undefined ? {} : { etag } };
    },
    { flows: { forms: () => [form] } },
    [party.update, party.get],
  );
  return judgement;
}

test('a stale write that is refused passes, and so does one that is not carried out', async () => {
  expect(await judged({ etag: '"1"', stale: 412, isWritten: false })).toMatchObject({ kind: 'pass' });
  expect(await judged({ etag: '"1"', stale: 200, isWritten: false })).toMatchObject({ kind: 'pass' });
});

test('a stale write that the party shows is a violation', async () => {
  expect(await judged({ etag: '"1"', stale: 200, isWritten: true })).toMatchObject({ kind: 'violation' });
});

test('a party without a strong ETag is not judged, nor one whose write the profile fixes', async () => {
  const written = { stale: 200, isWritten: true };
  expect(await judged(written)).toMatchObject({ kind: 'not-applicable' });
  expect(await judged({ ...written, etag: 'W/"1"' })).toMatchObject({ kind: 'not-applicable' });
  expect(await judged({ ...written, etag: '"1"' }, false)).toMatchObject({ reason: 'needs-body' });
});
