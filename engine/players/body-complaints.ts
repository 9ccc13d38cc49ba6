// Reads which members of a body a refusal names, in the format of any framework.
import { type Exchange, json } from '../http/exchange.ts';
import type { Complaint, Finding } from './complaint.ts';
import { findingsInJson } from './refusal-maps.ts';
import { findingsIn } from './refusal-sentences.ts';
import { type SentBody, sentBody } from './sent-body.ts';

const mostText = 2_000;
const mostComplaints = 12;

/**
 * The members that a refusal names, each once, as they were sent; none where it is a page or names none. A refusal that
 * quotes a value alone means the member that was sent with it.
 */
export function complaintsIn({
  request,
  response,
}: Pick<Exchange, 'request' | 'response'>): readonly Complaint[] {
  if (response === undefined) return [];
  const sent = sentBody(request.body);
  const parsed = json(response);
  const text = () => new TextDecoder().decode(response.body.subarray(0, mostText));
  const findings = parsed.ok
    ? findingsInJson(parsed.value, sent)
    : /^\s*</.test(text())
      ? []
      : findingsIn(text(), sent);
  const found = findings.flatMap((finding) => complaintOf(finding, sent) ?? []);
  const byPath = Map.groupBy(found, ({ path }) => path.join('/'));
  // Of several complaints about one member, the most detailed one counts.
  const most = [...byPath.values()].map(
    (same) => same.toSorted((a, b) => detailsOf(b) - detailsOf(a))[0] as Complaint,
  );
  return most.slice(0, mostComplaints);
}

function complaintOf({ quoted, word, ...complaint }: Finding, sent: SentBody): Complaint | undefined {
  const called = word === undefined ? undefined : sent.called(word);
  if (called) return { ...complaint, path: called };
  if (complaint.path.length > 0) return { ...complaint, path: sent.asSent(complaint) };
  const path = quoted === undefined ? undefined : sent.holding(quoted);
  return path && { ...complaint, path };
}

const detailsOf = ({ type, of, allowed, isUnwanted }: Complaint): number =>
  [type, of, allowed, isUnwanted].filter((each) => each !== undefined).length;
