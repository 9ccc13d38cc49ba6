// Asks for less than nothing: a purchase or a spending of a negative number must not fill the wallet.
import { general } from '../../catalog/areas/general.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { BodyAsk, StepContext } from '../../engine/flow/step-context.ts';
import { type Exchange, isSuccess } from '../../engine/http/exchange.ts';
import { instantOf } from '../../engine/values/instant.ts';
import { isObject, parsedJson } from '../../engine/values/json-walk.ts';
import { currenciesIn, type Movement, movementsIn } from './effects.ts';

const counts = /quantity|amount|count|levels?$/i;
/** The number that is asked for. Its price is unlike a change that comes by itself. */
const number = -5;
/** How often the wallet has to grow: once, it may be an income that came just then. */
const rounds = 2;

/** The body with a negative number in each field that counts something, or in an added field `quantity`. */
function belowNothing(body: BodyAsk['body']): string | undefined {
  const members = typeof body === 'string' ? parsedJson(body) : {};
  if (!isObject(members)) return undefined;
  const counting = Object.keys(members).filter((name) => counts.test(name) && !isObject(members[name]));
  const names = counting.length > 0 ? counting : ['quantity'];
  return JSON.stringify({ ...members, ...Object.fromEntries(names.map((name) => [name, number])) });
}

type Growth = Pick<Movement, 'was' | 'is'>;

const countsWrites = /version|revision|sequence|count|time|stamp|at$/i;

/** A balance that is larger than before. Clocks and counts of writes are left out. */
function growth(before: Exchange, after: Exchange): Growth | undefined {
  const currencies = currenciesIn(before);
  return movementsIn(before, after).find(
    ({ labels, was, is }) =>
      is > was &&
      instantOf(was) === undefined &&
      !labels.isDisjointFrom(currencies) &&
      ![...labels].some((label) => countsWrites.test(label)),
  );
}

/**
 * Expects that the wallet holds no more after a call for less than nothing, each time that it is made.
 * @param asks calls that the target took or may take, each for one thing
 */
export async function expectNoGain<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  operation: Operation,
  asks: readonly BodyAsk[],
): Promise<void> {
  const wallet = () => context.mustSucceed(role, general.currencies);
  let last = await wallet();
  for (const ask of asks) {
    const likely = context.likeliestAsk(role, operation, ask);
    const body = belowNothing(likely.body);
    if (body === undefined) continue;
    let found: Growth | undefined;
    for (let round = 0; round < rounds; round += 1) {
      const before = last;
      if (!isSuccess(await context.send(role, operation, { ...likely, body }))) {
        found = undefined;
        break;
      }
      last = await wallet();
      found = growth(before, last);
      if (found === undefined) break;
    }
    if (found === undefined) continue;
    const grown = last;
    // An income that comes by itself also comes without the call.
    last = await wallet();
    if (growth(grown, last)) continue;
    const seen = `${found.is} in place of ${found.was}, after a call for ${number}`;
    context.expect(false, 'a wallet that holds no more than before', seen, grown);
  }
}
