// Knows which call's answer holds an identifier that another call needs: of a party, a story, a message.
import { areas, catalog, operationById } from '../../catalog/catalog.ts';
import { type Operation, parametersOf } from '../../catalog/operation.ts';
import type { Bodies } from '../players/bodies.ts';
import type { Profile } from '../target/profile.ts';
import { ownMember } from '../values/members.ts';
import { once } from '../values/once.ts';
import { preparing } from './callers.ts';

type Allows = (operation: Operation) => boolean;

export interface IdentifierSource {
  readonly operation: Operation;
  /** Where the profile finds it in the answer. */
  readonly pointer?: string;
  /** The source to use where this one gives none: a read may lag behind the call that created the resource. */
  readonly otherwise?: IdentifierSource;
  /** Names of the fields that may hold it, the surest first; `nodes[]` is a list of values. */
  readonly names: readonly string[];
  /** The form that a value has to have. */
  readonly form?: RegExp;
}

const { archives, clientData, extensions, game, match, messages, party, playerName, queue } = areas;

/** Identifiers whose value depends on the player, so that an answer's value goes before a given one. */
const ofPlayer: Readonly<Record<string, IdentifierSource>> = {
  partyId: { operation: party.create, names: ['partyId', 'id'] },
  autoJoinKey: { operation: party.create, names: ['autoJoinKey'] },
  matchId: { operation: match.create, names: ['matchId', 'id'] },
  messageId: { operation: messages.list, names: ['messageId', 'id'] },
  // Used only where the login's answer gave no id.
  playerId: { operation: playerName.get, names: ['playerId', 'userId', 'accountId', 'uid', 'id'] },
  queueToken: { operation: queue.issueToken, names: ['queueToken', 'token'] },
};

/** The path of a file within a folder, and not an address. */
const fileName = /^(?!.*\.\.)[\w-][\w.-]*(\/[\w.-]+)*$/;

/** Identifiers whose value is the same for all players; they are looked up only where no value was given. */
const ofTarget: Readonly<Record<string, IdentifierSource>> = {
  storyId: {
    operation: archives.storyStatus,
    names: ['storyId', 'storyIds[]', 'stories[]'],
    otherwise: { operation: archives.activeNode, names: ['storyId'] },
  },
  archiveId: {
    operation: archives.tier,
    names: ['archiveId'],
    otherwise: {
      operation: archives.rawTier,
      names: ['archiveId'],
      otherwise: {
        operation: archives.checkPass,
        names: ['archiveId'],
        otherwise: {
          operation: clientData.contentMetadata,
          names: ['archiveId', 'archiveIds[]', 'archives[]'],
          form: /^[\w.-]{1,64}$/,
        },
      },
    },
  },
  newsUrl: {
    operation: clientData.contentMetadata,
    names: ['newsUrl'],
    form: fileName,
    otherwise: {
      operation: extensions.news,
      names: ['newsUrl'],
      form: fileName,
      otherwise: {
        operation: clientData.contentSchedule,
        names: ['newsUrl'],
        form: fileName,
        otherwise: { operation: clientData.versionedNews, names: ['newsUrl'], form: fileName },
      },
    },
  },
  pageId: { operation: archives.journal, names: ['pageId', 'pageIds[]', 'pages[]'] },
  nodeId: { operation: archives.story, names: ['nodeId', 'node', 'nodeIds[]', 'nodes[]'] },
  characterName: { operation: game.allCharacters, names: ['characterName', 'character'] },
};

/** Whether a value of that name belongs to one player only. */
export const dependsOnPlayer = (name: string): boolean =>
  name === 'friendId' || Object.hasOwn(ofPlayer, name);

const login = areas.auth.login.id;

/**
 * Finds the call whose answer holds an identifier that an operation needs; undefined where there is none, or where that
 * call would need the operation itself first.
 */
export function createIdentifierSources({ forms }: Pick<Bodies, 'forms'>, profile: Profile | undefined) {
  const stated = statedIn(profile);
  const known = (name: string): IdentifierSource | undefined => {
    const identifierSource = stated.get(name);
    const creating = ownMember(ofPlayer, name);
    if (identifierSource === undefined) return creating ?? ownMember(ofTarget, name);
    const isOther = creating !== undefined && creating.operation !== identifierSource.operation;
    return isOther ? { ...identifierSource, otherwise: creating } : identifierSource;
  };

  /** The calls of the same player that may have to come before this one, over all bodies that it may be sent with. */
  const needsOf = once((operation: Operation): ReadonlySet<Operation> => {
    const names = [...parametersOf(operation), ...forms(operation).flatMap(({ carries }) => carries)];
    const identifierSources = names.flatMap((name) => {
      const { operation: source, otherwise } = known(name) ?? {};
      return [source, otherwise?.operation].filter((each) => each !== undefined);
    });
    const first = preparing(operation, true);
    return new Set(first && !first.as ? [first.operation, ...identifierSources] : identifierSources);
  });

  /** Whether a call that changes something may be made before this one, directly or before such a call. */
  const needsChange = (operation: Operation, mayMake: Allows, seen = new Set<Operation>()): boolean => {
    if (seen.has(operation)) return false;
    seen.add(operation);
    const changes = (each: Operation) => each.effect !== 'read' && mayMake(each);
    return [...needsOf(operation)].some((each) => changes(each) || needsChange(each, mayMake, seen));
  };

  const needs = (operation: Operation, sought: Operation, seen = new Set<Operation>()): boolean => {
    if (operation === sought) return true;
    if (seen.has(operation)) return false;
    seen.add(operation);
    return [...needsOf(operation)].some((each) => needs(each, sought, seen));
  };

  const identifierSourceOf = (operation: Operation, name: string): IdentifierSource | undefined => {
    const identifierSource = known(name);
    if (identifierSource === undefined || needs(identifierSource.operation, operation)) return undefined;
    const { otherwise, ...alone } = identifierSource;
    return otherwise && !needs(otherwise.operation, operation) ? identifierSource : alone;
  };
  return {
    identifierSourceOf,
    /** Whether the first call needs the other one before it. */
    needs: (operation: Operation, sought: Operation) => needs(operation, sought),
    needsChange,
    isOfPlayer: (name: string) => stated.has(name) || Object.hasOwn(ofPlayer, name),
    isOfTarget: (name: string) => Object.hasOwn(ofTarget, name),
  };
}

/** The profile's identifier sources by name: a call that creates goes before one that reads, and that before others. */
function statedIn(profile: Profile | undefined): ReadonlyMap<string, IdentifierSource> {
  const found = new Map<string, IdentifierSource>();
  const telling = catalog.filter(
    ({ id, ends }) => id !== login && ends === undefined && profile?.operations[id]?.ids,
  );
  const creates = ({ id }: Operation) => Object.values(ofPlayer).some(({ operation }) => operation.id === id);
  const ranked = [
    ...telling.filter(creates),
    ...telling.filter((operation) => !creates(operation) && operation.effect === 'read'),
    ...telling.filter((operation) => !creates(operation) && operation.effect !== 'read'),
  ];
  for (const { id } of ranked) {
    for (const [name, pointer] of Object.entries(profile?.operations[id]?.ids ?? {})) {
      const operation = operationById(id);
      if (operation && !found.has(name)) found.set(name, { operation, pointer, names: [name] });
    }
  }
  return found;
}
