// Follows the pages of a list, where an answer gives the address of the next one, and checks that they make up the list.
import type { Operation } from '../../catalog/operation.ts';
import { waitForCopies } from '../../engine/compare/noise.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import type { Ask } from '../../engine/http/ask.ts';
import { answerLeaves, type Exchange, headerAll, isSuccess } from '../../engine/http/exchange.ts';

/** Further pages of a list that is longer are not read. */
const mostPages = 12;

/** The targets of `Link` fields that lead to the next page (RFC 8288). */
const linkedNext = (answer: Exchange): string[] =>
  (answer.response ? headerAll(answer.response, 'link') : []).flatMap((field) =>
    [...field.matchAll(/<([^>]*)>([^<]*)/g)].flatMap(([, address = '', rest = '']) =>
      /;\s*rel\s*=\s*("[^"]*\bnext\b|next\b)/i.test(rest) ? [address] : [],
    ),
  );

/** Where the next page is. */
interface Next {
  readonly query: string;
  /** The parameter that takes the cursor; undefined where the answer gives the address itself. */
  readonly parameter?: string;
}

/**
 * The next page: at an address of the same path, in a `Link` field or at `next` in the body, or behind a cursor there, which
 * goes back under the name that it has without its `next`.
 */
export function nextPage(answer: Exchange, { path }: Pick<Operation, 'path'>): Next | undefined {
  const leaves = answerLeaves(answer);
  const named = leaves.flatMap(({ pointer, value }) =>
    typeof value === 'string' && /next/i.test(pointer) ? [value] : [],
  );
  const asked = URL.parse(answer.request.url);
  for (const address of [...linkedNext(answer), ...named]) {
    const url = URL.parse(address, answer.request.url);
    const isOther = url?.search !== '' && url?.search !== asked?.search;
    if (url?.pathname.endsWith(path) && isOther) return { query: url.search };
  }
  // What stands in an entry is the entry's own.
  const beside = leaves.filter(({ pointer }) => !/\/\d+(\/|$)/.test(pointer));
  if (beside.some(({ name, value }) => /^(has|is)?_?(more|next)$/i.test(name) && value === false))
    return undefined;
  for (const { name, value } of beside) {
    const parameter = cursorName(name);
    if (parameter === undefined || !isCursor(value)) continue;
    const query = new URLSearchParams(asked?.search);
    if (query.get(parameter) === String(value)) continue;
    query.set(parameter, String(value));
    return { query: `?${query}`, parameter };
  }
  return undefined;
}

/** `cursor` for `cursor`, `nextCursor` or `next_cursor`; undefined of what names no cursor. */
function cursorName(name: string): string | undefined {
  const [, isNext, bare = ''] = /^(next[_-]?)?(.*(?:cursor|token|marker|offset|page))$/i.exec(name) ?? [];
  if (isNext !== undefined) return bare.charAt(0).toLowerCase() + bare.slice(1);
  return /cursor|continuation/i.test(bare) ? bare : undefined;
}

const longestCursor = 2_048;

const isCursor = (value: unknown): boolean =>
  typeof value === 'string'
    ? value !== '' && value.length <= longestCursor && !/^(https?:|[/?])/.test(value)
    : Number.isSafeInteger(value) && Number(value) > 0;

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
  const pages: (readonly string[])[] = [];
  let last = await context.done(role, operation, ask);
  let next = nextPage(last, operation);
  /** The parameter by which this page was asked for; its name is a guess. */
  let guessed: string | undefined;
  if (next === undefined) context.notTriggered('no answer gives the address of a next page, or a cursor');
  for (let page = 1; page <= mostPages; page += 1) {
    const shown = entries(last);
    const isKnown = pages.some((earlier) => earlier.join('\n') === shown.join('\n'));
    if (guessed !== undefined && (isKnown || (page === 2 && shown.length === 0)))
      context.notTriggered(`the cursor of a page is not taken as ${guessed}`);
    pages.push(shown);
    for (const entry of shown) {
      if (found.has(entry)) return { fault: `page ${page} holds a ${what} once more: ${entry}`, last };
      found.add(entry);
    }
    if (next === undefined) break;
    guessed = next.parameter;
    const path = `${operation.path}${next.query}`;
    last = await (guessed === undefined
      ? context.done(role, operation, { path })
      : context.put(role, operation, { path }));
    if (guessed !== undefined && !isSuccess(last))
      context.notTriggered(`the cursor of a page is not taken as ${guessed}`);
    next = nextPage(last, operation);
  }
  const lost = next === undefined ? all.find((entry) => !found.has(entry)) : undefined;
  return { ...(lost !== undefined && { fault: `no page holds a ${what} of the list: ${lost}` }), last };
}
