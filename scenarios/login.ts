// The flow `login`: sign-in, sessions and logout.
// All steps stand here; `login/session-marks.ts` recognises sessions by marks that only their player reads, and
// `login/going-offline.ts` checks what friends see of a player who signed out.
import { areas } from '../catalog/catalog.ts';
import { ofOthers } from '../catalog/clauses/clause.ts';
import { clauseById } from '../catalog/clauses/clauses.ts';
import { effects } from '../catalog/clauses/flows.ts';
import { type Flow, flowSuite } from '../engine/flow/flow.ts';
import { pollAnswered } from '../engine/flow/polling.ts';
import type { StepContext } from '../engine/flow/step-context.ts';
import { askOf } from '../engine/flow/views.ts';
import { type Exchange, isSuccess, sameHeaders, statusInWords } from '../engine/http/exchange.ts';
import { Stop } from '../engine/judgement.ts';
import { jwtIn } from '../engine/players/forged-jwt.ts';
import { givesCsrfToken } from '../engine/players/session-token.ts';
import { expectOffline } from './login/going-offline.ts';
import {
  compareAnonymousReads,
  expectStillOpen,
  expectToOutlastOthers,
  leaveMark,
  requireOpen,
  waitForEnd,
} from './login/session-marks.ts';

const { auth, extensions, general, me, players } = areas;
const clauses = effects.login;

const mostMarks = 3;

/** A player signs in. The tokens of two subjects (RFC 7519, section 4.1.2) are those of two players. */
function signingIn(flow: Flow): void {
  const { step } = flow.scenario();

  const signedIn = step(
    'sign-in',
    [auth.login],
    clauseById('auth.sign-in'),
    'a token signs a player in: the login answer gives a session that changes other answers',
    async (context) => context.signedIn(),
  );

  step(
    'two-tokens',
    [auth.login],
    clauses.two,
    'the token of another player signs in another player',
    async (context) => {
      context.resultOf(signedIn);
      const alike = await context.lookalikes();
      if (alike === undefined) return context.note('the login tells two players apart by their ids');
      // Both have one id; what they read shows whether they are one player. Other checks may replace the mark.
      let read: Exchange | undefined;
      for (let nth = 0; nth < mostMarks; nth += 1) {
        const mark = await leaveMark(alike, 'player');
        read = await alike.send('other', mark.operation, askOf(mark));
        const what = `${mark.operation.id} shows another player nothing of what this one wrote`;
        context.expect(
          !alike.shows('other', mark, read),
          what,
          'just that, with a session of the other',
          read,
        );
      }
      // Calls that name a player by the shared id reach either of the two by chance.
      return context.expect(
        false,
        'the login names two players by two ids',
        'one id, and data of their own',
        read,
      );
    },
  );
}

/** Two tokens are two players. */
function tokensApart(flow: Flow): void {
  const { prepare, step } = flow.scenario('player', 'other');
  const kept = prepare('data that the player keeps', (context) => leaveMark(context, 'player'));

  step(
    'others-sign-in',
    [auth.login],
    clauses.others,
    'a session stays valid when another player signs in',
    async (context) => {
      // Many players have signed in meanwhile: where no session ended, none of those sign-ins ended one.
      if (context.forging().renewals() === 0) return context.note('no session was over when it was used');
      return expectToOutlastOthers(context, ['player', 'other'], 'signs in');
    },
  );

  step(
    'two-players',
    [auth.login],
    ofOthers(clauses.two, 'mixed up'),
    'another player does not read the data of a player',
    (context) => context.seesNot('other', context.resultOf(kept)),
  );

  const both = kept.step(
    'two-players-write',
    [auth.login],
    clauses.two,
    'the data of another player does not replace the data of a player',
    async (context, own) => {
      const others = await leaveMark(context, 'other');
      await context.sees('player', own);
      return others;
    },
  );

  step(
    'two-players-other-side',
    [auth.login],
    ofOthers(clauses.two, 'mixed up'),
    'a player does not read the data of another player',
    (context) => context.seesNot('player', context.resultOf(both)),
  );

  kept.step(
    'two-subjects',
    [auth.login],
    clauses.two,
    'a token whose subject differs in the case of its letters signs in another player',
    async (context, own) => {
      const { tokenWith } = context.forging();
      const player = context.player('player');
      const subject = subjectOf(await tokenWith(player, {}));
      const other = subject?.toUpperCase();
      const token =
        other === undefined || other === subject ? undefined : await tokenWith(player, { sub: other });
      if (token === undefined)
        return context.notTriggered('no token can be signed whose subject has other letters');
      const read = await readWith(context, token, own);
      if (read === undefined) return context.notTriggered('such a token is refused');
      context.expect(
        !context.shows('other', own, read),
        `${own.operation.id} shows the player ${other} nothing of what ${subject} wrote`,
        'just that: both subjects are one player',
        read,
      );
    },
  );
}

