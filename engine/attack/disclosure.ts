// Lets others read what belongs to a player, and judges whether values that only the owner may see reach them. No
// status alone fails a check.
import type { Operation } from '../../catalog/operation.ts';
import { differences, fingerprint } from '../compare/compare.ts';
import { createContrast } from '../compare/contrast.ts';
import type { StepContext } from '../flow/step-context.ts';
import type { Ask } from '../http/ask.ts';
import { type Exchange, isSuccess, statusOf, text } from '../http/exchange.ts';
import { cannotTell, type Stop } from '../judgement.ts';
import { switchPoint } from '../values/switch-points.ts';

/**
 * How many samples have to agree: what one server or one moment shows by chance does not recur so often. The prover makes
 * it 1.
 */
export const samplesAsked = switchPoint(() => 6);

/** The call with the owner's id in every place where a server might take it for the caller's. */
export const inTheNameOf = (id: string): Pick<Ask, 'extraQuery' | 'headers'> => ({
  extraQuery: ['playerId', 'userId', 'accountId']
    .map((name) => `${name}=${encodeURIComponent(id)}`)
    .join('&'),
  headers: ['x-player-id', 'x-user-id'].map((name) => [name, id] as const),
});

/**
 * Sends a read about its caller as another player and as an anonymous caller, both with the owner's id beside it. Ends
 * the step as a violation where they are shown what the owner reads and the attacker does not.
 */
export async function readInTheNameOf(
  context: StepContext,
  read: Operation,
  { owner, attacker }: { readonly owner: string; readonly attacker: string },
): Promise<void> {
  const named = inTheNameOf(context.id(owner));
  const callers = [
    ['another player', attacker, 1],
    // Its first sample begins with the anonymous read: where that is refused, the others are not needed.
    ['somebody without a session', undefined, 0],
  ] as const;
  for (const [who, role, first] of callers) {
    const calls = [
      ['shown', () => context.send(role, read, named)],
      ['own', () => context.send(owner, read)],
      ['theirs', () => context.send(attacker, read)],
    ] as const;
    // Masks a player's own id, so that answers that differ in it alone do not count as different.
    const withoutId = (exchange: Exchange, whose: string): Exchange => {
      const { response } = exchange;
      if (!response) return exchange;
      const body = Buffer.from(text(response).replaceAll(context.id(whose), 'id'));
      return { ...exchange, response: { ...response, body } };
    };
    const takeSample = async (nth: number) => {
      const answers: Partial<Record<keyof Sample, Exchange>> = {};
      // In another order each time: if three servers took turns, each call would otherwise always meet the same one.
      for (const at of calls.keys()) {
        const [kind, call] = calls[(at + nth + first) % calls.length] as (typeof calls)[number];
        answers[kind] = await call();
        if (!isSuccess(answers[kind])) {
          // A refusal shows nothing, whatever the other two reads show.
          if (kind === 'shown') return undefined;
          throw await unanswered(context, read, answers[kind]);
        }
        if (nth === 0 && answers.own && answers.theirs)
          requireDifferentAnswers(
            context,
            withoutId(answers.own, owner),
            withoutId(answers.theirs, attacker),
          );
      }
      return answers as Sample;
    };
    const found = await disclosed(takeSample, context);
    context.expect(
      found === undefined,
      `${read.id} shows ${who} nothing of the player whom they name`,
      `what that player reads at ${found?.place}`,
      found?.exchange,
    );
  }
  context.note('asked in the name of the owner, as another player and without a session');
}

/** The Stop for a read that refuses the players themselves: that nobody else is shown it then proves nothing. */
async function unanswered(
  context: Pick<StepContext, 'routed'>,
  read: Operation,
  own: Exchange,
): Promise<Stop> {
  const { served, why } = await context.routed(read);
  return served === false
    ? cannotTell('not-served', `not exercised: ${read.id} is not served: ${why}`)
    : cannotTell('needs-state', 'not exercised: it is not answered to both players', own);
}

interface Sample {
  /** What the owner reads. */
  readonly own: Exchange;
  /** What the attacker reads of themselves. */
  readonly theirs: Exchange;
  /** What the attacker reads in the owner's name. */
  readonly shown: Exchange;
}

