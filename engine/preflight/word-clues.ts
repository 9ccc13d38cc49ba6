// Finds words of the target's own that are worth trying: in answers, its description, host names and the settings.
import type { Word } from '../../catalog/words.ts';
import { type Exchange, header, isSuccess } from '../http/exchange.ts';
import { claimsIn } from '../players/forged-jwt.ts';
import type { Discovery } from '../players/sign-in-discovery.ts';
import { valuesOf } from '../probe/matchers/json.ts';
import type { SessionTransport } from '../target/session-transport.ts';
import type { Described, Target } from '../target/target.ts';

/** Plain data: a word that is worth trying, and its source. */
export type Clue = Readonly<Record<'word' | 'because', string>>;

export const describedAs = (described: Described | undefined, word: Word): Clue[] =>
  (described?.words[word] ?? []).map((own) => ({ word: own, because: `${described?.at} names it` }));

/** The first clue of each word, in their order. */
export function distinct(clues: readonly Clue[]): Clue[] {
  const first = new Map<string, Clue>();
  for (const clue of clues) if (!first.has(clue.word)) first.set(clue.word, clue);
  return [...first.values()];
}

const providing = /(provider|storefront|login|sign_?in)(_?(name|id|type)s?|s)?$/i;
const isWord = (text: string) => /^[a-z][a-z0-9_-]{1,30}$/i.test(text);

/** Clues to the storefront: values under the name of a sign-in method, and words in a path to the login. */
export function inAnswer(identifierSource: string, { response }: Exchange): Clue[] {
  return (response ? valuesOf(response) : []).flatMap(({ name, value }) => {
    if (typeof value !== 'string') return [];
    const [, inPath] = /\/auth\/provider\/([^/?#]+)\/login/.exec(value) ?? [];
    const word = inPath ?? (providing.test(name) ? value : '');
    return isWord(word) ? [{ word, because: `${identifierSource} names it` }] : [];
  });
}

const mostClues = 12;
/** Clues to the game's word: at most twelve words, the likeliest first. */
export function cluesIn(
  target: Pick<Target, 'hosts' | 'ambient' | 'given' | 'loginTokens' | 'described'>,
  discovery: Discovery | undefined,
  answers: readonly Exchange[],
): Clue[] {
  const carriers = discovery?.kind === 'found' ? carriersOf(discovery.session.transport) : [];
  const clues = [
    ...describedAs(target.described, 'game'),
    ...carriers.flatMap((name) => from(name, `the session travels as ${shown(name)}`)),
    ...answers.flatMap(inHeaders),
    ...answers.flatMap(inNames),
    ...target.loginTokens.slice(0, 1).flatMap(inClaims),
    ...Object.values(target.hosts).flatMap((url) => from(hostOf(url), 'it stands in the name of a host')),
    ...(target.given.includes('CDN_ROOT_FOLDER_PATH')
      ? from(target.ambient.CDN_ROOT_FOLDER_PATH, 'it stands in CDN_ROOT_FOLDER_PATH')
      : []),
  ];
  const first = new Map(clues.toReversed().map((clue) => [clue.word, clue]));
  return [...new Set(clues.map(({ word }) => word))]
    .slice(0, mostClues)
    .map((word) => first.get(word) as Clue);
}

/** The reason of a clue whose word may name the server's software and no game. */
export const softwareNamed = 'the Server header names it';

const longestText = 200;

/** The words of a text that may be a name, each with the same reason. */
const from = (text: string, because: string): Clue[] =>
  text
    .slice(0, longestText)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => /^[a-z][a-z0-9]{2,23}$/.test(part) && !everyday.has(part))
    .map((word) => ({ word, because }));

const shown = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9_.-]/g, '?')
    .slice(0, 40);

/** The names under which the session travels; a bearer token has none. */
function carriersOf(transport: SessionTransport): readonly string[] {
  switch (transport.kind) {
    case 'cookie':
      return transport.names;
    case 'bearer':
      return [];
    case 'combined':
      return transport.parts.flatMap(carriersOf);
    default:
      return [transport.name];
  }
}

function inHeaders(exchange: Exchange): Clue[] {
  const names = exchange.response?.headers.map(([name]) => name) ?? [];
  const own = names.filter((name) => /^x-/i.test(name) && !/^x-(amz|goog|ms|envoy)-/i.test(name));
  return [
    ...own.flatMap((name) => from(name, `answers have a header ${shown(name)}`)),
    ...from(header(exchange, 'server') ?? '', softwareNamed),
    ...from(realm(exchange), 'the realm of its challenge names it'),
  ];
}

const realm = (exchange: Exchange) =>
  /\brealm="?([^",]{1,200})/i.exec(header(exchange, 'www-authenticate') ?? '')?.[1] ?? '';

const naming = /^(name|app|application|game|product|project|service|title)(_?(name|id))?$/i;

/** Clues in answers with success: the title of a refusal names the refusal. */
function inNames(exchange: Exchange): Clue[] {
  const { response } = exchange;
  return (response && isSuccess(exchange) ? valuesOf(response) : []).flatMap(({ name, value }) =>
    typeof value === 'string' && naming.test(name) ? from(value, 'health, version or config name it') : [],
  );
}

/** The token itself is a secret; its issuer and audience are not. */
function inClaims(token: string): Clue[] {
  const { iss, aud } = claimsIn(token.split('.')[1] ?? '') ?? {};
  const of = (value: unknown, claim: string) =>
    [value]
      .flat()
      .flatMap((each) =>
        typeof each === 'string' ? from(hostOf(each) || each, `${claim} of LOGIN_TOKEN names it`) : [],
      );
  return [...of(iss, 'iss'), ...of(aud, 'aud')];
}

/** The host name of a URL without its last label; empty for an IP address. */
function hostOf(text: string): string {
  const name = URL.parse(text)?.hostname ?? '';
  return /^[\d.]+$|:/.test(name) ? '' : name.replace(/\.[^.]*$/, '');
}

/** Common technical words, which name no game. */
const everyday = new Set(
  `access account accounts action age api apis app application apps assets aud auth authorization backend
  backends base beta bearer blue cache cached cdn client clients cloud cloudflare code com config content
  control cookie correlation csrf data dev device download edge engine env envoy error express frame game gamelogs
  games gateway green health host http https identity info ingest int internal kestrel key live local localhost log
  login logs main match net nginx none nosniff online openresty options org page party pass platform play player
  policy powered prod production product protection proxy public queue rate ratelimit real release released releases
  remaining request requestid reset response retry robots root runtime secure security server servers service
  services session sess sid site span stage staging static status store svc tag test tests time timer title token
  trace tracing type uat upstream user uvicorn version web www xss xsrf apache caddy gunicorn varnish iis
  microsoft unknown limit`.split(/\s+/),
);
