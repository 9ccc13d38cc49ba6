// Chooses the body that a call is sent with, and remembers which of several an operation accepts.

import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { type Exchange, isAccepted, refusesInBody, statusOf } from '../http/exchange.ts';
import type { Target } from '../target/target.ts';
import { isObject } from '../values/json-walk.ts';
import { byName } from '../values/members.ts';
import { type Form, formOf, isGuess, type TemplateValues, type Written, write } from './body-template.ts';
import { guessesFor } from './candidate-bodies.ts';
import { asked, type Look, mended } from './mended-bodies.ts';
import { complaintsIn } from './refusals/refusals.ts';
import { atVersion } from './refusals/version-conflict.ts';

export interface Offer {
  /** Values for a form's placeholders, form by form, so that a value is looked for only where a form needs it. */
  readonly values: (form: Form) => Promise<TemplateValues>;
  readonly send: (written: Written) => Promise<Exchange>;
  /** Finds values of the target's own, for members that only its refusals name. */
  readonly look: Look;
}

type Offered =
  | { readonly kind: 'accepted'; readonly form: Form; readonly exchange: Exchange }
  /** No form was accepted: the first one that was sent, and its answer. */
  | { readonly kind: 'refused'; readonly form: Form; readonly exchange: Exchange }
  /** Nothing was sent, since every form needs a value that is unknown. */
  | { readonly kind: 'unwritable' };

export interface Bodies {
  /** The bodies that an operation may accept, likeliest first; only the profile's where it states one. */
  readonly forms: (operation: Operation) => readonly Form[];
  /** Sends the forms of a call without values of its own, one after another until one is accepted. Never rejects. */
  readonly offer: (operation: Operation, offer: Offer) => Promise<Offered>;
  /** Makes the body that the target's own description asks for. It comes before all guesses, or after an empty body. */
  readonly describe: (operation: Operation, look: Look) => Promise<void>;
  /** Records an accepted body that is in no list: it comes first from now on. */
  readonly learn: (operation: Operation, form: Form) => void;
  /** The accepted bodies of plain calls, by operation id, where that was not the likeliest form. */
  readonly chosen: () => ReadonlyMap<string, Form>;
}

/** Most forms that are tried to find one that a call accepts. */
const mostTries = 8;
/** Most bodies in a row, each made from the refusal of the one before: many targets name one member at a time. */
export const mostMended = 6;

/** Statuses that refuse a body. */
export const bodyRefusals: ReadonlySet<number> = new Set([400, 415, 422]);

/** Whether an answer refuses the body, not the request or caller; a refusal with a success status may do so. */
export const refusesBody = (exchange: Exchange): boolean =>
  bodyRefusals.has(statusOf(exchange)) || refusesInBody(exchange);

const namesMembers = (exchange: Exchange) => complaintsIn(exchange).length > 0;

export function createBodies({ profile, described }: Pick<Target, 'profile' | 'described'>): Bodies {
  const chosen = new Map<string, Form>();
  const learnt = new Map<string, Form>();
  const describedForms = new Map<string, Form | undefined>();

  const stated = ({ id }: Operation) => profile?.operations[id];
  const forms = (operation: Operation): readonly Form[] => {
    const { body: own, contentType } = stated(operation) ?? {};
    const session = operation === areas.auth.login ? profile?.session : undefined;
    const body = session?.body === undefined ? own : session.body;
    if (body !== undefined) return [formOf(body, 'profile', contentType)];
    const taken = learnt.get(operation.id);
    const wanted = describedForms.get(operation.id);
    const [plain, ...others] = guessesFor(operation);
    const first = described?.bodies[operation.id]?.isNeeded ? [wanted, plain] : [plain, wanted];
    return [taken, ...first, ...others].filter((form) => form !== undefined);
  };
  const describe = async (operation: Operation, look: Look) => {
    const members = described?.bodies[operation.id]?.members;
    if (members === undefined || describedForms.has(operation.id)) return;
    // Marked before the form is made: a call that looks for its values may use the same operation.
    describedForms.set(operation.id, undefined);
    describedForms.set(operation.id, await asked(operation, {}, members, look, { from: 'description' }));
  };

  const learn = (operation: Operation, form: Form) => {
    learnt.set(operation.id, form);
    chosen.set(operation.id, form);
  };

  /** Sends a guess with the current version, which its refusal states. The version is good for this one write alone. */
  const atItsVersion = async (
    operation: Operation,
    { form, exchange: refusal }: Pick<Extract<Offered, { readonly kind: 'refused' }>, 'form' | 'exchange'>,
    { values, send }: Pick<Parameters<Bodies['offer']>[1], 'values' | 'send'>,
  ): Promise<Offered | undefined> => {
    if (!isGuess(form) || !isObject(form.template)) return undefined;
    for (const template of atVersion(refusal, form.template)) {
      const versioned = { ...form, template };
      const writing = write(versioned, await values(versioned));
      if (!writing.ok) continue;
      const exchange = await send(writing.written);
      if (isAccepted(exchange, stated(operation)?.accepts))
        return { kind: 'accepted', form: versioned, exchange };
    }
    return undefined;
  };

  return {
    forms,
    learn,
    describe,

    async offer(operation, { values, send, look }) {
      await describe(operation, look);
      let first: Extract<Offered, { readonly kind: 'refused' }> | undefined;
      let last: typeof first;
      /** The first refusal that names members: the refusal of a list may only say that it is no object. */
      let naming: typeof first;
      let tries = 0;
      const offered = forms(operation);
      for (const form of offered) {
        if (tries === mostTries) break;
        const writing = write(form, await values(form));
        if (!writing.ok) continue;
        tries += 1;
        const exchange = await send(writing.written);
        if (isAccepted(exchange, stated(operation)?.accepts)) {
          if (form !== offered[0]) chosen.set(operation.id, writing.form);
          return { kind: 'accepted', form, exchange };
        }
        const refused = { kind: 'refused', form, exchange } as const;
        first ??= refused;
        last = refused;
        if (!refusesBody(exchange)) break;
        if (isGuess(form) && namesMembers(exchange)) naming ??= refused;
      }
      if (first === undefined) return { kind: 'unwritable' };
      const isOpen = isGuess(first.form) && refusesBody(first.exchange);
      let { form, exchange } = naming ?? first;
      for (let nth = 0; isOpen && nth < mostMended; nth += 1) {
        const next = await mended(operation, form, exchange, look);
        const writing = next && write(next, await values(next));
        if (next === undefined || !writing?.ok) break;
        form = next;
        exchange = await send(writing.written);
        if (isAccepted(exchange, stated(operation)?.accepts)) {
          learn(operation, form);
          return { kind: 'accepted', form, exchange };
        }
        last = { kind: 'refused', form, exchange };
        if (!refusesBody(exchange)) break;
      }
      return (await atItsVersion(operation, last ?? first, { values, send })) ?? first;
    },

    chosen: () => new Map([...chosen].sort(byName)),
  };
}
