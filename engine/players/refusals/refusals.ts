// Reads which members of a body, or which parameters of a query, a refusal names, in the format of any framework.
import { answerLeaves, answerText, type Exchange, json, sentJson } from '../../http/exchange.ts';
import { queryOf } from '../../values/text.ts';
import { type Complaint, type Finding, mostDetailed } from './complaint.ts';
import { allowedIn } from './demands.ts';
import { findingsInJson } from './json.ts';
import { type SentBody, sentBody } from './sent-body.ts';
import { findingsIn } from './sentences.ts';

const mostComplaints = 12;
const mostText = 2_000;

/**
 * The members that a refusal names, each once, with the names that were sent; none where it is an HTML page or names
 * none. A refusal that quotes a value alone means the member that was sent with it. For a GET, these are parameters.
 */
export function complaintsIn(refusal: Pick<Exchange, 'request' | 'response'>): readonly Complaint[] {
  if (refusal.response === undefined) return [];
  const isOfBody = refusal.request.method !== 'GET';
  const sent = sentBody(
    isOfBody ? sentJson(refusal) : Object.fromEntries(queryOf(refusal.request.url)),
    isOfBody,
  );
  const parsed = json(refusal.response);
  const text = parsed.ok ? '' : answerText(refusal);
  // The words of an HTML page are about the site.
  if (/^\s*</.test(text)) return [];
  const findings = parsed.ok ? findingsInJson(parsed.value, sent) : findingsIn(text, sent);
  const found = findings.flatMap((finding) => complaintOf(finding, sent) ?? []);
  const byPath = Map.groupBy(found, ({ path }) => path.join('/'));
  return Array.from(byPath.values(), mostDetailed).slice(0, mostComplaints);
}

/** The quoted words of a text: `Input should be 'all', 'storefront' or 'console'`. */
const quotedIn = (words: string): string[] => [
  ...new Set([...words.matchAll(/['`“‘]([A-Za-z][\w-]{0,30})['`”’]/g)].map(([, word = '']) => word)),
];

/**
 * The values that a refusal allows for the member or parameter of that name. Where it names no other, any list in its
 * texts counts, and where there is none, the words that it quotes.
 */
export function valuesAllowed(refusal: Exchange, name: string): readonly string[] {
  const complaints = complaintsIn(refusal);
  const about = complaints.find(({ path }) => path.at(-1)?.replace('[]', '') === name);
  const query = queryOf(refusal.request.url);
  const isSent = (parameter = '') => query.has(parameter) || query.has(`${parameter}[]`);
  // A complaint about a parameter that was not sent is a misreading.
  const isAlone = complaints.every((each) => each === about || !isSent(each.path.at(-1)));
  const texts = isAlone ? answerLeaves(refusal).map(({ value }) => String(value).slice(0, mostText)) : [];
  const allowed = about?.allowed ?? allowedIn(texts).allowed;
  if (allowed !== undefined) return allowed.map(String);
  if (!isAlone) return [];
  const sent = new Set(query.values());
  return quotedIn(answerText(refusal).slice(0, mostText)).filter((word) => word !== name && !sent.has(word));
}

function complaintOf({ quoted, word, ...complaint }: Finding, sent: SentBody): Complaint | undefined {
  const called = word === undefined ? undefined : sent.called(word);
  if (called) return { ...complaint, path: called };
  if (complaint.path.length > 0) return { ...complaint, path: sent.asSent(complaint) };
  const path = quoted === undefined ? undefined : sent.holding(quoted);
  return path && { ...complaint, path };
}
