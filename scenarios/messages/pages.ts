// Follows the pages of a list, where an answer says how to ask for the next one, and checks that they make up the list.
import type { Operation } from '../../catalog/operation.ts';
import { waitForCopies } from '../../engine/compare/noise.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import type { Ask } from '../../engine/http/ask.ts';
import { answerLeaves, type Exchange, headerAll, isSuccess, statusOf } from '../../engine/http/exchange.ts';
import type { Leaf } from '../../engine/values/json-walk.ts';

/** Most pages of a list that are read. */
const mostPages = 12;

/** The targets of `Link` fields that lead to the next page (RFC 8288). */
const linkedNext = (answer: Exchange): string[] =>
  (answer.response ? headerAll(answer.response, 'link') : []).flatMap((field) =>
    [...field.matchAll(/<([^>]*)>([^<]*)/g)].flatMap(([, address = '', rest = '']) =>
      /;\s*rel\s*=\s*("[^"]*\bnext\b|next\b)/i.test(rest) ? [address] : [],
    ),
  );

/** How the next page is asked for. */
interface Next {
  readonly query: string;
  /** The parameter that takes the cursor or the position; undefined where the answer gives the address itself. */
  readonly parameter?: string;
  /** Whether it takes a position in the list, which may lie behind its end. */
  readonly isPosition?: true;
}

/**
 * How the next page may be asked for: by an address of the same path, in a `Link` field or at `next` in the body, or by
 * a cursor there, which is sent under its own name without `next`, or under a usual one.
 */
export function nextPages(answer: Exchange, { path }: Pick<Operation, 'path'>): readonly Next[] {
  const leaves = answerLeaves(answer);
  const named = leaves.flatMap(({ pointer, value }) =>
    typeof value === 'string' && /next/i.test(pointer) ? [value] : [],
  );
  const asked = URL.parse(answer.request.url);
  for (const address of [...linkedNext(answer), ...named]) {
    const url = URL.parse(address, answer.request.url);
    const isOther = url?.search !== '' && url?.search !== asked?.search;
    if (url?.pathname.endsWith(path) && isOther) return [{ query: url.search }];
  }
  return besideEntries(answer).flatMap(({ name, value }) =>
    (isCursor(value) ? cursorNames(name) : [])
      .filter((parameter) => asked?.searchParams.get(parameter) !== String(value))
      .map((parameter) => asking(answer, parameter, value)),
  );
}

/** The fields of a list, not of its entries; none where the answer says that no page comes after it. */
function besideEntries(answer: Exchange): readonly Leaf[] {
  const beside = answerLeaves(answer).filter(({ pointer }) => !/\/\d+(\/|$)/.test(pointer));
  return beside.some(({ name, value }) => /^(has|is)?_?(more|next)$/i.test(name) && value === false)
    ? []
    : beside;
}

/** The same call once more, with a parameter for another page. */
function asking({ request }: Exchange, parameter: string, value: unknown): Next {
  const query = new URL(request.url).searchParams;
  query.set(parameter, String(value));
  return { query: `?${query}`, parameter };
}

/**
 * The page after an answer that says where in the list it begins: at its `offset` and as many entries as it holds, or at
 * the `page` after its own.
 * @param held how many entries the answer holds
 */
export function nextPositions(answer: Exchange, held: number): readonly Next[] {
  const asked = new URL(answer.request.url).searchParams;
  return besideEntries(answer).flatMap(({ name, value }): Next[] => {
    const step = /^(offset|skip)$/i.test(name) ? held : /^page(_?number)?$/i.test(name) ? 1 : 0;
    const parameter = name.charAt(0).toLowerCase() + name.slice(1);
    const isHere = Number(asked.get(parameter) ?? value) === value;
    if (held === 0 || step === 0 || !isHere || !Number.isSafeInteger(value)) return [];
    return [{ ...asking(answer, parameter, Number(value) + step), isPosition: true }];
  });
}

/** Names of the parameter for a cursor that is called just `next`. */
const usualNames = ['cursor', 'next', 'after', 'offset'];

/** Parameters that may take a cursor: `cursor` for `cursor`, `nextCursor` or `next_cursor`; none for other fields. */
function cursorNames(name: string): readonly string[] {
  if (/^next$/i.test(name)) return usualNames;
  const [, isNext, bare = ''] = /^(next[_-]?)?(.*(?:cursor|token|marker|offset|page))$/i.exec(name) ?? [];
  if (isNext !== undefined) return [bare.charAt(0).toLowerCase() + bare.slice(1)];
  return /cursor|continuation/i.test(bare) ? [bare] : [];
}

const longestCursor = 2_048;

