// Learns from recorded calls in two passes: the first finds hosts and players, the second how operations are called.

import type { Host } from '../../catalog/operation.ts';
import type { Omission } from '../../engine/target/profile.ts';
import type { Json } from '../../engine/target/profile-validation.ts';
import type { OtherHost, SessionTransport } from '../../engine/target/session-transport.ts';
import { byName } from '../../engine/values/members.ts';
import { once } from '../../engine/values/once.ts';
import { is2xx } from '../../engine/values/status.ts';
import {
  addBody,
  BodyPart,
  type FoundParameter,
  isShareableSegment,
  parametersFound,
  templateOf,
  toShareable,
} from './infer/bodies.ts';
import { addAnswerOf, IdentifierPlaces } from './infer/identifiers.ts';
import { addAnswer, ObservedPlace } from './infer/schema.ts';
import { type CallMatch, matchCall } from './match/match-call.ts';
import { createSurvey, type Findings, shapeOf } from './match/survey.ts';
import { hasSucceeded, isHollow, jsonOf, type ObservedCall, type Side } from './observed-call.ts';
import { addCall, createPeople, isWanted, type Person, Travels, transportOf } from './people.ts';
import {
  createKnownValues,
  isFieldName,
  isPlainWord,
  isVersion,
  type KnownValues,
  remembered,
} from './privacy.ts';
import { Tally } from './tally.ts';
import type { Unlearnt } from './unlearnt.ts';

/** What was seen of one operation. */
export class Spoken {
  readonly sources = new Set<string>();
  /** Calls answered with 2xx, by status. */
  readonly statuses = new Tally();
  /** The calls of `statuses` that were no steps of Assay's own flows. */
  plainCalls = 0;
  /** Kinds of the request bodies of these plain calls: `none`, `bytes`, `json`, `cut`. */
  readonly bodyKinds = new Tally();
  readonly contentTypes = new Tally();
  readonly body = new BodyPart();
  readonly answer = new ObservedPlace();
  readonly room = { left: 5_000 };
  jsonAnswers = 0;
  /** Answers with 2xx that hold `null` or report an error: their form is neither learnt nor held against the target. */
  hollowAnswers = 0;
  readonly identifiers = new IdentifierPlaces();
  /** Identifiers in answers to steps of Assay's flows. */
  readonly identifiersInFlows = new IdentifierPlaces();
}

interface Hearing {
  readonly known: KnownValues;
  readonly caller: Person;
  readonly parameters: Readonly<Record<string, string>>;
  readonly isShareable: (key: string) => boolean;
}

/** Most calls of one operation whose bodies and answers are read. */
const mostCalls = 2_000;

/** Adds one call to what is known of its operation; refused calls are left out. */
export function hear(
  spoken: Spoken,
  observedCall: ObservedCall,
  { params }: CallMatch,
  hearing: Hearing,
): void {
  const { request, answer, status, source } = observedCall;
  if (is2xx(status) && isHollow(answer)) spoken.hollowAnswers += 1;
  if (!hasSucceeded(observedCall)) return;
  const { known, caller, parameters, isShareable } = hearing;
  spoken.sources.add(source);
  spoken.statuses.add(String(status));
  if (observedCall.inFlow) {
    addAnswerOf(spoken.identifiersInFlows, answer, known, new Set(Object.values(params)));
    return;
  }
  spoken.plainCalls += 1;
  spoken.bodyKinds.add(request.body.kind);
  if (request.type !== '') spoken.contentTypes.add(request.type);
  if (request.body.kind === 'json' && spoken.statuses.total <= mostCalls) {
    const token = observedCall.url.searchParams.get('token');
    addBody(spoken.body, request.body.value, {
      toShareable: (value, key) => toShareable(value, key, { known, caller, token, parameters }),
      isShareable,
      person: caller.key,
    });
  }
  if (spoken.jsonAnswers >= mostCalls || answer.body.kind !== 'json') return;
  spoken.jsonAnswers += 1;
  addAnswer(spoken.answer, jsonOf(answer), { nth: spoken.jsonAnswers, isShareable, room: spoken.room });
  addAnswerOf(spoken.identifiers, answer, known, new Set(Object.values(params)));
}

