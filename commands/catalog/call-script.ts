// Turns selected operations into a script of calls, with the calls that they need and a source for every variable. A
// draft is a call as every tool sends it (request-draft.ts); `formats` writes it for one tool.
import type { Operation } from '../../catalog/operation.ts';
import { ownMember } from '../../engine/values/members.ts';
import { callOrder, type Step } from './call-order.ts';
import { type Draft, draftOf } from './request-draft.ts';
import { hosts, type TargetFacts } from './target-facts.ts';

interface Variables {
  /** Values that are known beforehand; the user fills in those that are empty. */
  readonly values: Readonly<Record<string, string>>;
  /** Given by the user who runs the script, and not written into it. */
  readonly secrets: readonly string[];
  /** Which of `value` (one text for the run), `unique` and `now` are used. */
  readonly generated: readonly string[];
}

/** The variables that hold the login tokens of the two players. */
export const tokens: readonly string[] = ['loginToken', 'otherLoginToken'];
const generated = ['value', 'unique', 'now'];

/** The variables that these drafts use, except hosts and captured values. */
function variablesOf(drafts: readonly Draft[], facts: TargetFacts): Variables {
  const used = [...new Set(drafts.flatMap(({ uses }) => uses))];
  const capturedVariables = new Set(
    drafts.flatMap(({ captures }) => captures.map(({ variable }) => variable)),
  );
  const given = facts.headers.flatMap((header) => ('variable' in header ? [header.variable] : []));
  const secrets = [...tokens.filter((name) => used.includes(name)), ...new Set(given)];
  const others = new Set([
    ...Object.values(hosts).map(({ variable }) => variable as string),
    ...secrets,
    ...generated,
  ]);
  const values = used
    .filter((name) => !others.has(name) && !capturedVariables.has(name))
    .map((name) => [name, ownMember(facts.parameters, name) ?? '']);
  return {
    values: Object.fromEntries(values),
    secrets,
    generated: generated.filter((name) => used.includes(name)),
  };
}

export interface Script extends Variables {
  readonly chapters: readonly { readonly title: string; readonly drafts: readonly Draft[] }[];
  /** Those of all chapters. */
  readonly drafts: readonly Draft[];
}

/**
 * The selected operations, each once, and the calls that they need, in the order of `callOrder`. Leaves out operations
 * that the profile omits.
 */
export function scriptOf(selected: readonly Operation[], facts: TargetFacts): Script {
  const drafts = draftsOf(facts);
  const wanted = new Set<Step>();
  const want = (step: Step) => {
    if (wanted.has(step) || !drafts.has(step)) return;
    wanted.add(step);
    for (const needed of needsOf(step, drafts)) want(needed);
  };
  for (const [step] of drafts) if (step.again === undefined && selected.includes(step.operation)) want(step);
  const used = new Set([...wanted].flatMap((step) => drafts.get(step)?.uses ?? []));
  const kept = (step: Step): Draft[] => {
    const draft = wanted.has(step) ? drafts.get(step) : undefined;
    return draft ? [{ ...draft, captures: draft.captures.filter(({ variable }) => used.has(variable)) }] : [];
  };
  const chapters = callOrder
    .map(({ title, steps }) => ({ title, drafts: steps.flatMap(kept) }))
    .filter((chapter) => chapter.drafts.length > 0);
  const all = chapters.flatMap((chapter) => chapter.drafts);
  return { chapters, drafts: all, ...variablesOf(all, facts) };
}

/** Drafts every step. The first answer that holds an identifier gives it, unless the call order names another. */
function draftsOf(facts: TargetFacts): Map<Step, Draft> {
  const capturedVariables = new Set<string>();
  const drafts = new Map<Step, Draft>();
  for (const step of callOrder.flatMap(({ steps }) => steps)) {
    if (facts.omitted.includes(step.operation.id)) continue;
    const draft = draftOf(step, facts);
    const captures = draft.captures.filter(
      ({ variable }) => !capturedVariables.has(variable) || Object.hasOwn(step.gives, variable),
    );
    for (const { variable } of captures) capturedVariables.add(variable);
    drafts.set(step, { ...draft, captures });
  }
  return drafts;
}

/** Steps that have to be done before this one, and the nearest steps before it that capture the variables it uses. */
function needsOf(step: Step, drafts: ReadonlyMap<Step, Draft>): Step[] {
  const before = [...drafts.keys()].slice(0, [...drafts.keys()].indexOf(step)).reverse();
  const capturing = (drafts.get(step)?.uses ?? []).flatMap((variable) => {
    const nearest = before.find((each) =>
      drafts.get(each)?.captures.some((capture) => capture.variable === variable),
    );
    return nearest ?? [];
  });
  return [...step.after, ...capturing];
}
