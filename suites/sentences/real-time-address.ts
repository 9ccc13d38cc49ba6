import { areas } from '../../catalog/catalog.ts';
import { clauseById } from '../../catalog/clauses/clauses.ts';
import { pass, violation } from '../../engine/judgement.ts';
import { check } from '../../engine/probe/check.ts';
import { successfulAnswer } from '../../engine/probe/gate.ts';
import { addressIn } from '../../engine/probe/matchers/address.ts';

const { realTimeUrl } = areas.general;

export const realTimeAddress = check(
  realTimeUrl,
  'address',
  clauseById('events.address'),
  'returns an address for real-time messaging',
  async (context) => {
    const gate = await successfulAnswer(realTimeUrl, context);
    if (!gate.open) return gate.judgement;
    const address = addressIn(gate.response);
    if (address !== undefined) return pass(gate.exchange, address.split('?', 1)[0]);
    const actual = gate.response.body.length === 0 ? 'an empty body' : 'no address anywhere in the body';
    return violation('a URL, or a host with its port', actual, gate.exchange);
  },
);
