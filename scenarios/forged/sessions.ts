// Sends sessions that were changed, and sessions whose stated end has passed. The players here are not those of the
// login's attacks: where each player has one session, a login ends it.
import { auth } from '../../catalog/areas/authentication.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { answerLeaves, text } from '../../engine/http/exchange.ts';
import {
  emptyKey,
  flipped,
  jwtIn,
  keyedWithPublic,
  lastsMs,
  makeOwnKey,
  swapped,
  unsigned,
  withCutSignature,
} from '../../engine/players/forged-jwt.ts';
import {
  attemptOf,
  type EntryPoint,
  expectRefused,
  type Forge,
  keepFor,
  requireVerifying,
  signatureChanged,
  tokensOf,
} from './entry-points.ts';

const clauses = effects.forged;

/** Sends changed sessions, for targets whose sessions are JWTs themselves. */
export function changedSessions(flow: Flow): void {
  const { prepare } = flow.scenario();

  const session = prepare('a session that is a JWT', async (context): Promise<EntryPoint> => {
    const { carrying, tokensFrom } = context.forging();
    await context.recruit('own', 'victim');
    const secretOf = async (role: string) =>
      (await context.player(role).session())?.secrets.find((secret) => jwtIn(secret) !== undefined) ?? '';
    const [mine = '', secret = ''] = await Promise.all(['own', 'victim'].map(secretOf));
    const [own, victim] = [jwtIn(mine), jwtIn(secret)];
    if (own === undefined || victim === undefined) return context.notTriggered('the session is no JWT');
    const { read, what } = await keepFor(context, 'victim', [undefined, 'own']);
    const attempt: EntryPoint['attempt'] = async (as, token) => {
      const intruder = await carrying(as.player('victim'), secret, token);
      if (intruder === undefined) return { kind: 'unheard' };
      as.play('intruder', intruder);
      return attemptOf(await read(as, 'intruder'));
    };
    if ((await attempt(context, secret)).kind !== 'in')
      context.cannotTell('needs-state', 'not exercised: the session is over before it is used');
    const verification = await signatureChanged(context, attempt, victim);
    const isToken = (await tokensOf(context)).includes(secret);
    return {
      own,
      victim,
      attempt,
      ...verification,
      what,
      // A test stage that lets anybody in may take the token itself for a session.
      isOpen: verification.takesAny && isToken && tokensFrom === 'test JWT',
      byHand: 'a session',
    };
  });

  /** Adds a step that makes reads with forged sessions, each of which must be refused. */
  const onReads = (name: string, title: string, forge: Forge) =>
    session.step(`session-${name}`, [auth.login], clauses.session, title, async (context, entry) =>
      expectRefused(context, entry, await forge(entry, context)),
    );

  onReads('signature', 'a session whose signature was changed is refused', ({ victim }) => flipped(victim));
  onReads('unsigned', 'a session without a signature of the server is refused', ({ own, victim }) => [
    ...withCutSignature(victim),
    ...swapped(own, victim),
    ...unsigned(victim),
  ]);
  onReads('key', 'a session signed with a key that its sender chose is refused', async (entry, context) => {
    requireVerifying(context, entry);
    const { victim } = entry;
    const { response } = await context.send(undefined, auth.publicKey);
    const own = await makeOwnKey(victim);
    return [
      ...(response ? keyedWithPublic(victim, text(response)) : []),
      ...emptyKey(victim),
      ...own.inJwk(victim),
      ...own.inX5c(victim),
    ];
  });
}

/** The longest session whose end is awaited, in ms: `asked` with `--attack on`, else `brief`. */
const endsWithinMs = { asked: 10_000, brief: 3_000 } as const;
/** How long after its end a session may still be accepted, as clocks differ. */
const leewayMs = 5_000;
const betweenMs = 250;

/** Checks that a session of any kind is refused after the end that it states. */
export function endOfSession(flow: Flow): void {
  const { step } = flow.scenario();
  step(
    'session-end',
    [auth.login],
    clauses.session,
    'a session is refused after the end that it states',
    async (context) => {
      const { enter } = context.forging();
      await context.recruit('guest');
      const entered = await enter((await context.player('guest').token()) ?? '', context.player('guest'));
      if (entered.kind !== 'in')
        return context.cannotTell('needs-state', 'not exercised: a token signs in once');
      const { player, login: answer } = entered;
      const secrets = (await player.session())?.secrets ?? [];
      const jwt = secrets.map(jwtIn).find((each) => each !== undefined);
      const lasts = lastsMs(jwt, answerLeaves(answer), answer.startedAt);
      if (lasts === undefined) return context.notTriggered('the session says nothing of its end');
      if (lasts > (context.means.attacksBriefly ? endsWithinMs.brief : endsWithinMs.asked))
        return context.notTriggered(
          `the session lasts ${Math.round(lasts / 1_000)} s, longer than a run waits`,
        );
      const { read, what } = await keepFor(context, 'guest', [undefined]);
      context.play('intruder', player);
      if (!(await read(context, 'intruder')).shows)
        return context.cannotTell('needs-state', 'not exercised: the session is over before it is used');
      await context.pause(Math.max(0, answer.startedAt + lasts - Date.now()));
      for (let waited = 0; waited <= leewayMs; waited += betweenMs) {
        const { evidence, shows } = await read(context, 'intruder');
        if (!shows) return context.note(`over ${waited} ms after its ${lasts} ms`);
        const isLast = waited + betweenMs > leewayMs;
        context.expect(
          !isLast,
          `a session that ends after ${lasts} ms`,
          `${what} ${leewayMs} ms later`,
          evidence,
        );
        await context.pause(betweenMs);
      }
    },
  );
}