/** Ends the step where both players get the same answer: then the read shows nothing that is one player's own. */
function requireDifferentAnswers(
  context: Pick<StepContext, 'notTriggered'>,
  own: Exchange,
  theirs: Exchange,
): void {
  const telling = [...createContrast({ parts: differences })([own], [theirs])];
  if (!telling.some((place) => place.startsWith('body')))
    context.notTriggered(
      "two players are answered the same: it shows nothing that is one player's own, but for their id",
    );
}

/** The first place at which the owner's value is shown, in each of several samples; undefined where there is none. */
async function disclosed(
  sample: (nth: number) => Promise<Sample | undefined>,
  context: Pick<StepContext, 'pause' | 'lagMs'>,
): Promise<{ readonly place: string; readonly exchange: Exchange } | undefined> {
  const [apart, changed] = [0, 1].map(() => createContrast({ parts: differences })) as [Contrast, Contrast];
  const mostSamples = samplesAsked();
  let places: string[] = [];
  for (let nth = 0; nth < mostSamples; nth += 1) {
    if (nth > 0) await context.pause(Math.max(20, context.lagMs()));
    const taken = await sample(nth);
    if (taken === undefined) return undefined;
    const { own, theirs, shown } = taken;
    const telling = apart([own], [theirs]);
    const found = [...placesDisclosed(telling, changed([shown], [theirs]), own)].filter(
      (place) => place.startsWith('body') && fingerprint(own).get(place) === fingerprint(shown).get(place),
    );
    places = nth === 0 ? found : places.filter((place) => found.includes(place));
    const [place] = places;
    if (place === undefined) return undefined;
    if (nth === mostSamples - 1)
      return { place: place.replace(/^body ?/, '') || 'its body', exchange: shown };
  }
  return undefined;
}

type Contrast = ReturnType<typeof createContrast>;

/** Places where the owner's answer differs from the attacker's own, and so does the answer in the owner's name. */
export const placesDisclosed = switchPoint(
  (telling: ReadonlySet<string>, changed: ReadonlySet<string>, _own: Exchange): ReadonlySet<string> =>
    telling.intersection(changed),
);

/** A read whose call names, by an id, something that belongs to the owner. */
export interface NamedRead {
  readonly read: Operation;
  readonly owner: string;
  readonly attacker: string;
  readonly ask: Ask;
  /** The same call with an id that nobody has. */
  readonly unknown: Ask;
  /** Values that the owner may see in the answer. */
  readonly secrets: readonly string[];
  /** Values that the owner wrote where a read shows its caller's data alone: no call can name another player there. */
  readonly keptApart: readonly string[];
}

/**
 * Sends a read that names what it is about as an anonymous caller and as another player. Ends the step as a violation
 * where the former is shown any secret, or the latter a value of `keptApart`. Other players may be meant to see the
 * secrets, so that is only observed; so is an answer that differs from the one for an id that nobody has.
 */
export async function readByItsId(
  context: StepContext,
  { read, owner, attacker, ask, unknown, secrets, keptApart }: NamedRead,
): Promise<void> {
  const own = await context.send(owner, read, ask);
  const known = secrets.filter((secret) => context.mentions(own, secret));
  if (!isSuccess(own) || known.length === 0)
    throw cannotTell('needs-state', `not exercised: ${read.id} does not show the owner what is theirs`, own);
  const shows = (answer: Exchange) =>
    isSuccess(answer) && known.some((secret) => context.mentions(answer, secret));
  const anonymous = await context.send(undefined, read, ask);
  context.expect(
    !shows(anonymous),
    `${read.id} shows nothing of a player to somebody without a session`,
    'what the owner reads',
    anonymous,
  );
  const other = await context.send(attacker, read, ask);
  const leaked = keptApart.find((value) => isSuccess(other) && context.mentions(other, value));
  context.expect(
    leaked === undefined,
    `${read.id} shows another player nothing of what its owner alone is to read`,
    `"${leaked}", which the owner wrote where only the player who asks is shown theirs`,
    other,
  );
  if (shows(other)) return context.observe(`${statusOf(other)}, what the owner reads`, other);
  const nothing = await context.send(attacker, read, unknown);
  if (statusOf(nothing) !== statusOf(other))
    return context.observe(
      `existence is visible: another player is answered ${statusOf(other)}, and ${statusOf(nothing)} where there is nothing`,
      other,
    );
  context.note('another player, and somebody without a session, are shown nothing of it');
}
