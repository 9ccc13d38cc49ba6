// Checks of the general calls: the general rules, the address of real-time messaging, and a redirect's parameter.
import { general } from '../catalog/areas/general.ts';
import { clauseById } from '../catalog/clauses/clauses.ts';
import type { Response } from '../engine/http/exchange.ts';
import { inconclusive, type Judgement, pass, violation } from '../engine/judgement.ts';
import { check, checksOf, suite } from '../engine/probe/check.ts';
import type { Context } from '../engine/probe/context.ts';
import { answered, servedAnswer, successfulAnswer } from '../engine/probe/gate.ts';
import { type Value, valuesOf } from '../engine/probe/matchers/json.ts';
import { is2xx } from '../engine/values/status.ts';
import { switchPoint } from '../engine/values/switch-points.ts';
import { askedPathAlone } from './rules/asked-path.ts';
import { endures } from './rules/bad-input.ts';
import { rules } from './rules/rules.ts';

const realTimeAddress = check(
  general.realTimeUrl,
  'address',
  clauseById('events.address'),
  'returns an address for real-time messaging',
  async (context) => {
    const gate = await successfulAnswer(general.realTimeUrl, context);
    const address = addressIn(gate.response);
    if (address !== undefined) return pass(gate.exchange, address.split('?', 1)[0]);
    const actual = gate.response.body.length === 0 ? 'an empty body' : 'no address anywhere in the body';
    return violation('a URL, or a host with its port', actual, gate.exchange);
  },
);

const isTaken = (status: number) => is2xx(status);

/**
 * Refused with it while taken without it: it does not exist. What it does is open, so `false` may honestly be answered
 * with "not allowed", though not with a server error.
 */
const redirectParameter = check(
  general.marketingRedirect,
  'redirect-parameter',
  clauseById('general.redirect-parameter'),
  'does not refuse shouldNotThrowOperationNotAllowed',
  async (context) => {
    const given = await servedAnswer(general.marketingRedirect, context);
    const { status } = given.response;
    if (isTaken(status)) return turnedRound(context);
    const path = askedPathAlone(given.exchange, general.marketingRedirect, context);
    const without = answered(await context.ask(general.marketingRedirect, { path }));
    if (isTaken(without.response.status))
      return violation(
        `${without.response.status}, as without the parameter`,
        `answered ${status} with it`,
        given.exchange,
      );
    return inconclusive(
      'prerequisite-failed',
      `refused with it (${status}) and without (${without.response.status})`,
      given.exchange,
    );
  },
);

async function turnedRound(context: Context): Promise<Judgement> {
  const judgement = await endures(general.marketingRedirect, context, {
    params: { shouldNotThrowOperationNotAllowed: 'false' },
  });
  return judgement.kind === 'violation' ? { ...judgement, onlyWarns: true } : judgement;
}

export default suite('general', [
  ...checksOf(Object.values(general), rules),
  realTimeAddress,
  redirectParameter,
]);

const url = /^[a-z][a-z0-9+.-]*:\/\/[^\s/]+/i;
const hostAndPort = /^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9.-]*[a-z0-9])?):\d{1,5}(\/\S*)?$/i;
const host = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+([a-z]{2,}|\d{1,3})(\/\S*)?$/i;
/** A longer text is no address that anything connects to; patterns with groups that repeat have no room for a megabyte. */
const longest = 2_048;
const saysAddress = /ur[li]|host|address|endpoint|server|domain|gateway/i;

/** The first address of an answer: a URL, a host with its port, or a host under a name that says it is one. */
export const addressIn = switchPoint(function addressIn(response: Response): string | undefined {
  return valuesOf(response).find(isAddress)?.value as string | undefined;
});

function isAddress({ name, value }: Value): boolean {
  if (typeof value !== 'string' || value.length > longest) return false;
  if (url.test(value) || hostAndPort.test(value)) return true;
  if (name !== '' && !saysAddress.test(name)) return false;
  return host.test(value) || value === 'localhost' || /^\/\/?[a-z0-9]\S*$/i.test(value);
}
