import { areas } from '../../fixtures/catalog/catalog.ts';
import { clauseById } from '../../fixtures/catalog/clauses/register.ts';
import { check } from '../../fixtures/check/check.ts';
import { successfulAnswer } from '../../fixtures/check/gate.ts';
import { keyIn } from '../../fixtures/check/matchers/public-key.ts';
import { pass, violation } from '../../fixtures/check/verdict.ts';

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
      case 'perhaps':
        return pass(exchange, 'what may be a key in a form of its own');
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
