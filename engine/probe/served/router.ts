// Decides `routed` for an operation, with what other operations show: proof, dead areas, unknown words and segments.
import { areas, catalog, isPublic } from '../../../catalog/catalog.ts';
import type { Host, Operation } from '../../../catalog/operation.ts';
import type { GivenWords } from '../../../catalog/words.ts';
import type { Ask } from '../../http/ask.ts';
import type { Exchange } from '../../http/exchange.ts';
import { createProof, oncePerRow } from './proof.ts';
import { type Control, createSampler } from './samples.ts';
import { createUnknownWord } from './unknown-word.ts';
import { open, type Routed, verdict } from './verdict.ts';

export interface RouterFacts {
  readonly ask: (operation: Operation, ask?: Ask) => Promise<Exchange>;
  readonly control: Control;
  /** Why nobody is signed in; undefined when somebody is. */
  readonly noSession: () => string | undefined;
  /** The host answers 401 to a call before a run, whichever session could be sent with it. */
  readonly isWalled?: ((host: Host) => boolean) | undefined;
  readonly segmentsGiven: boolean;
  /** Does its call name a version pattern that nobody gave? */
  readonly guessesPattern: (operation: Operation) => boolean;
  /** The host was given, and is reached. */
  readonly answers: (host: Host) => boolean;
  /** Words that are believed: operations that hold them are judged like any other. */
  readonly words: GivenWords | undefined;
  /** What may be the target's own words. */
  readonly likelyWords?: readonly string[] | undefined;
}

const { privacyV3Definition: v3, privacyV4Definition: v4, privacyV4 } = areas.clientData;

/** The judge of `routed` for one run; each operation is looked at once. */
export function createRouter(facts: RouterFacts): (operation: Operation) => Promise<Routed> {
  const { standsOut, proven, steady } = createProof(facts);

  const sample = oncePerRow(createSampler(facts, { proven, steady }));

  const alone = oncePerRow(async (operation: Operation): Promise<Routed> => {
    const observation = await sample(operation);
    if ('served' in observation) return observation;
    const areaIsDead = operation.absence !== 'never' && (await nothingServedIn(operation));
    return verdict({ ...observation, areaIsDead });
  });

  const nothingServedIn = async (operation: Operation): Promise<boolean> => {
    const area = catalog.filter((row) => row.area === operation.area && row.host === operation.host);
    if (!area.some((row) => row.absence === 'never')) return false;
    const seen = await Promise.all(
      area.map(async (row) => {
        const observation = await sample(row);
        return {
          row,
          served:
            'served' in observation
              ? observation.served
              : verdict({ ...observation, areaIsDead: false }).served,
        };
      }),
    );
    return seen.every(({ row, served }) => (row.absence === 'never' ? served === false : served !== true));
  };

  const anyServed = async (rows: readonly Operation[]) =>
    (await Promise.all(rows.map(alone))).some(({ served }) => served === true);

  const unknownWord = createUnknownWord({ ...facts, anyServed });

  /** Whatever a file is answered, and even if unlike unrouted paths, where folder and version were only assumed. */
  const underUnknownSegments = async (operation: Operation, found: Routed): Promise<boolean> => {
    if (operation.host !== 'cdn' || facts.segmentsGiven || (await standsOut(operation))) return false;
    // Who refuses everybody says nothing of a folder or a version.
    if (facts.isWalled?.('cdn') && found.served === undefined && found.reason === 'auth-wall') return false;
    if (found.served === undefined && !saysNothingOfSegments.has(found.reason)) return false;
    const files = catalog.filter((row) => row.host === 'cdn' && row.absence === 'never');
    return !(await Promise.all(files.map(standsOut))).some(Boolean);
  };

  /** Nobody is signed in, though somebody could be. Where there is no login, nobody has to be. */
  const missingSession = async (operation: Operation): Promise<string | undefined> => {
    const why = facts.noSession();
    if (why === undefined || operation.host !== 'base' || isPublic(operation)) return undefined;
    const login = await alone(areas.auth.login);
    return login.served === false || looksUnrouted(login) ? undefined : why;
  };

  /** One of the two privacy versions is missing, or the text of v4 together with its definition. */
  const otherPrivacy = async (operation: Operation): Promise<boolean> => {
    if (operation === privacyV4) return !(await anyServed([v4])) && anyServed([v3]);
    return (operation === v3 && anyServed([v4])) || (operation === v4 && anyServed([v3]));
  };

  return oncePerRow(async (operation) => {
    const found = await alone(operation);
    if (await underUnknownSegments(operation, found)) return open('segments-unknown', segmentsUnknown);
    if (!looksUnrouted(found)) return found;
    const missing = await missingSession(operation);
    if (missing !== undefined) return open('no-session', missing);
    const word = await unknownWord(operation);
    if (word !== undefined) return open('word-unknown', word);
    // That a file is missing under our own guess is no fault. The main API's route is the same without the pattern.
    if (found.served === false && operation.host === 'cdn' && facts.guessesPattern(operation))
      return open('unknown-resource', `${found.why}; its version pattern was not given`);
    if (found.served === false && (await otherPrivacy(operation)))
      return {
        ...found,
        warn: 'the other privacy version is served, and the document leaves open which applies',
      };
    return found;
  });
}

const segmentsUnknown = 'no client-data file is served under the assumed folder and version';

/** As well the answer to a folder or a version that is not the target's. */
const saysNothingOfSegments = new Set(['unknown-resource', 'auth-wall', 'any-name']);

const unrouted = new Set(['unknown-resource', 'auth-wall', 'catch-all', 'shadowed']);

/** Was it answered as a path without a route may be? A known path with another method was not, nor one without an answer. */
const looksUnrouted = (found: Routed): boolean =>
  found.served === undefined
    ? unrouted.has(found.reason)
    : found.served === false && found.kind !== 'wrong method';
