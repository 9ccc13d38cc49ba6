// Writes what was learnt as a profile, merged with an existing one: nothing that is there is lost.

import { catalog } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { Json } from '../../engine/target/profile-validation.ts';
import { pointerTo } from '../../engine/values/json-walk.ts';
import { byName, objectOf } from '../../engine/values/members.ts';
import { counted, plural } from '../../engine/values/text.ts';
import { aRun } from './from-run.ts';
import { loginTemplate, onlyOperationWith, ownParameters } from './infer/bodies.ts';
import { placesOf } from './infer/identifiers.ts';
import { eitherSchema, schemaOf } from './infer/schema.ts';
import type { Learnt, Spoken } from './learner.ts';

const mostNamed = 3;

/** `3 answers in a.har, b.har, c.har and 2 more`. A run does not say how many: it may have polled. */
function seen(number: number, what: string, sources: Iterable<string>): string {
  const names = [...sources].sort();
  if (names.includes(aRun)) return `${plural(what)} in ${aRun}`;
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  return `${counted(number, what)} in ${names.slice(0, mostNamed).join(', ')}${more}`;
}

// Merging with the entries of an existing profile.
type Entry = Record<string, unknown>;
type Entries = Readonly<Record<string, Entry>>;

interface StatedOperations {
  readonly operations: Entries;
  /** Where each entry is from, by its JSON Pointer. */
  readonly sources: Readonly<Record<string, string>>;
}

/**
 * Merges the operations of the existing profile with those learnt. What the profile states wins, since somebody may
 * have meant it; statuses, identifiers and parameters that were learnt are added.
 */
export function keepOperations(
  kept: Readonly<Record<string, Json>>,
  learnt: StatedOperations,
): StatedOperations {
  const sources = { ...learnt.sources };
  const keptSources = objectOf<string>(kept.sources);
  const claim = (pointer: string) => {
    delete sources[pointer];
    const source = keptSources[pointer];
    if (source !== undefined) sources[pointer] = source;
  };
  const operations: Record<string, Entry> = { ...learnt.operations };
  for (const [id, entry] of Object.entries(objectOf<Entry>(kept.operations))) {
    const at = pointerTo('/operations', id);
    const stated = objectOf<Json>(entry);
    const found = operations[id] ?? {};
    const isLearnt = (key: string) => keptSources[`${at}/${key}`] !== undefined && key in found;
    const own = { ...stated };
    // A body that a run made up gives way to one that a client sent.
    if (isLearnt('body') && keptSources[`${at}/body`] === `requests in ${aRun}`) delete own.body;
    operations[id] = inOrder({
      ...found,
      ...own,
      ...(isLearnt('schema') && { schema: eitherSchema(own.schema as object, found.schema as object) }),
      ...(Array.isArray(own.accepts) && { accepts: both(own.accepts, found.accepts) }),
      ...merged('ids', own, found),
      ...merged('parameters', own, found),
    });
    for (const key of Object.keys(own)) {
      if (key === 'schema' && isLearnt(key))
        sources[`${at}/${key}`] = bothSources(keptSources[`${at}/${key}`], learnt.sources[`${at}/${key}`]);
      else if (key === 'ids' || key === 'parameters')
        for (const name of Object.keys(objectOf(own[key]))) claim(pointerTo(`${at}/${key}`, name));
      else claim(`${at}/${key}`);
    }
  }
  return { operations, sources };
}

/** The order of an entry's fields, so that learning the same again writes the same file. */
const order = ['accepts', 'body', 'contentType', 'ids', 'parameters', 'schema'];
const placeOf = (key: string) => order.indexOf(key) + 1 || order.length + 1;
const inOrder = (entry: Entry): Entry =>
  Object.fromEntries(Object.entries(entry).sort(([a], [b]) => placeOf(a) - placeOf(b)));

const bothSources = (kept = '', found = '') =>
  kept.split('; ').includes(found) ? kept : `${kept}; ${found}`;

const both = (kept: readonly Json[], found: unknown) =>
  [...new Set([...kept, ...(Array.isArray(found) ? (found as Json[]) : [])])].sort(
    (a, b) => Number(a) - Number(b),
  );

const merged = (key: 'ids' | 'parameters', own: Readonly<Record<string, Json>>, found: Entry) =>
  own[key] !== undefined && { [key]: sorted({ ...objectOf(found[key]), ...objectOf(own[key]) }) };

/** Largest profile in bytes; a reader accepts more, which leaves room for what people add. */
const mostBytes = 900 * 1024;

type Note = (pointer: string, source: string) => void;

