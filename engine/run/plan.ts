// Plans a run: collects the checks of all suites, and selects those that `--only` names by id, glob, area or flow.
import { knownClause } from '../../catalog/clauses/clauses.ts';
import type { Effect } from '../../catalog/operation.ts';
import type { PlannedCheck } from '../judgement.ts';
import { type Check, planned, type Suite } from '../probe/check.ts';
import { quotedWord } from '../values/shell.ts';
import { didYouMean, globMatches } from '../values/text.ts';
import { typedWith } from '../values/typed-command.ts';

/** The names by which a word of --only selects a check: its id, its first operation, its area or flow, its rule. */
export function namesOf({ id, operation }: PlannedCheck): string[] {
  const [filed = ''] = [operation].flat();
  const [before = '', rule] = id.split('#', 2);
  const flow = before.includes('/') ? [before.split('/')[0] ?? ''] : [];
  return [id, filed, filed.split('.')[0] ?? '', ...flow, ...(rule === undefined ? [] : [`#${rule}`])];
}

/**
 * The ids of the checks that any word matches; all of them where there is no word.
 * @returns also the words that matched nothing
 */
export function select(
  checks: readonly PlannedCheck[],
  only: readonly string[],
): { readonly ids: readonly string[]; readonly unmatched: readonly string[] } {
  if (only.length === 0) return { ids: checks.map(({ id }) => id), unmatched: [] };
  const matchers = only.map((word) => ({ word, hit: false }));
  const ids = checks.filter((check) => {
    const names = namesOf(check);
    const hits = matchers.filter(({ word }) => names.some((name) => globMatches(word, name)));
    for (const matcher of hits) matcher.hit = true;
    return hits.length > 0;
  });
  return {
    ids: ids.map(({ id }) => id),
    unmatched: matchers.filter(({ hit }) => !hit).map(({ word }) => word),
  };
}

// The plan: all checks, and those that the run performs.

/** The selection of a run, as plain data, since it is sent to another thread. */
export interface Selection {
  /** Words of `--only`; without any, all checks are selected. */
  readonly only: readonly string[];
  /** In a rerun, the ids of the checks to repeat; undefined otherwise. */
  readonly again?: readonly string[] | undefined;
}

export interface Plan {
  readonly checks: readonly PlannedCheck[];
  /** The number of checks by the effect of their first operation. */
  readonly calls: Readonly<Record<Effect, number>>;
  /** Ids of all the checks there are. */
  readonly known: readonly string[];
  /** Words of the selection that match nothing, a line for each. */
  readonly mistakes: readonly string[];
}

/** The selected checks of these suites, as a plan lists them. */
export function planOf(suites: readonly Suite[], { only, again }: Selection): Plan {
  const all = suites.flatMap(({ checks }) => checks);
  const listed = all.map(planned);
  const { ids, unmatched } = select(listed, only);
  const chosen = again === undefined ? new Set(ids) : new Set(ids).intersection(new Set(again));
  const names = unmatched.length === 0 ? [] : [...new Set(listed.flatMap(namesOf))];
  return {
    checks: listed.filter(({ id }) => chosen.has(id)),
    calls: callsByEffect(all.filter(({ id }) => chosen.has(id))),
    known: listed.map(({ id }) => id),
    mistakes: unmatched.map((word) => {
      const words = word.split(',').filter((each) => each !== '');
      if (words.length > 1 && words.length <= mostNamed && select(listed, words).unmatched.length === 0)
        return `--only: "${word.slice(0, 80)}" matches nothing; put blanks between words: --only ${words.map(quotedWord).join(' ')}`;
      if (/^https?:/i.test(word))
        return `--only: it takes every word behind it, ${JSON.stringify(word.slice(0, 80))} too; put the URL before --only, or set BASE_URL`;
      return knownClause(word)
        ? `--only: "${word}" is a clause; ${typedWith('explain')} ${word} names its checks`
        : `--only: "${word.slice(0, 80)}" matches nothing${didYouMean(word, names, 3) || '.'} ${taken}`;
    }),
  };
}

/** Most words that a mistake repeats. */
const mostNamed = 20;

/** What a word of `--only` may be, each with an example. */
const taken =
  "A word names an area or a flow (party), an operation (party.create), a rule ('#answers'), a check ('party.create#answers'), a step (party/leave), or with * many of them ('party/invite*')";

function callsByEffect(checks: readonly Check[]): Record<Effect, number> {
  const calls: Record<Effect, number> = { read: 0, own: 0, shared: 0 };
  for (const { operations } of checks) calls[operations[0].effect] += 1;
  return calls;
}
