// Records how the server answers a call without a credential. The scheme is open, so nothing here fails.
import { nobody } from '../../engine/http/ask.ts';
import { observed } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { answered, servedAnswer } from '../../engine/probe/prerequisites.ts';
import { besideSignedIn } from '../shared/beside-signed-in.ts';

export const anonymous: Rule = {
  name: 'anonymous',
  title: 'how it answers a call without a credential',
  clause: 'open.anonymous',
  async judge(operation, context) {
    const signedIn = await servedAnswer(operation, context);
    const without = answered(await context.ask(operation, { as: nobody }));
    const behaviour =
      context.noSession() === undefined
        ? besideSignedIn(without.exchange, signedIn.exchange)
        : String(without.response.status);
    return observed(`without a credential: ${behaviour}`, without.exchange);
  },
};