export interface LearntProfile {
  readonly text: string;
  readonly profile: Entry;
  /** How many schemas were left out, since the file would be too large to be read. */
  readonly dropped: number;
}

/** @param schemaPath of the published JSON Schema, relative to the profile; for completion in editors */
export function profileText(found: Learnt, schemaPath?: string): LearntProfile {
  const learnt = { ...found, parameters: withoutApart(found) };
  const noted: Record<string, string> = {};
  const note: Note = (pointer, source) => {
    noted[pointer] = source;
  };
  const ofOperations = catalog.flatMap((operation) => {
    const spoken = learnt.spoken.get(operation.id);
    if (!spoken || spoken.statuses.total === 0) return [];
    return [[operation.id, operationOf(operation, spoken, learnt, note)] as const];
  });
  const around = aroundOf(learnt, note);
  const session = sessionOf(learnt, learnt.spoken.get('auth.login'), note);
  const kept = keepOperations(learnt.kept ?? {}, {
    operations: Object.fromEntries(ofOperations),
    sources: noted,
  });
  const operations = sorted(kept.operations);
  const sources = { ...kept.sources };
  for (let dropped = 0; ; dropped += 1) {
    const profile = {
      ...(schemaPath !== undefined && { $schema: schemaPath }),
      ...around,
      ...(session && { session }),
      operations,
      sources: sorted(sources),
    };
    const text = textOf(profile);
    const [heaviest] =
      text.length <= mostBytes
        ? []
        : Object.entries(operations)
            .filter(([, entry]) => entry.schema !== undefined)
            .sort(([, a], [, b]) => textOf(b.schema).length - textOf(a.schema).length);
    if (!heaviest) return { text, profile, dropped };
    const [id, entry] = heaviest;
    delete entry.schema;
    delete sources[`/operations/${id}/schema`];
  }
}

/**
 * Leaves out parameters that one operation alone takes in its path and others name in their bodies: a player buys a
 * character that they do not own, while a body names one that they own.
 */
function withoutApart({ parameters, findings, bodyOf }: Learnt): Learnt['parameters'] {
  const isApart = (name: string) => {
    const taker = onlyOperationWith(findings.parameterValues, name);
    const isNamed = (id: string) => id !== taker && JSON.stringify(bodyOf(id))?.includes(`{{${name}}}`);
    return taker !== undefined && catalog.some(({ id }) => isNamed(id));
  };
  return new Map([...parameters].filter(([name]) => !isApart(name)));
}

const textOf = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

const sorted = <T>(entries: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(entries).sort(byName));

/** Keys that are merged from the profile and from what was learnt; the others stay as they are. */
const madeApart = new Set(['session', 'operations', 'sources']);

function aroundOf(learnt: Learnt, note: Note): Entry {
  const { findings, segments, parameters, headers, spoken, calls, sources } = learnt;
  const { kept = {}, omissions = [] } = learnt;
  // Leaves out the document's own words: a run finds them without help, and takes a stated one for a mistake.
  const renamed = Object.fromEntries(
    Object.entries(findings.words as Readonly<Record<string, string>>).filter(([word, own]) => word !== own),
  );
  for (const word of Object.keys(renamed))
    note(`/words/${word}`, seen(findings.showing(word as 'game'), 'operation', sources));
  for (const [id, words] of Object.entries(findings.wordsAt))
    for (const word of Object.keys(words))
      note(`/wordsAt/${id}/${word}`, seen(spoken.get(id)?.statuses.total ?? 0, 'call', sources));
  for (const name of Object.keys(segments))
    note(`/parameters/${name}`, seen(findings.showing(name as 'gameVersion'), 'operation', sources));
  for (const [name, { calls }] of parameters)
    if (segments[name] === undefined) note(`/parameters/${name}`, seen(calls, 'call', sources));
  for (const name of Object.keys(headers))
    note(pointerTo('/headers', name), `the same on ${seen(calls, 'call', sources)}`);
  return {
    ...Object.fromEntries(Object.entries(kept).filter(([key]) => !madeApart.has(key))),
    ...(omissions.length > 0 && { omit: [...(Array.isArray(kept.omit) ? kept.omit : []), ...omissions] }),
    words: sorted({ ...objectOf(kept.words), ...renamed }),
    wordsAt: sorted({ ...objectOf(kept.wordsAt), ...findings.wordsAt }),
    parameters: sorted({ ...objectOf(kept.parameters), ...valuesOf(parameters), ...segments }),
    headers: { ...objectOf(kept.headers), ...sorted(headers) },
  };
}

