// Checks a match from creation until its creator quits, and what an outsider sees of it.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { expectAnyAgreement } from '../../engine/flow/agreement.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import type { BodyAsk, StepContext } from '../../engine/flow/step-context.ts';
import type { View } from '../../engine/flow/views.ts';
import { ignoreStop, requireAnswer } from '../../engine/flow/why-refused.ts';
import { type Exchange, isSuccess, statusOf } from '../../engine/http/exchange.ts';

const { match, general } = areas;

/** The details of a match. */
const inMatch = (matchId: string) => ({
  operation: match.get,
  params: { matchId },
});

/** The view that names a player of the match. */
export const naming = (match: Pick<View, 'operation' | 'params'>, value: string, what: string): View => ({
  ...match,
  value,
  what,
});

/** How many other players an attacked match needs: one, where the profile's body of the call names another player. */
export const othersToMeet = ({ forms }: Pick<StepContext, 'forms'>): 0 | 1 =>
  forms(match.create).some(({ from, carries }) => from === 'profile' && carries.includes('other.id')) ? 1 : 0;

/** The body value that names the first of these roles as another player of the match; empty without a role. */
export const meeting = (
  { id }: Pick<StepContext, 'id'>,
  [other]: readonly string[],
): Pick<BodyAsk, 'offer'> => (other === undefined ? {} : { offer: { 'other.id': id(other) } });

/** Makes a match that is quit again when the run is over; returns its id. */
export async function makeMatch<Role extends string>(
  context: StepContext<Role>,
  host: NoInfer<Role>,
): Promise<string> {
  const matchId = await matchIn(context, host, await context.mustSucceed(host, match.create));
  context.addTeardown(host, match.quit, { params: { matchId } });
  const makers = await makersOf(context);
  makers.set(matchId, (makers.get(matchId) ?? new Set()).add(context.player(host).account));
  return matchId;
}

/** The same for attacks. The call names the first of `others`, if any, as another player of the match. */
export async function makeMatchWith(
  context: StepContext,
  host: string,
  others: readonly string[],
): Promise<string> {
  const made = await context.mustSucceed(host, match.create, meeting(context, others));
  const matchId = await context.identifier(made, match.create, 'matchId');
  context.addTeardown(host, match.quit, { params: { matchId } });
  return matchId;
}

/** The accounts that made the matches of this run, by match id. */
const makersOf = ({ shared }: Pick<StepContext, 'shared'>): Promise<Map<string, Set<number>>> =>
  shared('who made which match', async () => new Map());

/** How often to check whether somebody else has made a match, and the pause between two checks, in ms. */
const [mostChecks, betweenMs] = [10, 200];

/** The id of a match that was made. A candidate counts where reading it succeeds, and reading a made-up id does not. */
async function matchIn<Role extends string>(
  context: StepContext<Role>,
  host: NoInfer<Role>,
  made: Exchange,
): Promise<string> {
  const status = async (matchId: string) =>
    statusOf(await context.send(host, match.get, { params: { matchId } }));
  return context.identifier(made, match.create, 'matchId', async (candidate) => {
    const isThere = (await status(candidate)) < 300;
    return isThere && (await status(context.unique('assay'))) >= 300;
  });
}

const clauses = effects.match;

/** The view of a match that has to name its maker. */
const namingHost = (
  { id }: Pick<StepContext<'host'>, 'id'>,
  view: Pick<View, 'operation' | 'params'>,
): View => naming(view, id('host'), 'the player who created the match');

