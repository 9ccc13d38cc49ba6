// Runs `npm run -s session`: prints the variables that the curl lines of a report need, as shell commands.
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../engine/http/client.ts';
import { createRedactor, sessionVariable } from '../engine/http/redact.ts';
import { secretsOf } from '../engine/players/session.ts';
import { type Discovery, type Found, whyNoSession } from '../engine/players/sign-in-discovery.ts';
import { createPlayerTokens } from '../engine/players/tokens.ts';
import { discoverByAnyName } from '../engine/preflight/find-words.ts';
import { unreachedLine } from '../engine/preflight/lines.ts';
import { createSessionTrial } from '../engine/preflight/try-session.ts';
import { readTarget, type Target } from '../engine/target/target.ts';
import { insecureLine } from '../engine/target/transport.ts';
import { ConfigurationError } from '../engine/values/configuration-error.ts';
import { bytesOf, word } from '../engine/values/shell.ts';
import { typed } from '../engine/values/typed-command.ts';

/** How long to try other ways of carrying the session on other hosts, in ms. */
const mostMs = 5_000;

/**
 * Signs in as player 1 and prints `export ASSAY_TOKEN=…` and `export ASSAY_SESSION=…`, and `ASSAY_SESSION_2` where
 * the session travels in two ways at once.
 * @throws ConfigurationError where there is nothing to sign in to, or sign-in does not work
 */
export async function sessionCommand(options: {
  readonly profile?: string;
  readonly jwtAlg?: string;
  readonly insecure?: boolean;
}): Promise<void> {
  const target = readTarget(process.env, { cwd: process.cwd(), ...options });
  for (const line of target.settingRemarks ?? []) console.error(`assay: ${line}`);
  if (target.hosts.base === undefined)
    throw new ConfigurationError([
      `BASE_URL: not set; a session belongs to a server that is running (${typed('serve')} starts one)`,
    ]);
  if (options.insecure) console.error(`assay: ${insecureLine}`);
  const redactor = createRedactor(target.secrets);
  const client = createClient({ ...target.transport, redactor });
  try {
    const tokens = createPlayerTokens(target, redactor);
    const { discovery: found } = await discoverByAnyName(client, target, tokens, redactor);
    if (found.kind !== 'found')
      throw new ConfigurationError([redactor.text(`no session: ${whyNoneFound(found, target)}`)]);
    const trial = createSessionTrial({ client, target, discovery: found, readOnly: true });
    const others = (['cdn', 'gamelogs'] as const).filter((host) => target.hosts[host] !== undefined);
    const samples = others.map((host) => trial.tryHost(host, target));
    await Promise.race([Promise.all(samples), sleep(mostMs, undefined, { ref: false })]);
    const { token, session } = trial.discovery() as Found;
    const variables = [
      ['ASSAY_TOKEN', token],
      ...secretsOf(session).map(({ value }, nth) => [sessionVariable(nth), value]),
    ];
    for (const [name, value = ''] of variables) process.stdout.write(`export ${name}=${quoted(value)}\n`);
  } finally {
    client.close();
  }
}

/** Why nobody could sign in, and what to check. */
function whyNoneFound(found: Exclude<Discovery, Found>, target: Target): string | undefined {
  switch (found.kind) {
    case 'unreachable':
      return unreachedLine({ ...found, host: 'base', reachable: false }, target);
    case 'unrouted': {
      const word = target.profile?.words.storefront;
      const ofStore =
        word === undefined
          ? `or name the target's own word for "storefront" in the profile, {"words": {"storefront": "…"}}`
          : `and the profile's word for "storefront", ${JSON.stringify(word)}`;
      return `${whyNoSession(found)}; check BASE_URL and its path prefix, ${ofStore} (${typed('doctor')})`;
    }
    default:
      return whyNoSession(found);
  }
}

const quoted = (text: string) => word([{ bytes: bytesOf(text) }]);
