// Checks of the general calls: the general rules, the address of real-time messaging, a redirect's parameter, the
// consents that need attention, and the order of client versions.
import { general } from '../catalog/areas/general.ts';
import { clauseById } from '../catalog/clauses/clauses.ts';
import { differences } from '../engine/compare/compare.ts';
import { answerLeaves, type Exchange, type Response, sentJson, statusOf } from '../engine/http/exchange.ts';
import { inconclusive, type Judgement, notTriggered, pass, violation } from '../engine/judgement.ts';
import { check } from '../engine/probe/check.ts';
import type { Context } from '../engine/probe/context.ts';
import { jsonIn, type Value, valuesOf } from '../engine/probe/matchers/json.ts';
import { type Answered, answered, servedAnswer, successfulAnswer } from '../engine/probe/prerequisites.ts';
import { entriesOf, isNested, leavesOf, pointerTo, withTexts } from '../engine/values/json-walk.ts';
import { is2xx, is5xx } from '../engine/values/status.ts';
import { switchPoint } from '../engine/values/switch-points.ts';
import { areaSuite } from './rules/rules.ts';
import { askedPathAlone } from './shared/asked-path.ts';
import { expectNoServerError } from './shared/bad-input.ts';
import { keepsOut } from './shared/kept-out.ts';

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

/**
 * A server that refuses the call with the parameter and accepts it without does not know the parameter. The parameter's
 * effect is open: with `false` the call may be answered "not allowed", but not with a server error.
 */
const redirectParameter = check(
  general.marketingRedirect,
  'redirect-parameter',
  clauseById('general.redirect-parameter'),
  'does not refuse shouldNotThrowOperationNotAllowed',
  async (context) => {
    const given = await servedAnswer(general.marketingRedirect, context);
    const { status } = given.response;
    if (is2xx(status)) return judgeWithFalse(context);
    const path = askedPathAlone(given.exchange, general.marketingRedirect, context);
    const without = answered(await context.ask(general.marketingRedirect, { path }));
    if (is2xx(without.response.status))
      return violation(
        `${without.response.status}, as without the parameter`,
        `answered ${status} with it`,
        given.exchange,
      );
    return (
      (await isIgnored(given, context)) ??
      inconclusive(
        'prerequisite-failed',
        `refused with it (${status}) and without (${without.response.status})`,
        given.exchange,
      )
    );
  },
);

/** The finding of the same 403 with the parameter and with its opposite: by its name, the parameter prevents that. */
async function isIgnored({ exchange, response }: Answered, context: Context): Promise<Judgement | undefined> {
  if (response.status !== 403) return undefined;
  const opposite = { params: { shouldNotThrowOperationNotAllowed: 'false' } };
  const other = answered(await context.ask(general.marketingRedirect, opposite));
  if (differences(exchange, other.exchange).size > 0) return undefined;
  return {
    ...violation(
      'another answer than with false: it is asked not to refuse',
      'answered 403 with both',
      exchange,
    ),
    level: 'inferred',
  };
}

async function judgeWithFalse(context: Context): Promise<Judgement> {
  const judgement = await expectNoServerError(general.marketingRedirect, context, {
    params: { shouldNotThrowOperationNotAllowed: 'false' },
  });
  return judgement.kind === 'violation' ? { ...judgement, onlyWarns: true } : judgement;
}

/** Which consents need attention is open, but all of them have to be listed with `false` too. */
const attentionNeeded = check(
  general.consent,
  'attention-needed',
  clauseById('sense.attention-needed'),
  'with onlyAttentionNeeded=true shows no consent that it does not show with false',
  async (context) => {
    const all = await successfulAnswer(general.consent, context);
    const few = answered(await context.ask(general.consent, { params: { onlyAttentionNeeded: 'true' } }));
    const { status } = few.response;
    if (is5xx(status)) return violation('an answer, as with false', `answered ${status}`, few.exchange);
    if (!is2xx(status)) return notTriggered(`true is answered ${status}`);
    const again = answered(await context.ask(general.consent, { nth: 2 }));
    const found = strayEntry(listsIn(few.response), [all.response, again.response].map(listsIn));
    if (found === undefined) return pass(few.exchange);
    return violation('consents that are shown with false as well', found, few.exchange);
  },
);

/** Whether a value has the form of a game client's version. */
const isVersion = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{1,4}(?:\.\d{1,4}){1,3}$/.test(value);

/** The plain call's body with another version, or likely fields where the plain call names no version. */
function bodyFor(plain: Exchange, version: string): string {
  const sent = sentJson(plain);
  const isNamed = leavesOf(sent).some(({ value }) => isVersion(value));
  const members = { clientVersion: version, version, gameVersion: version };
  return JSON.stringify(isNamed ? withTexts(sent, (text) => (isVersion(text) ? version : text)) : members);
}