/** A platform signs a new token for each start of the game. */
function newTokens(flow: Flow): void {
  const { prepare } = flow.scenario('player', 'other');
  const kept = prepare('data that the player keeps', (context) => leaveMark(context, 'player'));

  kept.step(
    'new-token',
    [auth.login],
    clauses.same,
    'a new token of the same subject signs in the same player',
    async (context, own) => {
      const { tokenWith, enter } = context.forging();
      const player = context.player('player');
      const [subject, now] = [subjectOf(await tokenWith(player, {})), Math.floor(Date.now() / 1_000)];
      const token = await tokenWith(player, { iat: now - 60, jti: context.unique('assaytoken') });
      if (subject === undefined || token === undefined || subjectOf(token) !== subject)
        return context.notTriggered('no other token of the same subject can be signed');
      const read = await readWith(context, token, own);
      if (read === undefined) return context.cannotTell('needs-signer', 'a new token is refused');
      if (context.shows('other', own, read)) return;
      // Where anything is taken for a token, each text may stand for a player.
      const over = await tokenWith(player, { exp: now - 3_600 });
      const readsClaims = over !== undefined && (await enter(over, player)).kind === 'refused';
      if (!readsClaims) return context.notTriggered('the server does not look at the claims of a token');
      await context.sees('player', own);
      await context.sees('other', own);
    },
  );
}

/** Plays `other` with this token, and reads the player's mark as they see it; undefined where the token is refused. */
async function readWith(
  context: StepContext<'player' | 'other'>,
  token: string,
  mark: Awaited<ReturnType<typeof leaveMark>>,
): Promise<Exchange | undefined> {
  const entered = await context.forging().enter(token, context.player('player'));
  if (entered.kind !== 'in') return undefined;
  context.play('other', entered.player);
  return context.send('other', mark.operation, askOf(mark));
}

/** The subject that a token names, RFC 7519, section 4.1.2: a case-sensitive string. */
function subjectOf(token: string | undefined): string | undefined {
  const sub = token === undefined ? undefined : jwtIn(token)?.payload.sub;
  return typeof sub === 'string' ? sub : undefined;
}

const noToken = 'assay-is-no-token';

/** A player signs in a second time, signs that session out, and signs in again. */
function signingOut(flow: Flow): void {
  const scenario = flow.scenario('player', 'other');
  const { prepare, observe } = scenario;
  const anonymousReads = compareAnonymousReads(scenario);
  const kept = prepare('data that the player keeps', (context) => leaveMark(context, 'player'));
  anonymousReads.during();

  const twice = kept.observe(
    'sign-in-again',
    [auth.login],
    'whether a token signs in again, and whether the earlier session goes on',
    async (context, mark) => {
      if (!(await context.signInAgain('player')) || !(await context.signInAgain('player', 3))) {
        context.observe('a token signs in once');
        return { isTaken: false, goOn: false };
      }
      const goOn = context.shows(
        'player (session 2)',
        mark,
        await context.send('player (session 2)', mark.operation),
      );
      context.observe(
        goOn ? 'it does, and so do the sessions before' : 'it does, and ends the session before',
      );
      return { isTaken: true, goOn };
    },
  );

  kept.step(
    'same-player',
    [auth.login],
    clauses.same,
    'a player who signs in again finds their data',
    async (context, mark) => {
      if (!context.resultOf(twice).isTaken) context.cannotTell('needs-state', 'the token signs in only once');
      if (mark.whyGone) throw new Stop(mark.whyGone);
      await context.sees('player (session 3)', mark);
    },
  );

  const second = prepare("a second session that shows the player's data", async (context) => {
    const mark = context.resultOf(kept);
    if (!context.resultOf(twice).isTaken) context.cannotTell('needs-state', 'the token signs in only once');
    await requireOpen(context, mark);
    return mark;
  });

  const refusedOthers = second.step(
    'refused-others',
    [auth.login],
    clauses.others,
    'a session stays valid when the sign-in of somebody else is refused',
    async (context, mark) => {
      await requireOpen(context, mark);
      await context.send(undefined, auth.login, { params: { token: noToken } });
      await expectStillOpen(context, mark);
    },
  );

  observe('refused', [auth.login], 'how the login answers a malformed token', (context) =>
    context.observeAnswer(undefined, auth.login, { params: { token: noToken } }),
  );

  refusedOthers.step(
    'logout-others',
    [me.logout],
    clauses.others,
    'a session stays valid when another player signs out',
    async (context, mark) => {
      if (context.forging().renewals() > 0)
        return expectToOutlastOthers(context, ['player', 'other'], 'signs out');
      if (!(await context.signInAgain('other')))
        context.cannotTell('needs-state', 'the token signs in only once');
      await requireOpen(context, mark);
      await context.mustSucceed('other (session 2)', me.logout);
      await expectStillOpen(context, mark);
    },
  );

  const signedOut = second.step(
    'logout',
    [me.logout],
    clauses.called,
    'a player signs out',
    async (context, mark) => {
      await requireOpen(context, mark);
      await context.mustSucceed('player (session 3)', me.logout);
    },
  );

  const afterLogout = signedOut.step(
    'after-logout',
    [me.logout],
    clauseById('auth.logout'),
    "a session that was signed out no longer reads the player's data",
    async (context, mark) => {
      const { holds, last } = await waitForEnd(context, mark);
      context.expect(holds, 'a session that is over', `${mark.operation.id} still shows ${mark.what}`, last);
    },
  );

  anonymousReads.after(afterLogout);

  afterLogout.observe(
    'logout-again',
    [me.logout],
    'how the server answers a second sign-out of a session',
    (context) => context.observeAnswer('player (session 3)', me.logout),
  );

  afterLogout.observe(
    'logout-other-sessions',
    [me.logout],
    "whether signing out of one session ends the player's other sessions",
    async (context, mark) => {
      if (!context.resultOf(twice).goOn) return context.observe('there is one at a time');
      // The step before has already waited for the logout to take effect.
      const answer = await context.observeAnswer('player (session 2)', mark.operation);
      const goOn = context.shows('player (session 2)', mark, answer);
      context.observe(goOn ? 'the others go on' : 'the others are over', answer);
    },
  );

  const anew = afterLogout.step(
    'sign-in-after-logout',
    [auth.login, me.logout],
    clauses.same,
    'a player who signs in after a sign-out finds their data',
    async (context, mark) => {
      if (mark.whyGone) throw new Stop(mark.whyGone);
      if (!(await context.signInAgain('player')))
        context.cannotTell('needs-state', 'the token signs in only once');
      await context.sees('player (session 2)', mark);
      return mark;
    },
  );

  anew.step(
    'logout-stays',
    [me.logout, auth.login],
    clauseById('auth.logout'),
    'a session that was signed out stays so when its player signs in again',
    async (context, mark) => {
      context.resultOf(afterLogout);
      const now = await context.send('player (session 2)', mark.operation);
      const { holds, last } = await pollAnswered(
        () => context.send('player (session 3)', mark.operation),
        (read) => !context.shows('player (session 3)', mark, read),
      );
      // A target may give one session for as long as the player exists.
      if (sameHeaders(now, last)) context.notTriggered('signing in gives the session that was signed out');
      context.expect(holds, 'a session that is over', `${mark.operation.id} shows ${mark.what} again`, last);
    },
  );

  // Last, since a target may end the sessions of others when somebody signs out.
  afterLogout.step(
    'offline',
    [general.richPresence, me.logout],
    effects.friends.offline,
    'a player who signs out of their only session is no longer shown as online',
    (context) => expectOffline(context as StepContext, 'other'),
  );
}

