// Records how the server answers a call whose credential was altered. The document leaves the scheme open, so nothing
// here fails.
import { spoiled } from '../../engine/http/ask.ts';
import { inconclusive, observed } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { answered, servedAnswer } from '../../engine/probe/prerequisites.ts';
import { besideSignedIn } from '../shared/beside-signed-in.ts';

export const spoiledCredential: Rule = {
  name: 'spoiled',
  title: 'how it answers a call with a spoiled credential',
  clause: 'open.spoiled',
  async judge(operation, context) {
    const missing = context.noSession();
    if (missing !== undefined) return inconclusive('no-session', missing);
    const signedIn = await servedAnswer(operation, context);
    const withSpoiled = answered(await context.ask(operation, { as: spoiled }));
    return observed(
      `with a spoiled credential: ${besideSignedIn(withSpoiled.exchange, signedIn.exchange)}`,
      withSpoiled.exchange,
    );
  },
};
