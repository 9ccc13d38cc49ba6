// Decides what a profile may state after a run: which operations succeed, and their bodies, reduced to the fields that
// matter by delta debugging (flows are played again and offered smaller bodies).

import { catalog, operationById } from '../../catalog/catalog.ts';
import type { InconclusiveReason, Judgement } from '../../engine/judgement.ts';
import type { Bodies } from '../../engine/players/bodies.ts';
import { type Form, formOf, isGuess } from '../../engine/players/body-template.ts';
import { guessesFor } from '../../engine/players/candidate-bodies.ts';
import { namesVersion } from '../../engine/players/refusals/version-conflict.ts';
import type { Check } from '../../engine/probe/check.ts';
import { type Json, parameterNames } from '../../engine/target/profile-validation.ts';
import { isObject } from '../../engine/values/json-walk.ts';
import { is4xx, is5xx } from '../../engine/values/status.ts';

export interface Played {
  readonly step: Pick<Check, 'level' | 'operations'>;
  readonly judgement: Judgement;
}

/** Reasons for which a step made no call, so that it shows nothing of its operations. */
const notAsked = new Set<InconclusiveReason>(['prerequisite-failed', 'needs-players', 'no-session']);

/**
 * Ids of the operations that a step passed with, and that no step failed with or could not judge: what was refused once
 * may be refused again, so a profile must not promise it.
 */
export function provedBySteps(played: readonly Played[]): Set<string> {
  const asserting = played.filter(({ step }) => step.level !== 'open');
  const idsOf = (those: readonly Played[]) =>
    new Set(those.flatMap(({ step }) => step.operations.map(({ id }) => id)));
  const doubted = idsOf(asserting.filter(({ judgement }) => isDoubt(judgement)));
  const passed = idsOf(asserting.filter(({ judgement }) => judgement.kind === 'pass'));
  return passed.difference(doubted);
}

export const isDoubt = (judgement: Judgement) =>
  judgement.kind === 'violation' || (judgement.kind === 'inconclusive' && !notAsked.has(judgement.reason));

// Bodies that a profile may state: a run with that profile sends no others.

/**
 * Chooses bodies by operation id: one whose effect was seen, or that the profile states. One that was merely accepted
 * may have done nothing, so it counts only where no body says more than who the player is.
 */
export function settledBodies(
  { chosen, forms }: Pick<Bodies, 'chosen' | 'forms'>,
  effective: ReadonlyMap<string, Form>,
): Map<string, Json> {
  const settled = new Map<string, Json>();
  const accepted = chosen();
  for (const operation of catalog) {
    const form = effective.get(operation.id) ?? accepted.get(operation.id);
    if (form === undefined || !form.carries.every(isKnown) || isForOneWrite(form)) continue;
    const tried = forms(operation);
    const isProved = effective.has(operation.id) || !isGuess(form);
    if (isProved || !tried.some(saysMore)) settled.set(operation.id, form.template);
  }
  return settled;
}

/**
 * Leaves out guessed bodies with which the plain call was refused: a body that works in a flow may not work alone, and
 * a refusal of a stated body counts against the target.
 * @param answers answers to plain calls with these bodies
 */
export function withoutRefused(
  settled: ReadonlyMap<string, Json>,
  effective: ReadonlyMap<string, Form>,
  answers: readonly { readonly id: string; readonly status: number }[],
): Map<string, Json> {
  const refused = new Set(answers.flatMap(({ id, status }) => (isRefusal(id, status) ? [id] : [])));
  return new Map([...settled].filter(([id]) => !effective.has(id) || !refused.has(id)));
}

/** Whether a status refuses the body: a server error, a body not understood, or no missing state to excuse it. */
function isRefusal(id: string, status: number): boolean {
  const operation = operationById(id);
  if (is5xx(status)) return true;
  if (operation === undefined || !is4xx(status) || status === 429) return false;
  if (status === 400 || status === 415 || status === 422) return true;
  const { mayBe404, precondition } = operation;
  return mayBe404 === 'never' && precondition !== 'follows' && !(precondition === 'once' && status === 409);
}

/** Whether a profile may name this placeholder; flows find the values of all others. */
const isKnown = (name: string) =>
  /^(?:(?:player|other)\.(?:id|name)|value|unique|now)$/.test(name) || parameterNames.includes(name);

/** A body that names the version of what it replaces is refused the next time. */
const isForOneWrite = (form: Form) =>
  isGuess(form) &&
  isObject(form.template) &&
  Object.entries(form.template).some(([name, value]) => namesVersion(name) && typeof value === 'number');

const saysMore = ({ carries, template }: Form) =>
  carries.some((name) => name !== 'player.id') ||
  (carries.length === 0 && JSON.stringify(template).length > 4);

/**
 * Returns the smaller bodies. Where a step no longer passes, its operations get back their larger bodies, and a body
 * that was not reduced is left out. Where it judges none of them, those of its area get back their larger bodies.
 * @param again steps that passed before, played by other players with the smaller bodies as a profile states them
 */
