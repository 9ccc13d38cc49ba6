// Finds the values that a call needs in the target's own answers: identifiers of players, parties and stories, and the
// values of parameters and placeholders.
import { areas, catalog } from '../../catalog/catalog.ts';
import { type Operation, parametersOf } from '../../catalog/operation.ts';
import { waitForCopies } from '../compare/noise.ts';
import type { Ask } from '../http/ask.ts';
import { type Exchange, isSuccess, jsonValue, statusOf } from '../http/exchange.ts';
import type { Bodies } from '../players/bodies.ts';
import { type Form, isGuess, type TemplateValues } from '../players/body-template.ts';
import { someCurrency } from '../players/candidate-bodies.ts';
import type { Players } from '../players/players.ts';
import { valuesAllowed } from '../players/refusals/refusals.ts';
import type { Json } from '../target/profile-validation.ts';
import type { Target } from '../target/target.ts';
import { valueAt } from '../values/json-walk.ts';
import { ownMember } from '../values/members.ts';
import { once } from '../values/once.ts';
import { createIdentifierSources, type IdentifierSource } from './identifier-sources.ts';
import {
  entryNameIn,
  type Identifying,
  identifierIn,
  isIdentifying,
  redeemableCodeIn,
} from './identifiers-in-answers.ts';
import { choicesFor, guessedValues, refusesParameter, type Values, valuesFor } from './parameters.ts';

const { clientData, extensions, messages, players } = areas;

const codeParameter = 'redeemableCode';
/** Reads in which targets announce codes to redeem. */
const announcing = [messages.list, extensions.news, clientData.versionedNews];

interface KnownValuesOptions {
  readonly target: Target;
  readonly players: Players | undefined;
  readonly bodies: Pick<Bodies, 'forms'>;
  readonly isAllowed: (operation: Operation) => boolean;
  readonly ask: (operation: Operation, ask: Ask) => Promise<Exchange>;
  readonly pause: (ms: number) => Promise<unknown>;
  /** When the run began: one `now` for all bodies, so that equal calls have equal bodies. */
  readonly startedAt: Date;
}

/** A named state that holds JSON and has an operation that reads it. */
const readableState = 'ChallengeUIData';

const changesBlocks: ReadonlySet<Operation> = new Set([players.block, players.unblock]);

/** Joins words, each once: some targets accept short texts only. */
const joined = (...words: readonly string[]) => [...new Set(words)].join('-');

/** The player who reads values that are the same for all players. */
const anybody = 'main';

/** The other player that a call names: calls about blocks name their own, so that a blocked player is never invited. */
const otherOf = (operation: Operation): string => (changesBlocks.has(operation) ? 'blocked' : 'friend');

/** Parameters that restrict what a read shows. */
const selectors: ReadonlySet<string> = new Set(['platform']);
const selectsAll = /^(?:all|any)$/i;

/** Whether a name means the same in all areas; a short one, such as `id` or `status`, does not. */
const isSpecific = (name: string) => name.length > 6;

