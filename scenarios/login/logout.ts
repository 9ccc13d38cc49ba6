import { areas } from '../../catalog/catalog.ts';
import { clauseById } from '../../catalog/clauses/clauses.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { open } from '../../catalog/clauses/open.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { Stop } from '../../engine/flow/stop.ts';
import { comesToEnd, goesOn, leaveMark, stillGoesOn, tellingAnybody } from './session-marks.ts';

const { auth, me } = areas;
const clauses = effects.login;
const anyState = open['open.flows'];

const noToken = 'assay-is-no-token';

/** Sessions of one player, one after another: the second, its end, and the one after that. */
export function leaving(flow: Flow): void {
  const scene = flow.scene('player', 'other');
  const { prepare, step } = scene;
  const anybody = tellingAnybody(scene);
  const kept = prepare('something that the player keeps', (stage) => leaveMark(stage, 'player'));
  anybody.during();

  const twice = step(
    'sign-in-again',
    [auth.login],
    anyState,
    'whether a token signs in again, and whether the session before goes on',
    async (stage) => {
      const mark = stage.of(kept);
      if (!(await stage.signInAgain('player')) || !(await stage.signInAgain('player', 'once more'))) {
        stage.observe('a token signs in once');
        return { isTaken: false, goOn: false };
      }
      const goOn = stage.shows('player again', mark, await stage.put('player again', mark.operation));
      stage.observe(goOn ? 'it does, and so do the sessions before' : 'it does, and ends the session before');
      return { isTaken: true, goOn };
    },
  );

  step(
    'same-player',
    [auth.login],
    clauses.same,
    'who signs in again finds what they keep',
    async (stage) => {
      const mark = stage.of(kept);
      if (!stage.of(twice).isTaken) stage.cannotTell('needs-state', 'the token signs in once');
      if (mark.whyGone) throw new Stop(mark.whyGone);
      await stage.sees('player once more', mark);
    },
  );

  const second = prepare('a second session that shows what the player keeps', async (stage) => {
    const mark = stage.of(kept);
    if (!stage.of(twice).isTaken) stage.cannotTell('needs-state', 'the token signs in once');
    await goesOn(stage, mark);
    return mark;
  });

  const played = step(
    'refused-others',
    [auth.login],
    clauses.others,
    'a session goes on when somebody else is refused',
    async (stage) => {
      const mark = stage.of(second);
      await goesOn(stage, mark);
      await stage.put(undefined, auth.login, { params: { token: noToken } });
      await stillGoesOn(stage, mark);
      return mark;
    },
  );

  step('refused', [auth.login], anyState, 'what a token that is no token is answered', async (stage) => {
    await stage.observeAnswer(undefined, auth.login, { params: { token: noToken } });
  });

  step(
    'logout-others',
    [me.logout],
    clauses.others,
    'a session goes on when another player signs out',
    async (stage) => {
      const mark = stage.of(played);
      if (!(await stage.signInAgain('other'))) stage.cannotTell('needs-state', 'the token signs in once');
      await goesOn(stage, mark);
      await stage.done('other again', me.logout);
      await stillGoesOn(stage, mark);
    },
  );

  const out = step('logout', [me.logout], clauses.called, 'a player signs out', async (stage) => {
    const mark = stage.of(second);
    await goesOn(stage, mark);
    await stage.done('player once more', me.logout);
    return mark;
  });

  const over = step(
    'after-logout',
    [me.logout],
    clauseById('auth.logout'),
    'a session that was signed out no longer reads what the player keeps',
    async (stage) => {
      const mark = stage.of(out);
      const { holds, last } = await comesToEnd(stage, mark);
      stage.expect(holds, 'a session that is over', `${mark.operation.id} still shows ${mark.what}`, last);
      return mark;
    },
  );

  anybody.after(over);

  step('logout-again', [me.logout], anyState, 'what signing out again is answered', async (stage) => {
    stage.of(over);
    await stage.observeAnswer('player once more', me.logout);
  });

  step(
    'logout-other-sessions',
    [me.logout],
    anyState,
    'whether signing out of one session ends the others of that player',
    async (stage) => {
      const mark = stage.of(over);
      if (!stage.of(twice).goOn) return stage.observe('there is one at a time');
      // The logout has had its time in the step before.
      const answer = await stage.observeAnswer('player again', mark.operation);
      const goOn = stage.shows('player again', mark, answer);
      stage.observe(goOn ? 'the others go on' : 'the others are over', answer);
    },
  );

  step(
    'sign-in-after-logout',
    [auth.login, me.logout],
    clauses.same,
    'who signs in after having signed out finds what they keep',
    async (stage) => {
      const mark = stage.of(over);
      if (mark.whyGone) throw new Stop(mark.whyGone);
      if (!(await stage.signInAgain('player'))) stage.cannotTell('needs-state', 'the token signs in once');
      await stage.sees('player again', mark);
    },
  );
}
