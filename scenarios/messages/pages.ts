// Follows the pages of a list, where an answer gives the address of the next one, and checks that they make up the list.
import type { Operation } from '../../catalog/operation.ts';
import { waitForCopies } from '../../engine/compare/noise.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import type { Ask } from '../../engine/http/ask.ts';
import { answerLeaves, type Exchange, headerAll } from '../../engine/http/exchange.ts';

/** Further pages of a list that is longer are not read. */
const mostPages = 12;

/** The targets of `Link` fields that lead to the next page (RFC 8288). */
const linkedNext = (answer: Exchange): string[] =>
  (answer.response ? headerAll(answer.response, 'link') : []).flatMap((field) =>
    [...field.matchAll(/<([^>]*)>([^<]*)/g)].flatMap(([, address = '', rest = '']) =>
      /;\s*rel\s*=\s*("[^"]*\bnext\b|next\b)/i.test(rest) ? [address] : [],
    ),
  );

/** The query of the next page: of an address of the same path, in a `Link` field or at `next` in the body. */
export function nextQuery(answer: Exchange, { path }: Pick<Operation, 'path'>): string | undefined {
  const named = answerLeaves(answer).flatMap(({ pointer, value }) =>
    typeof value === 'string' && /next/i.test(pointer) ? [value] : [],
  );
  const asked = URL.parse(answer.request.url);
  for (const address of [...linkedNext(answer), ...named]) {
    const url = URL.parse(address, answer.request.url);
    if (url?.pathname.endsWith(path) && url.search !== '' && url.search !== asked?.search) return url.search;
  }
  return undefined;
}

interface Pages {
  readonly operation: Operation;
  readonly ask: Ask;
  /** What identifies the entries of an answer. */
  readonly entries: (answer: Exchange) => readonly string[];
  /** Reads what identifies all entries of the list, where that is known. */
  readonly all: () => Promise<readonly string[]>;
  /** What an entry is, in words. */
  readonly what: string;
}

/** Expects that the pages of a list, from the first to the last, hold each entry, and none twice. */
export async function expectPages<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  pages: Pages,
): Promise<void> {
  const first = await walk(context, role, pages, await pages.all());
  if (first.fault === undefined) return;
  // The list may have grown, or one page may be of a copy that lags.
  await waitForCopies(context);
  const before = await pages.all();
  const { fault, last } = await walk(context, role, pages, before);
  const after = await pages.all();
  if (before.toSorted().join('\n') !== after.toSorted().join('\n'))
    context.cannotTell('unstable-answers', 'the list changes while its pages are read');
  context.expect(fault === undefined, `each ${pages.what} once in all pages`, fault ?? '', last);
}

async function walk<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  { operation, ask, entries, what }: Pages,
  all: readonly string[],
): Promise<{ readonly fault?: string; readonly last: Exchange }> {
  const found = new Set<string>();
  let last = await context.done(role, operation, ask);
  let next = nextQuery(last, operation);
  if (next === undefined) context.notTriggered('no answer gives the address of a next page');
  for (let page = 1; page <= mostPages; page += 1) {
    for (const entry of entries(last)) {
      if (found.has(entry)) return { fault: `page ${page} holds a ${what} once more: ${entry}`, last };
      found.add(entry);
    }
    if (next === undefined) break;
    last = await context.done(role, operation, { path: `${operation.path}${next}` });
    next = nextQuery(last, operation);
  }
  const lost = next === undefined ? all.find((entry) => !found.has(entry)) : undefined;
  return { ...(lost !== undefined && { fault: `no page holds a ${what} of the list: ${lost}` }), last };
}
