import { areas } from '../../catalog/catalog.ts';
import { clauseById } from '../../catalog/clauses/clauses.ts';
import { type Exchange, text } from '../../engine/http/exchange.ts';
import { pass, violation, warning } from '../../engine/judgement.ts';
import { check } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import { successfulAnswer } from '../../engine/probe/gate.ts';
import { keyIn } from '../../engine/probe/matchers/public-key.ts';

const expected = 'a public key: PEM, JWK, DER in base64, or a form of its own';

export const publicKey = check(
  areas.auth.publicKey,
  'public-key',
  clauseById('auth.public-key'),
  'returns a public key',
  async (context) => {
    const gate = await successfulAnswer(areas.auth.publicKey, context);
    if (!gate.open) return gate.judgement;
    const { exchange, response } = gate;
    const key = keyIn(response);
    switch (key.kind) {
      case 'public':
        return pass(exchange, `a public key as ${key.form}`);
      case 'perhaps': {
        const why = await whyNoKey(key.texts, exchange, context);
        if (why !== undefined) return warning(expected, why, exchange);
        return pass(exchange, 'what may be a key in a form of its own');
      }
      case 'named otherwise':
        return warning(expected, 'what is named as the id or the token of a call', exchange);
      case 'private':
        return violation(expected, `private or shared key material (${key.form})`, exchange);
      case 'damaged':
        return violation(expected, `a key that cannot be read (${key.form})`, exchange);
      case 'none':
        return violation(
          expected,
          response.body.length === 0 ? 'an empty body' : 'nothing that could be a key',
          exchange,
        );
    }
  },
);

/** A key stays and is told here alone: what is another each time, or is told elsewhere too, names a call or a server. */
async function whyNoKey(
  texts: readonly string[],
  exchange: Exchange,
  { ask }: Context,
): Promise<string | undefined> {
  const { publicKey: row } = areas.auth;
  const repeats = [await ask(row, { nth: 2 }), await ask(row, { nth: 3 })].filter(
    ({ response }) => response?.status === 200,
  );
  const isIn = ({ response }: Exchange, key: string) =>
    response !== undefined && text(response).includes(key);
  const staying = texts.filter((key) => repeats.length === 0 || repeats.some((again) => isIn(again, key)));
  if (staying.length === 0) return 'only what is another in each answer, as the id of a request is';
  const elsewhere = await ask(areas.general.healthcheck);
  const own = staying.filter(
    (key) => !isIn(elsewhere, key) && !exchange.response?.headers.some(([, value]) => value.includes(key)),
  );
  return own.length === 0 ? 'only what stands in other answers or in headers too' : undefined;
}