export interface Learnt {
  readonly findings: Findings;
  readonly segments: Readonly<Record<string, string>>;
  readonly parameters: ReadonlyMap<string, FoundParameter>;
  readonly headers: Readonly<Record<string, HeaderValue>>;
  readonly transport: SessionTransport | undefined;
  /** Of a run: why no player was signed in, and what to do. */
  readonly whyNoSession?: string;
  /** How many calls carried something that a login had handed out. */
  readonly signedCalls: number;
  /** Hosts besides the main API's that the session was sent to, with the number of calls. */
  readonly sessionHosts: ReadonlyMap<OtherHost, number>;
  readonly spoken: ReadonlyMap<string, Spoken>;
  readonly known: KnownValues;
  readonly isShareable: (key: string) => boolean;
  readonly calls: number;
  /** Calls that match no operation: method, origin and path shape, with their number. */
  readonly outsiders: readonly (readonly [shape: string, calls: number])[];
  /** Base names of the captures, or `a run`. */
  readonly sources: readonly string[];
  /** Fields of the profile that were stated before and stay as they are. */
  readonly kept?: Readonly<Record<string, Json>>;
  /** Of a run: why the profile leaves operations out, by their ids. */
  readonly omitted?: ReadonlyMap<string, string>;
  /** Of a run: what the target does not serve and the profile is to leave out. */
  readonly omissions?: readonly Omission[];
  /** Of a run: what it may not serve as well, with the reason code of each; the user decides. */
  readonly undecided?: readonly Omission[];
  /** The body for an operation's requests; undefined where the profile is to hold none. */
  readonly bodyOf: (operation: string) => Json | undefined;
  /** Of a run: ids of operations that succeeded in flows, though a plain call of them may be refused. */
  readonly proved?: ReadonlySet<string>;
  /** Of a run: what it could not learn. */
  readonly unlearnt?: Unlearnt;
}

/** A host counts as one that takes the session where at least this share of its calls carried it. */
const share = 0.8;
/** Most shapes that are kept of calls that match no operation. */
const mostShapes = 500;

/**
 * Takes every call twice: `survey` first, then `learn`, once all calls were surveyed. `end` returns what was learnt.
 * @param given the hosts that the user named
 * @param isInvented whether Assay made a value up; it stays out of the profile, as a personal one does
 */
export function createLearner(
  given: Readonly<Partial<Record<Host, string>>> = {},
  isInvented: (text: string) => boolean = () => false,
) {
  const survey = createSurvey(given);
  const known = createKnownValues(isInvented);
  const people = createPeople();
  const outsiders = new Tally(mostShapes);
  const spoken = new Map<string, Spoken>();
  const travels = new Travels();
  const elsewhere = new Map<OtherHost, boolean[]>([
    ['cdn', []],
    ['gamelogs', []],
  ]);
  const headers = new ClientHeaders();
  const sources = new Set<string>();
  let calls = 0;
  /** To be called in the second pass only, when all personal values are known. */
  const isShareable = remembered((key) => isFieldName(key) && !known.isPersonal(key));

  /** The findings of the first pass, computed when the second begins. */
  const foundBy = once(({ end }: typeof survey) => {
    const findings = end();
    const parameters = parametersFound(findings.parameterValues, known.isPersonal);
    const segments = Object.fromEntries(
      Object.entries(findings.segments).filter(
        ([, value]) => isShareableSegment(value) && !known.isPersonal(value),
      ),
    );
    const plain = Object.fromEntries(Array.from(parameters, ([name, { value }]) => [name, value]));
    return { findings, parameters, segments, given: { ...plain, ...segments } };
  });

  return {
    survey(observedCall: ObservedCall): void {
      const match = matchCall(observedCall.method, observedCall.url);
      known.note(observedCall, match);
      if (!match) return;
      const isAnswered = hasSucceeded(observedCall);
      // A browser's cache answers 304 for a file that is there.
      if (isAnswered || observedCall.status === 304) survey.note(match, isAnswered);
      if (isAnswered && match.operation.id === 'auth.login') people.noteLogin(observedCall);
      if (isAnswered && match.operation.id === 'playerName.set') people.noteName(observedCall, match);
    },

    learn(observedCall: ObservedCall): void {
      const { findings, given } = foundBy(survey);
      sources.add(observedCall.source);
      const match = matchCall(observedCall.method, observedCall.url);
      if (!match || !findings.isTheirs(match)) {
        // A browser's CORS preflight is not a call of its own.
        if (observedCall.method !== 'OPTIONS') outsiders.add(shapeOf(observedCall.method, observedCall.url));
        return;
      }
      calls += 1;
      addHeaders(headers, observedCall.request);
      const { id, host } = match.operation;
      if (id !== 'auth.login' && hasSucceeded(observedCall)) {
        const carried = people.carriedBy(observedCall);
        if (host === 'base') addCall(travels, carried);
        else elsewhere.get(host)?.push(isWanted(carried));
      }
      const heard = spoken.get(id) ?? new Spoken();
      spoken.set(id, heard);
      const caller = people.callerOf(observedCall);
      hear(heard, observedCall, match, { known, caller, parameters: given, isShareable });
    },

    end(): Learnt {
      const { findings, parameters, segments } = foundBy(survey);
      return {
        findings,
        segments,
        parameters,
        headers: clientHeadersOf(headers, known.isPersonal),
        transport: transportOf(travels, isShareable),
        signedCalls: travels.calls,
        sessionHosts: sentTo(elsewhere),
        spoken,
        known,
        isShareable,
        calls,
        outsiders: outsiders.ranked(),
        sources: [...sources].sort(),
        bodyOf: (operation) => {
          const heard = spoken.get(operation);
          return heard && inferredBody(heard);
        },
      };
    },
  };
}

