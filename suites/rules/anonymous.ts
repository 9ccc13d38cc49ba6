// What a call is answered without a credential, and with one that is spoiled. The scheme is open: nothing here fails.
import { areas } from '../../catalog/catalog.ts';
import { clauseById } from '../../catalog/clauses/clauses.ts';
import type { Operation } from '../../catalog/operation.ts';
import { sameOutline } from '../../engine/compare/outline.ts';
import { type Ask, nobody, spoiled } from '../../engine/http/ask.ts';
import type { Exchange } from '../../engine/http/exchange.ts';
import { inconclusive, observed } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import { answered, servedAnswer } from '../../engine/probe/gate.ts';
import { mayPass } from '../../engine/probe/matchers/framing.ts';

const publicRows: readonly Operation[] = [areas.auth.login, areas.auth.publicKey, areas.general.healthcheck];

/** Rows of the main API that a credential may be asked for. */
export const mayAskCredential = (operation: Operation) =>
  operation.host === 'base' && !publicRows.includes(operation);

/** What whoever is not signed in is answered; asked once more where a server error may pass. */
export async function toStranger(operation: Operation, { ask }: Context, stranger: Ask): Promise<Exchange> {
  const first = await ask(operation, stranger);
  return mayPass(first) ? ask(operation, { ...stranger, nth: 0 }) : first;
}

const isTaken = ({ response }: Exchange) =>
  response !== undefined && response.status >= 200 && response.status < 300;

function told(exchange: Exchange, signedIn: Exchange): string {
  const status = String(exchange.response?.status ?? '');
  const isLikeSignedIn =
    exchange.response?.status === signedIn.response?.status && sameOutline(exchange, signedIn);
  if (!isTaken(exchange)) return isLikeSignedIn ? `${status}, as signed in` : status;
  return isLikeSignedIn
    ? `${status}, in the same form as signed in`
    : `${status}, in another form than signed in`;
}

export const anonymous: Rule = {
  name: 'anonymous',
  title: 'what it answers without a credential',
  clause: () => clauseById('open.anonymous'),
  applies: mayAskCredential,
  async judge(operation, context) {
    const signedIn = await servedAnswer(operation, context);
    if (!signedIn.open) return signedIn.judgement;
    const without = answered(await context.ask(operation, { as: nobody }));
    if (!without.open) return without.judgement;
    const behaviour =
      context.noSession() === undefined
        ? told(without.exchange, signedIn.exchange)
        : String(without.response.status);
    return observed(`without a credential: ${behaviour}`, without.exchange);
  },
};

export const spoiledCredential: Rule = {
  name: 'spoiled',
  title: 'what it answers with a spoiled credential',
  clause: () => clauseById('open.spoiled'),
  applies: mayAskCredential,
  async judge(operation, context) {
    const missing = context.noSession();
    if (missing !== undefined) return inconclusive('no-session', missing);
    const signedIn = await servedAnswer(operation, context);
    if (!signedIn.open) return signedIn.judgement;
    const with_ = answered(await context.ask(operation, { as: spoiled }));
    if (!with_.open) return with_.judgement;
    return observed(`with a spoiled credential: ${told(with_.exchange, signedIn.exchange)}`, with_.exchange);
  },
};