const valuesOf = (found: Learnt['parameters']) =>
  Object.fromEntries(Array.from(found, ([name, { value }]) => [name, value]));

function sessionOf(learnt: Learnt, login: Spoken | undefined, note: Note): Entry | undefined {
  const { transport, signedCalls, sessionHosts, sources, kept = {} } = learnt;
  const stated = objectOf(kept.session);
  const statedHosts = objectOf(stated.hosts);
  const loginBody = login && learnt.bodyOf('auth.login');
  const body = loginBody === undefined ? undefined : loginTemplate(loginBody);
  if (transport) note('/session/transport', seen(signedCalls, 'call', sources));
  if (login && body !== undefined)
    note('/session/body', seen(login.statuses.total, 'request', login.sources));
  for (const [host, calls] of sessionHosts)
    if (statedHosts[host] === undefined) note(`/session/hosts/${host}`, seen(calls, 'call', sources));
  // Without a sign-in, the profile's statement and its source stay.
  const staying = [
    ...(transport ? [] : ['transport']),
    ...(body === undefined ? ['body'] : []),
    ...Object.keys(statedHosts).map((host) => `hosts/${host}`),
  ];
  for (const place of staying) {
    const source = objectOf(kept.sources)[`/session/${place}`];
    if (typeof source === 'string') note(`/session/${place}`, source);
  }
  const learntHosts = Object.fromEntries(Array.from(sessionHosts.keys(), (host) => [host, true]));
  const hosts = sorted<unknown>({ ...learntHosts, ...statedHosts });
  const session = {
    ...stated,
    ...(body !== undefined && { body }),
    ...(transport && { transport }),
    ...(Object.keys(hosts).length > 0 && { hosts }),
  };
  return Object.keys(session).length > 0 ? session : undefined;
}

function operationOf(operation: Operation, spoken: Spoken, learnt: Learnt, note: Note): Entry {
  const { statuses, jsonAnswers, hollowAnswers, sources, identifiers, identifiersInFlows, answer } = spoken;
  const at = (key: string) => `/operations/${operation.id}/${key}`;
  const accepts = statuses.ranked().map(([status]) => Number(status));
  const isAccepted = isAcceptedAlone(operation, spoken) || learnt.proved?.has(operation.id) === true;
  if (isAccepted) note(at('accepts'), seen(statuses.total, 'answer', sources));
  const isLogin = operation.id === 'auth.login';
  const takesBody = !isLogin && (operation.method === 'POST' || operation.method === 'PUT');
  const body = takesBody ? learnt.bodyOf(operation.id) : undefined;
  if (body !== undefined) note(at('body'), seen(statuses.total, 'request', sources));
  const contentType = contentTypeOf(spoken);
  if (contentType !== undefined) note(at('contentType'), seen(statuses.total, 'request', sources));
  const places = placesOf(identifiers, identifiersInFlows, learnt.isShareable);
  // Most answers mention players; only the login's names the one who signed in.
  if (!isLogin) places.delete('playerId');
  const ownValues = ownParameters(
    learnt.findings.parameterValues,
    operation.id,
    learnt.parameters,
    learnt.known.isPersonal,
  );
  for (const [name, { answers }] of places) note(at(`ids/${name}`), seen(answers, 'answer', sources));
  for (const [name, { calls }] of ownValues) note(at(`parameters/${name}`), seen(calls, 'call', sources));
  const schema = hollowAnswers > 0 ? undefined : schemaOf(answer);
  if (schema) note(at('schema'), seen(jsonAnswers, 'answer', sources));
  return {
    ...(isAccepted && { accepts: accepts.sort((a, b) => a - b) }),
    ...(body !== undefined && { body }),
    ...(contentType !== undefined && { contentType }),
    ...(places.size > 0 && {
      ids: sorted(Object.fromEntries(Array.from(places, ([name, { pointer }]) => [name, pointer]))),
    }),
    ...(ownValues.size > 0 && { parameters: sorted(valuesOf(ownValues)) }),
    ...(schema && { schema }),
  };
}

/** Whether plain calls show the accepted statuses: what follows another call may be answered otherwise without it. */
const isAcceptedAlone = ({ method, precondition }: Operation, { plainCalls }: Spoken) =>
  plainCalls > 0 && (precondition !== 'follows' || method === 'GET');

function contentTypeOf({ contentTypes }: Spoken): string | undefined {
  const type = contentTypes.first;
  if (!type || type === 'application/json') return undefined;
  return /^[a-z]+\/[a-z0-9.+-]{1,60}$/.test(type) ? type : undefined;
}