/** A match from its creation until its creator quits it, and the views of another player. */
export function making(flow: Flow): void {
  const { step, observe } = flow.scenario('host', 'other');

  const made = step('create', [match.create], clauses.called, 'a player creates a match', (context) =>
    makeMatch(context, 'host'),
  );

  const read = step(
    'details',
    [match.get, match.create],
    clauses.made,
    'the player who created a match reads it',
    async (context) => {
      const view = inMatch(context.resultOf(made));
      return { view, shown: await context.sees('host', { ...view, what: 'the match that was made' }) };
    },
  );

  const named = read.observe(
    'host-in-view',
    [match.get, match.create],
    'whether a match names the player who created it',
    async (context, { view }) => {
      const isNamed = await context.eventually('host', namingHost(context, view));
      context.observe(isNamed ? 'it does' : 'it does not');
      return isNamed;
    },
  );

  observe(
    'other-view',
    [match.get],
    'how the server answers when another player reads a match',
    async (context) => {
      const view = inMatch(context.resultOf(made));
      const reply = await context.observeAnswer('other', match.get, view);
      const isNamed = context.shows('other', namingHost(context, view), reply);
      const who = isNamed ? 'and who plays' : 'not who plays';
      if (isNamed || !isSuccess(reply)) context.noteOutsider(match.get, isNamed, reply);
      context.observe(`${statusOf(reply)}, ${who}`, reply);
    },
  );

  const meddled = observe(
    'other-quits',
    [match.quit],
    'how the server answers when a player quits a match of somebody else',
    async (context) => {
      const answer = await context.observeAnswer('other', match.quit, inMatch(context.resultOf(made)));
      if (!isSuccess(answer)) context.noteOutsider(match.quit, false, answer);
      return answer;
    },
  );

  meddled.step(
    'other-quits-view',
    [match.get, match.quit],
    clauses.kept,
    'the creator is still in the match after a player outside it quit it',
    async (context) => {
      if (!context.resultOf(named))
        context.cannotTell('unknown-resource', `${match.get.id} does not name the players`);
      await context.stillSees('host', namingHost(context, context.resultOf(read).view));
    },
  );

  made.observe(
    'incentives',
    [general.matchIncentives, match.create],
    'how the server answers a request for match incentives outside and inside a match',
    async (context) => {
      const outside = await context.observeAnswer('other', general.matchIncentives);
      const inside = await context.observeAnswer('host', general.matchIncentives);
      context.observe(`${statusOf(outside)} outside of a match, ${statusOf(inside)} in one`, inside);
    },
  );

  const quit = step(
    'quit',
    [match.quit],
    clauses.called,
    'the player who created a match quits it',
    async (context) => {
      const view = inMatch(context.resultOf(made));
      const answer = await context.mustSucceed('host', match.quit, { params: view.params });
      const before = context.resultIfPassed(read)?.shown;
      const answered = before && { answer, before, call: match.quit, names: [view.params.matchId] };
      if (answered) await expectAnyAgreement(context, 'host', answered, view);
      return view;
    },
  );

  observe(
    'quit-view',
    [match.get, match.quit],
    'how the server answers when a player reads a match after quitting it',
    (context) => context.observeAnswer('host', match.get, context.resultOf(quit)),
  );

  observe('quit-again', [match.quit], 'how the server answers when a player quits a match again', (context) =>
    context.observeAnswer('host', match.quit, context.resultOf(quit)),
  );

  quit.observe(
    'quit-create',
    [match.create, match.quit],
    'how the server answers when a player creates a match after quitting one',
    async (context) => {
      const answer = await context.observeLikeliest('host', match.create);
      const matchId = await matchIn(context, 'host', answer).catch(ignoreStop);
      if (matchId !== undefined) context.addTeardown('host', match.quit, { params: { matchId } });
    },
  );

  // Uses its own match, since a target may remove a player who makes a second one from the first.
  const twice = flow.scenario('host');
  const first = twice.prepare('a match', (context) => makeMatch(context, 'host'));
  const second = first.observe(
    'create-again',
    [match.create],
    'how the server answers when a player in a match creates another',
    async (context, matchId) => {
      const answer = await context.observeLikeliest('host', match.create);
      const again = await matchIn(context, 'host', answer).catch(ignoreStop);
      if (again !== undefined && again !== matchId)
        context.addTeardown('host', match.quit, { params: { matchId: again } });
      const which = again === undefined ? '' : again === matchId ? ', the same match' : ', another match';
      context.observe(`${statusOf(answer)}${which}`, answer);
      return again;
    },
  );

  first.step(
    'create-own',
    [match.create],
    clauses.new,
    'the match that a player makes is not one that somebody else made',
    async (context, matchId) => {
      const makers = await makersOf(context);
      const accounts = () => new Set([...makers.values()].flatMap((each) => [...each]));
      for (let checks = 0; accounts().size < 2 && checks < mostChecks; checks += 1)
        await context.pause(betweenMs);
      if (accounts().size < 2) context.notTriggered('nobody else made a match');
      context.watchesCallsOf('match');
      const { size = 0 } = makers.get(matchId) ?? {};
      context.expect(size < 2, 'a match of their own', `one match, ${matchId}, for ${size} players`);
    },
  );

  twice.step(
    'create-again-read',
    [match.get, match.create],
    clauses.made,
    'a match is read by its own id after its creator made another',
    async (context) => {
      const [earlier, later] = [context.resultOf(first), context.resultOf(second)];
      if (later === undefined || later === earlier) return context.notTriggered('no second match was made');
      const reads = (matchId: string) => context.send('host', match.get, { params: { matchId } });
      const ofLater = await reads(later);
      if (!isSuccess(ofLater) || !context.mentions(ofLater, later))
        context.cannotTell('unknown-resource', `${match.get.id} does not name the match`);
      const ofEarlier = await reads(earlier);
      requireAnswer(ofEarlier);
      // A player who makes another match may have left the first.
      if (!isSuccess(ofEarlier)) return context.note(`the first match is answered ${statusOf(ofEarlier)}`);
      context.expect(
        context.mentions(ofEarlier, earlier) || !context.mentions(ofEarlier, later),
        'the match of that id',
        'the match that was made later',
        ofEarlier,
      );
    },
  );
}