/** Hosts to which nearly every successful call carried the session, with the number of those calls. */
function sentTo(elsewhere: ReadonlyMap<OtherHost, readonly boolean[]>): ReadonlyMap<OtherHost, number> {
  const counts = Array.from(elsewhere, ([host, carried]) => {
    const signed = carried.filter(Boolean).length;
    return [host, carried.length > 0 && signed >= carried.length * share ? signed : 0] as const;
  });
  return new Map(counts.filter(([, signed]) => signed > 0));
}

/** Returns null where no body was sent, and undefined where bodies were not JSON or none was recorded whole. */
function inferredBody({ bodyKinds, body }: Spoken): Json | undefined {
  const kind = bodyKinds.first;
  if (kind === 'json') return templateOf(body);
  return kind === 'none' ? null : undefined;
}

// Header fields that the client sends with every call, whatever the call is.

export class ClientHeaders {
  calls = 0;
  /** Fields that every call so far carried with the same value. */
  values: Map<string, string> | undefined;
}

/** Fields of the connection, the browser, the content or the session, which Assay's clients set or do not need. */
const ordinary =
  /^(accept.*|access-control.*|alt-used|authorization|cache-control|connection|content-.*|cookie|date|dnt|expect|forwarded|host|if-.*|keep-alive|origin|pragma|priority|proxy-.*|purpose|range|referer|sec-.*|te|traceparent|tracestate|trailer|transfer-encoding|upgrade.*|via|x-forwarded-.*|x-real-ip|x-requested-with)$/;
const browser = /^Mozilla\//;
const secret = /key|token|secret|auth|session|sign|credential|password/;

/** Adds one call. */
export function addHeaders(found: ClientHeaders, { headers }: Side): void {
  found.calls += 1;
  const sent = new Map(headers.filter(([name]) => !ordinary.test(name)));
  if (found.values === undefined) {
    found.values = sent;
    return;
  }
  for (const [name, value] of found.values) if (sent.get(name) !== value) found.values.delete(name);
}

type HeaderValue = string | { readonly env: string };

/**
 * Returns the fields as a profile writes them. A value that is neither a plain word nor a version may be a key or
 * personal, so the profile takes it from the environment.
 */
export function clientHeadersOf(
  { calls, values }: ClientHeaders,
  isPersonal: (value: string) => boolean,
): Record<string, HeaderValue> {
  if (calls < 2) return {};
  const kept = [...(values ?? [])].filter(
    ([name, value]) => value !== '' && isPlainWord(name) && !(name === 'user-agent' && browser.test(value)),
  );
  return Object.fromEntries(
    kept
      .sort(byName)
      .map(([name, value]) => [
        name,
        isPublic(name, value) && !isPersonal(value) ? value : { env: variable(name) },
      ]),
  );
}

function isPublic(name: string, value: string): boolean {
  if (secret.test(name)) return false;
  return value.split(/[/ ;]+/).every((part) => isPlainWord(part) || isVersion(part)) && value.length <= 80;
}

const variable = (name: string) => name.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
