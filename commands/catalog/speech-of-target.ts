// Turns a profile into what the exports know of a target.
import { isCredentialHeader } from '../../engine/http/redact.ts';
import { chosen } from '../../engine/probe/parameters.ts';
import type { Profile } from '../../engine/target/profile.ts';
import type { SessionTransport } from '../../engine/target/session-transport.ts';
import type { Environment } from '../../engine/target/settings.ts';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { type Credential, type Speech, type SpokenHeader, unspoken } from './target-speech.ts';

/**
 * An environment in which every variable holds its own mention: an export names secrets and never has their values,
 * so that nobody needs them to make one.
 */
export const namesAlone: Environment = new Proxy<Environment>(
  {},
  { get: (_, name) => mention(String(name)) },
);

const mention = (variable: string) => `{{${variable}}}`;

/** @param profile read with `namesAlone`; undefined where there is none */
export function speechOf(profile: Profile | undefined): Speech {
  if (profile === undefined) return { ...unspoken, parameters: chosen };
  const { session, operations, omitted, headers, parameters } = profile;
  refuseMarks(profile);
  const login = operations['auth.login'];
  return {
    words: { words: profile.words, wordsAt: profile.wordsAt },
    parameters: { ...chosen, ...parameters },
    headers: headers.map((header) => spoken(header, profile)),
    sessionHosts: (['cdn', 'gamelogs'] as const).filter((host) => session?.hosts?.[host] === true),
    credentials: session?.transport ? credentialsOf(session.transport) : unspoken.credentials,
    operations:
      session?.body === undefined
        ? operations
        : { ...operations, 'auth.login': { ...login, body: session.body } },
    omitted: [...omitted.keys()],
  };
}

/**
 * In a file whose texts hold `{{variables}}` a value may hold none of its own: some tools would run it.
 * @throws ConfigurationError naming where it stands
 */
function refuseMarks({ headers, operations, parameters, secrets }: Profile): void {
  const literal = headers.flatMap(([name, value]) =>
    secrets.includes(value) ? [] : [[`/headers/${name}`, value]],
  );
  const types = Object.entries(operations).map(([id, { contentType }]) => [
    `/operations/${id}/contentType`,
    contentType,
  ]);
  const values = Object.entries(parameters).map(([name, value]) => [`/parameters/${name}`, value]);
  const wrong = [...literal, ...types, ...values].filter(([, value]) => value?.includes('{{'));
  if (wrong.length > 0)
    throw new ConfigurationError(
      wrong.map(
        ([at]) =>
          `--profile: ${at} holds "{{", which the exported file would read as a variable; take it out`,
      ),
    );
}

/** A value that stands in a header for credentials is a secret, also where the profile spells it out. */
function spoken([name, value]: readonly [string, string], { variables = {} }: Profile): SpokenHeader {
  const variable = Object.keys(variables).find((each) => mention(each) === value);
  if (variable !== undefined) return { name, variable };
  const isSecret = /^(proxy-)?authorization$|^cookie$/i.test(name) || isCredentialHeader(name.toLowerCase());
  return isSecret ? { name, variable: secretName(name) } : { name, value };
}

/** A variable's name begins with a letter. */
const secretName = (header: string) =>
  header
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '_')
    .replace(/^(?![A-Z])/, 'HEADER_');

function credentialsOf(transport: SessionTransport): Credential[] {
  switch (transport.kind) {
    case 'cookie':
      return transport.names.map((name) => ({ source: `cookie:${name}`, sentAs: { cookie: name } }));
    case 'bearer':
      return [{ source: transport.source, sentAs: { header: 'Authorization', before: 'Bearer ' } }];
    case 'header':
      return [{ source: transport.source, sentAs: { header: transport.name, before: '' } }];
    case 'query':
      return [{ source: transport.source, sentAs: { query: transport.name } }];
    case 'combined':
      return transport.parts.flatMap(credentialsOf);
  }
}