const isCursor = (value: unknown): boolean =>
  typeof value === 'string'
    ? value !== '' && value.length <= longestCursor && !/^(https?:|[/?])/.test(value)
    : Number.isSafeInteger(value) && Number(value) > 0;

interface Pages {
  readonly operation: Operation;
  /** The call for pages of that many entries. */
  readonly askFor: (limit: number) => Ask;
  /** Entries of a page in the first walk. */
  readonly limit: number;
  /** The ids of the entries of an answer. */
  readonly entries: (answer: Exchange) => readonly string[];
  /** Reads the ids of all entries of the list, where they are known. */
  readonly all: () => Promise<readonly string[]>;
  /** What an entry is, in words. */
  readonly what: string;
}

/**
 * Expects that the pages of the player's list, from the first to the last, hold each entry, and none twice; also where
 * one entry is left for the last page.
 */
export async function expectPages(context: StepContext<'player'>, pages: Pages): Promise<void> {
  const all = await pages.all();
  const leavingOne = all.length - 1;
  await expectWhole(context, pages, all, pages.limit);
  if (leavingOne > pages.limit) await expectWhole(context, pages, all, leavingOne, 'goes on');
}

/** @param known whether earlier answers gave a next page, so that none may be missing now */
async function expectWhole(
  context: StepContext<'player'>,
  pages: Pages,
  all: readonly string[],
  limit: number,
  known?: 'goes on',
): Promise<void> {
  const first = await walk(context, pages, { all, limit, known });
  if (first.fault === undefined) return;
  // The list may have grown, or one page may come from a lagging replica.
  await waitForCopies(context);
  const before = await pages.all();
  const { fault, last } = await walk(context, pages, { all: before, limit, known });
  const after = await pages.all();
  if (before.toSorted().join('\n') !== after.toSorted().join('\n'))
    context.cannotTell('unstable-answers', 'the list changes while its pages are read');
  context.expect(fault === undefined, `each ${pages.what} once in all pages`, fault ?? '', last);
}

interface Walk {
  readonly all: readonly string[];
  readonly limit: number;
  readonly known: 'goes on' | undefined;
}

async function walk(
  context: StepContext<'player'>,
  { operation, askFor, entries, what }: Pages,
  { all, limit, known }: Walk,
): Promise<{ readonly fault?: string; readonly last: Exchange }> {
  const found = new Set<string>();
  let last = await context.mustSucceed('player', operation, askFor(limit));
  const first = entries(last);
  const isNew = (answer: Exchange) =>
    isSuccess(answer) && entries(answer).length > 0 && entries(answer).join('\n') !== first.join('\n');
  const follow = ({ query, parameter }: Next) => {
    const path = `${operation.path}${query}`;
    return parameter === undefined
      ? context.mustSucceed('player', operation, { path })
      : context.send('player', operation, { path });
  };
  const furtherOf = (answer: Exchange) => {
    const pages = nextPages(answer, operation);
    return pages.length > 0 ? pages : nextPositions(answer, entries(answer).length);
  };
  let further = furtherOf(last);
  if (further.length === 0 && known === undefined)
    context.notTriggered('no answer gives the address of a next page, a cursor or a position');
  // A server may give fewer entries than it is asked for, and more too.
  if (known !== undefined && first.length !== limit) return { last };
  /** The parameter that takes the cursor: its name is a guess until one has an effect. */
  let taken: string | undefined;
  for (let page = 1; page <= mostPages; page += 1) {
    for (const entry of entries(last)) {
      if (found.has(entry)) return { fault: `page ${page} holds a ${what} once more: ${entry}`, last };
      found.add(entry);
    }
    const [next] = page === 1 ? further : further.filter(({ parameter }) => parameter === taken);
    if (next === undefined) break;
    last = await follow(next);
    if (page === 1 && next.parameter !== undefined) {
      taken = next.parameter;
      for (const other of further.slice(1)) {
        if (isNew(last)) break;
        last = await follow(other);
        taken = other.parameter;
      }
      if (!isNew(last)) context.notTriggered(`the cursor of a page is not taken as ${taken}`);
    }
    // A server may refuse what lies behind the end.
    if (next.isPosition && page > 1 && [400, 404, 416].includes(statusOf(last))) {
      further = [];
      break;
    }
    if (!isSuccess(last)) context.notTriggered(`the cursor of a page is not taken as ${taken}`);
    further = furtherOf(last);
  }
  const isEnd = further.every(({ parameter }) => parameter !== taken);
  const lost = isEnd ? all.find((entry) => !found.has(entry)) : undefined;
  return { ...(lost !== undefined && { fault: `no page holds a ${what} of the list: ${lost}` }), last };
}