/** What an answer says about a client's version, without the versions that it names. */
const saidIn = (answer: Exchange): string =>
  JSON.stringify([
    statusOf(answer),
    answerLeaves(answer)
      .filter(({ value }) => !isVersion(value))
      .map(({ pointer, value }) => `${pointer} ${value}`)
      .sort(),
  ]);

/** Finds a version that is newer by number but answered as outdated, while another newer one is not. */
const clientVersionOrder = check(
  general.checkClientVersion,
  'version-order',
  clauseById('sense.version-order'),
  'compares the versions of clients by number',
  async (context) => {
    const { exchange } = await successfulAnswer(general.checkClientVersion, context);
    const [sent] = leavesOf(sentJson(exchange)).flatMap(({ value }) => (isVersion(value) ? [value] : []));
    const [major = '1', ...rest] = (sent ?? '1.0.0').split('.');
    const later = rest.slice(1).map(() => '0');
    const asked = (...parts: readonly string[]) =>
      context.ask(general.checkClientVersion, { body: bodyFor(exchange, [...parts, ...later].join('.')) });
    const outdated = [await asked('0', '0'), await asked(major, '0')].map(saidIn);
    for (const [newer, newest] of [
      [
        ['99', '0'],
        ['100', '0'],
      ],
      [
        [major, '99'],
        [major, '100'],
      ],
    ] as const) {
      const [one, other] = [await asked(...newer), await asked(...newest)];
      if (saidIn(other) === saidIn(one) || !outdated.includes(saidIn(other))) continue;
      const [lower, higher] = [newer, newest].map((parts) => [...parts, ...later].join('.'));
      const expected = `${higher} is answered as ${lower} is`;
      return { ...violation(expected, 'as a version that is outdated', other), control: one };
    }
    return pass(exchange);
  },
);

export default areaSuite(
  'general',
  general,
  keepsOut(general.richPresence),
  realTimeAddress,
  redirectParameter,
  attentionNeeded,
  clientVersionOrder,
);

type Lists = ReadonlyMap<string, readonly unknown[]>;

const deepest = 6;
const mostMembers = 10_000;

/** The lists of an answer by JSON Pointer; lists within lists are parts of their entries. */
function listsIn(response: Response): Lists {
  const lists = new Map<string, readonly unknown[]>();
  const parsed = jsonIn(response);
  const walk = (value: unknown, pointer: string, depth: number): void => {
    if (!isNested(value) || depth > deepest) return;
    if (Array.isArray(value)) lists.set(pointer, value);
    else
      for (const [name, member] of entriesOf(value, mostMembers))
        walk(member, pointerTo(pointer, name), depth + 1);
  };
  if ('value' in parsed) walk(parsed.value, '', 0);
  return lists;
}

/** What a list shows that the same list in the other answers lacks, in words; undefined where it may be a part. */
function strayEntry(lists: Lists, others: readonly Lists[]): string | undefined {
  for (const [pointer, entries] of lists) {
    const wholes = others.map((other) => other.get(pointer));
    const known = wholes.filter((whole) => whole !== undefined);
    if (known.length < wholes.length) continue;
    if (known.every((whole) => entries.length > whole.length))
      return `${entries.length} entries at ${pointer || 'the root'}, where false shows ${known[0]?.length}`;
    const marks = known.map((whole) => new Set(whole.flatMap(textsOf)));
    // An entry may have more texts than in the other answers, but has to share one with them.
    const stray = entries.find((entry) => {
      const texts = textsOf(entry);
      return (
        texts.length > 0 && marks.every((mark) => mark.size > 0 && !texts.some((text) => mark.has(text)))
      );
    });
    if (stray !== undefined) return `an entry at ${pointer || 'the root'} of which false says nothing`;
  }
  return undefined;
}

/** The texts of an entry that identify it. Versions are left out, since two consents may have the same. */
const textsOf = (entry: unknown): string[] => {
  const values = isNested(entry) ? Object.values(entry) : [entry];
  return values.filter((value) => typeof value === 'string' && !/^v?[\d.]*$/.test(value)) as string[];
};

const url = /^[a-z][a-z0-9+.-]*:\/\/[^\s/]+/i;
const hostAndPort = /^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9.-]*[a-z0-9])?):\d{1,5}(\/\S*)?$/i;
const host = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+([a-z]{2,}|\d{1,3})(\/\S*)?$/i;
/** Characters; a longer text is no address, and the patterns may overflow on a megabyte. */
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