export function createKnownValues({
  target,
  players,
  bodies,
  isAllowed,
  ask,
  pause,
  startedAt,
}: KnownValuesOptions) {
  const { identifierSourceOf, needs, needsChange, isOfPlayer, isOfTarget } = createIdentifierSources(
    bodies,
    target.profile,
  );
  const invented = `Assay${target.runId}`;
  const worked = new Map<string, Promise<Values>>();

  const givenTo = ({ id }: Operation) => target.profile?.operations[id]?.parameters ?? {};

  const identifierOf = async (
    identifierSource: IdentifierSource,
    player: string,
  ): Promise<Identifying | undefined> =>
    (await identifierFrom(identifierSource, player)) ??
    (identifierSource.otherwise && identifierOf(identifierSource.otherwise, player));

  const identifierFrom = async ({ operation, pointer, names, form }: IdentifierSource, player: string) => {
    if (target.hosts[operation.host] === undefined) return undefined;
    // Files are the same for all players.
    const asked = operation.host === 'base' ? { as: player } : {};
    const foundIn = (answer: Exchange) => {
      if (pointer === undefined) {
        const found = identifierIn(answer, names);
        return form === undefined || form.test(String(found)) ? found : undefined;
      }
      const value = valueAt(jsonValue(answer), pointer);
      return isIdentifying(value) ? value : undefined;
    };
    const answer = await ask(operation, asked);
    const found = foundIn(answer);
    // A message to a new player may arrive a moment after the first sign-in.
    const mayCome = found === undefined && operation === messages.list && isSuccess(answer);
    if (!mayCome) return found;
    await waitForCopies({ pause });
    return foundIn(await ask(operation, { ...asked, nth: 'what comes to a new player' }));
  };

  /**
   * A likely identifier: the name of an entry, where the target's answer holds a map of things of that kind; or a code
   * that its texts tell players to redeem.
   */
  const findLikely = async (operation: Operation, name: string): Promise<string | undefined> => {
    if (Object.hasOwn(target.parameters, name)) return undefined;
    if (name === codeParameter) return findCode();
    if (!isOfTarget(name)) return undefined;
    const source = identifierSourceOf(operation, name)?.operation;
    if (source === undefined || target.hosts[source.host] === undefined) return undefined;
    return entryNameIn(await ask(source, { as: anybody }), name);
  };

  const findCode = async (): Promise<string | undefined> => {
    for (const source of announcing) {
      if (target.hosts[source.host] === undefined) continue;
      const code = redeemableCodeIn(await ask(source, source.host === 'base' ? { as: anybody } : {}));
      if (code !== undefined) return code;
    }
    return undefined;
  };

  /** The identifier in the answers to this player; undefined where no answer has it, or a given value serves. */
  const find = async (
    operation: Operation,
    name: string,
    player: string,
  ): Promise<Identifying | undefined> => {
    if (name === 'friendId') return idOf(operation, otherOf(operation));
    if (name === 'playerId') return idOf(operation, player);
    if (Object.hasOwn(target.parameters, name) && !isOfPlayer(name)) return undefined;
    const identifierSource = identifierSourceOf(operation, name);
    return identifierSource && identifierOf(identifierSource, player);
  };

  const idOf = async (operation: Operation, player: string): Promise<Identifying | undefined> => {
    if (players === undefined) return undefined;
    const { id } = await players.player(player);
    const identifierSource = id === undefined ? identifierSourceOf(operation, 'playerId') : undefined;
    return identifierSource ? identifierOf(identifierSource, player) : id;
  };

  const work = async (operation: Operation, player: string): Promise<Values> => {
    const found: Record<string, string> = { ...givenTo(operation) };
    const likely: string[] = [];
    for (const name of parametersOf(operation)) {
      if (Object.hasOwn(found, name)) continue;
      const sure = await find(operation, name, player);
      const value = sure ?? (await findLikely(operation, name));
      if (value !== undefined) found[name] = String(value);
      if (sure === undefined && value !== undefined) likely.push(name);
    }
    const { params, unknown } = valuesFor(
      operation,
      { ...choicesFor(target.profile), ...target.parameters },
      found,
      invented,
    );
    return { params: { ...params, ...givenTo(operation) }, unknown: [...unknown, ...likely], likely };
  };

  /** Values for the path and query of an operation when this player calls; found once, since they stay the same. */
  const parameters = (operation: Operation, player: string): Promise<Values> => {
    const key = `${player} ${operation.id}`;
    const made = worked.get(key) ?? work(operation, player);
    worked.set(key, made);
    return made;
  };

  const placeholder = async (operation: Operation, name: string, player: string) => {
    switch (name) {
      case 'player.id':
        return idOf(operation, player);
      case 'player.name':
        return (await players?.player(player))?.name;
      case 'other.id':
        return idOf(operation, otherOf(operation));
      case 'other.name':
        return (await players?.player(otherOf(operation)))?.name;
      // One value per call and player, so that equal calls can be compared and shared.
      case 'value':
      case 'unique':
        return joined(invented, operation.id, player).replace(/[^A-Za-z0-9-]/g, '-');
      case 'now':
        return startedAt.toISOString();
      case 'currency': {
        const found = await look(operation, 'currency');
        return typeof found === 'string' ? found : someCurrency;
      }
      default:
        return parameter(operation, name, player);
    }
  };

  /** A parameter's value in a body: the same as in the operation's path and query, where it stands there too. */
  const parameter = async (operation: Operation, name: string, player: string) => {
    const { params, unknown, likely = [] } = await parameters(operation, player);
    const isInvented = unknown.includes(name) && !likely.includes(name);
    if (Object.hasOwn(params, name)) return isInvented ? undefined : params[name];
    if (name === 'stateName') return readableState;
    const given: Readonly<Record<string, string>> = {
      ...choicesFor(target.profile),
      ...target.ambient,
      ...target.parameters,
    };
    const found = (await find(operation, name, player)) ?? (await findLikely(operation, name));
    return found ?? ownMember(given, name);
  };

  /** The values of those names that are the same for all players, as the target's own answers give them. */
  const ofTargetIn = async (operation: Operation, names: readonly string[]): Promise<TemplateValues> => {
    const needed = [...new Set(names)].filter(
      (name) =>
        (isOfTarget(name) || name === codeParameter) &&
        !Object.hasOwn({ ...target.parameters, ...givenTo(operation) }, name),
    );
    const found = needed.map(
      async (name) =>
        [name, (await find(operation, name, anybody)) ?? (await findLikely(operation, name))] as const,
    );
    return Object.fromEntries((await Promise.all(found)).filter(([, value]) => value !== undefined));
  };

  const corrections = new Map<Operation, Readonly<Record<string, string>>>();

  const guessedNamesOf = (operation: Operation) => {
    const given = { ...target.parameters, ...givenTo(operation) };
    return parametersOf(operation).filter(
      (name) => Object.hasOwn(guessedValues, name) && !Object.hasOwn(given, name),
    );
  };

  /** The word of a list that equals the guessed one but for letter case; undefined where there is none. */
  const sameWord = (allowed: readonly string[], name: string): string | undefined => {
    const own = choicesFor(target.profile)[name]?.toLowerCase();
    return allowed.find((each) => each.toLowerCase() === own);
  };
  const fromList = (allowed: readonly string[], name: string) => sameWord(allowed, name) ?? allowed[0];

  /** The values that a read's refusal allows in place of guessed ones, by parameter. */
  const correctionsIn = (refusal: Exchange, operation: Operation): Readonly<Record<string, string>> =>
    operation.method === 'GET' && refusesParameter.has(statusOf(refusal))
      ? Object.fromEntries(
          guessedNamesOf(operation).flatMap((name) => {
            const word = fromList(valuesAllowed(refusal, name), name);
            return word === undefined ? [] : [[name, word] as const];
          }),
        )
      : {};

  /**
   * Values to send in place of guessed ones, where a refusal lists those that are allowed: for a selector the value
   * that leaves nothing out; for a refused word the same word in another letter case, or else the first of the list.
   */
  const listed = async (operation: Operation): Promise<TemplateValues> => {
    const names = guessedNamesOf(operation);
    if (operation.method !== 'GET' || names.length === 0) return {};
    const asked = (params: Readonly<Record<string, string>>) => ask(operation, { as: anybody, params });
    const isRefused = (answer: Exchange) => refusesParameter.has(statusOf(answer));
    const plain = await ask(operation, { as: anybody });
    const choices = names.map(async (name) => {
      const isSelector = selectors.has(name);
      const refusal = isSelector ? await asked({ [name]: invented }) : plain;
      const allowed = isRefused(refusal) ? valuesAllowed(refusal, name) : [];
      // A refusal may list nothing. Then the usual word is tried: it is refused too, or accepted.
      const unlisted = isRefused(refusal) && allowed.length === 0 ? 'all' : undefined;
      const isListed = sameWord(allowed, name) !== undefined;
      const listedAll = isListed ? allowed.find((each) => selectsAll.test(each)) : undefined;
      const all = isSelector ? (listedAll ?? unlisted) : undefined;
      const choice = all ?? (isRefused(plain) ? fromList(allowed, name) : undefined);
      return choice === undefined ? [] : [[name, choice] as const];
    });
    const params = Object.fromEntries((await Promise.all(choices)).flat());
    const taken = corrections.get(operation) ?? {};
    // A word that was not an allowed value after all is refused too.
    return Object.keys(params).length === 0 || isRefused(await asked(params))
      ? taken
      : { ...taken, ...params };
  };

  const reads = catalog.filter(
    ({ method, host, effect }) => method === 'GET' && host === 'base' && effect === 'read',
  );

  /**
   * The value under that name in the answers to reads of the operation's area, or of other areas where the name is
   * specific; for `other.id`, the id of the other player. Undefined where no answer has it.
   */
  const look = async (operation: Operation, name: string): Promise<Json | undefined> => {
    if (name === 'other.id') return idOf(operation, otherOf(operation));
    // A read that first needs this operation, or another change, would wait for ever.
    const open = reads.filter((read) => !needs(read, operation) && !needsChange(read, isAllowed));
    const isBeside = ({ area }: Operation) => area === operation.area;
    const elsewhere = isSpecific(name) ? open.filter((read) => !isBeside(read)) : [];
    for (const read of [...open.filter(isBeside), ...elsewhere]) {
      const found = identifierIn(await ask(read, {}), [name]);
      if (found !== undefined) return found;
    }
    return undefined;
  };

  return {
    parameters,
    startAnew: () => worked.clear(),
    correctionsIn,
    /** The values that a plain call was accepted with, in place of guessed ones. */
    corrections,
    look,
    /** Values that an operation needs and that are the same for all players, as the target's own answers give them. */
    ofTarget: once(
      async (operation: Operation): Promise<TemplateValues> => ({
        ...(await ofTargetIn(operation, [
          ...parametersOf(operation),
          ...bodies.forms(operation).flatMap(({ carries }) => carries),
        ])),
        ...(await listed(operation)),
      }),
      ({ id }) => id,
    ),
    ofTargetIn,
    /** Whether a call that changes something is made before this one. */
    needsChange: (operation: Operation) => needsChange(operation, isAllowed),
    /** Values for a body that this player sends. Unknown ones are invented in a guessed body, never in a stated one. */
    async placeholders(operation: Operation, player: string, form: Form): Promise<TemplateValues> {
      const values: Record<string, Identifying | undefined> = {};
      for (const name of form.carries) {
        const fallback = isGuess(form) && isOfTarget(name) ? invented : undefined;
        values[name] = (await placeholder(operation, name, player)) ?? fallback;
      }
      return values;
    },
  };
}