/** What a browser adds to a call that another site makes. */
const fromAnotherSite = [
  ['origin', 'https://another-site.example'],
  ['sec-fetch-site', 'cross-site'],
] as const;

/** Calls that change something, and of which most servers take one with the likeliest body. */
const changes = [me.setRichPresence, players.setState, extensions.playerLevel];

/** A call with the cookie alone, as another site makes a browser send it. */
function crossSite(flow: Flow): void {
  const { step } = flow.scenario('player');
  step(
    'cross-site',
    [auth.login],
    clauses.crossSite,
    'where the login gives a CSRF token beside a cookie, a write without it is refused',
    async (context) => {
      const { credentials: carried = [] } = (await context.player('player').session()) ?? {};
      const names = carried.map(([name]) => name);
      if (!names.includes('cookie') || names.includes('authorization'))
        context.notTriggered('the session does not travel in a cookie');
      const { enter, carrying } = context.forging();
      const entered = await enter((await context.player('player').token()) ?? '', context.player('player'));
      if (entered.kind !== 'in') return context.cannotTell('needs-state', 'a token signs in once');
      const { credentials = [] } = (await entered.player.session()) ?? {};
      const [csrf] = credentials.filter(([name]) => name !== 'cookie').map(([, value]) => value);
      if (csrf === undefined && !givesCsrfToken(entered.login))
        context.notTriggered('the login gives no CSRF token');
      const wrong = csrf === undefined ? entered.player : await carrying(entered.player, csrf, noToken);
      context.play('own', entered.player);
      context.play('another site', wrong ?? entered.player);
      const as = context as StepContext;
      const taken: Exchange[] = [];
      for (const operation of changes) {
        if (!isSuccess(await as.sendLikeliest('own', operation))) continue;
        const answer = await as.sendLikeliest('another site', operation, { headers: fromAnotherSite });
        if (!isSuccess(answer)) return context.note(`${operation.id} is answered ${statusInWords(answer)}`);
        taken.push(answer);
      }
      const [first] = taken;
      if (first === undefined)
        return context.cannotTell('needs-body', 'no call that changes something is accepted');
      const what = `${taken.length} kinds of calls are accepted with the cookie alone`;
      context.expect(false, 'a refusal without the CSRF token that the login gives', what, first);
    },
  );
}

export default flowSuite('login', [signingIn, tokensApart, newTokens, signingOut, crossSite]);