export function withoutBroken(
  smaller: ReadonlyMap<string, Json>,
  larger: ReadonlyMap<string, Json>,
  again: readonly Played[],
): Map<string, Json> {
  const kept = new Map(smaller);
  for (const { step } of again.filter(({ judgement }) => isDoubt(judgement))) {
    const ids = new Set(step.operations.map(({ id }) => id));
    const areas = new Set(step.operations.map(({ area }) => area));
    const isCited = smaller.keys().some((id) => ids.has(id));
    for (const [id, body] of smaller) {
      const isSuspect = isCited ? ids.has(id) : areas.has(operationById(id)?.area ?? '');
      const before = larger.get(id) ?? body;
      const isReduced = JSON.stringify(before) !== JSON.stringify(body);
      if (isSuspect && isReduced) kept.set(id, before);
      else if (isSuspect && isCited) kept.delete(id);
    }
  }
  return kept;
}

// Finds the fewest fields that a body needs.

/** Bodies by operation id, in the order in which they are to be tried. */
type Offers = ReadonlyMap<string, readonly Form[]>;

/** Most rounds: each plays the flows of all operations that are not settled. */
const mostRounds = 8;
/** Most bodies that one operation is offered in one round: each may be accepted without effect, which takes a wait. */
const mostOffers = 12;

/** Ways to make smaller bodies, tried in turn: single fields, all but a part, all but one (the last first). */
const cuts = [
  single,
  coarse,
  (names: readonly string[]) => names.map((_, at) => names.toSpliced(at, 1)).toReversed(),
] as const;

/**
 * @param effective bodies whose effect showed, by operation id
 * @param play plays flows with players who did not play before, and returns for each operation the bodies whose effect
 *   showed; scenarios may differ in which one they took
 * @returns the smallest bodies found, each with an effect in every scenario that had one with the larger body
 */
export async function fewestMembers(
  effective: ReadonlyMap<string, Form>,
  play: (offers: Offers) => Promise<Offers>,
): Promise<Map<string, Form>> {
  const smallest = new Map(effective);
  const open = new Map<string, { readonly cut: number; readonly smaller: readonly Form[] }>();
  const search = (id: string, cut: number) => {
    const smaller = candidates(id, smallest.get(id) as Form, cut);
    if (smaller.length === 0) open.delete(id);
    else open.set(id, { cut, smaller });
  };
  for (const id of effective.keys()) search(id, 0);
  for (let round = 0; round < mostRounds && open.size > 0; round += 1) {
    const offers = Array.from(
      open,
      ([id, { smaller }]) => [id, [...smaller, smallest.get(id) as Form]] as const,
    );
    const took = await play(new Map(offers));
    for (const [id, { cut, smaller }] of open) {
      const forms = took.get(id) ?? [];
      const agreed = forms.find((form) => forms.every((other) => holds(form, other)));
      if (agreed) {
        const isSmaller = sizeOf(agreed) < sizeOf(smallest.get(id) as Form);
        smallest.set(id, agreed);
        search(id, isSmaller ? Math.max(cut, 1) : cut + 1);
        continue;
      }
      // The scenarios agree on no body: drops the first one that any of them took, and keeps the others.
      const first = smaller.findIndex((form) =>
        forms.some((other) => holds(form, other) && holds(other, form)),
      );
      const left = smaller.toSpliced(Math.max(first, 0), 1);
      if (left.length > 0) open.set(id, { cut, smaller: left });
      else if (forms.length > 0) search(id, cut + 1);
      else open.delete(id);
    }
  }
  return smallest;
}

const membersOf = ({ template }: Form): [string, Json][] =>
  isObject(template) ? Object.entries(template) : [];

/** Returns whether the first body has all fields of the other. */
const holds = (form: Form, other: Form) => {
  const names = new Set(membersOf(form).map(([name]) => name));
  return membersOf(other).every(([name]) => names.has(name));
};

const sizeOf = (form: Form) => membersOf(form).length;

/** Smaller bodies than this one, likeliest first; none where it has one field, is no guess or every cut was tried. */
function candidates(id: string, form: Form, cut: number): Form[] {
  const members = membersOf(form);
  const choose = cuts[cut];
  if (choose === undefined || !isGuess(form) || members.length < 2) return [];
  const names = members.map(([name]) => name);
  // Bodies with a list come first: a list can name two of something, as some steps do.
  const lists = members.filter(([, value]) => Array.isArray(value)).map(([name]) => name);
  const hasList = (subset: readonly string[]) => lists.some((name) => subset.includes(name));
  const subsets = choose(names, id)
    .filter(({ length }) => length > 0 && length < names.length)
    .toSorted((a, b) => Number(hasList(b)) - Number(hasList(a)));
  const distinct = [...new Map(subsets.map((subset) => [subset.join('\n'), subset])).values()];
  return distinct.slice(0, mostOffers).map((subset) => {
    const template = Object.fromEntries(members.filter(([name]) => subset.includes(name)));
    return formOf(template, 'guess', form.contentType);
  });
}

/** Single fields, and the fields that a likely body of the operation has. */
function single(names: readonly string[], id: string): string[][] {
  const operation = operationById(id);
  const likely = (operation ? guessesFor(operation) : []).map((guess) =>
    membersOf(guess).map(([name]) => name),
  );
  const known = likely.filter((each) => each.every((name) => names.includes(name)));
  return [...known, ...names.map((name) => [name])].toSorted((a, b) => a.length - b.length);
}

/** All but a half, and all but a quarter. Drops later fields first: they repeat earlier ones in another spelling. */
function coarse(names: readonly string[]): string[][] {
  return [2, 4].flatMap((parts) => {
    const size = Math.ceil(names.length / parts);
    return Array.from({ length: parts }, (_, nth) => names.toSpliced(nth * size, size)).toReversed();
  });
}
