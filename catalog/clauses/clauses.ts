// The register of all clauses that a check may cite, and the small groups that have no file of their own.
import { type Clause, clauses } from './clause.ts';
import { effects } from './flows.ts';
import { requirements, tables } from './headings.ts';
import { open } from './open.ts';
import { rfcs } from './rfc.ts';

// Level inferred, ids `sense.*`: good sense beyond the document. A violation warns, and fails under --strict.
const inferred = clauses('inferred', {
  'sense.answers': {
    says: 'A call whose inputs the document leaves open is answered without a server error in its plain form.',
    why: 'A 5xx gives a client nothing that it could act on.',
  },
  'sense.no-server-error': {
    says: 'The server refuses bad input without a server error.',
    why: 'Anybody who finds input that crashes a handler can cause an outage for everybody.',
  },
  'sense.malformed-json': {
    says: 'A call that reads its body refuses text that is not JSON, if the other calls of the host refuse it.',
    why: 'Otherwise a body that was cut off in transit is acknowledged: the client drops its copy, and the server has kept nothing.',
  },
  'sense.language': {
    says: 'A call for a language other than en is answered without a server error.',
    why: 'Most players do not play in English, and a text that is missing must not cost them the screen.',
  },
  'sense.method': {
    says: 'A call with a method that the table does not list is not answered like the documented call.',
    why: 'A read that also answers DELETE hides a client bug until it destroys something.',
  },
  'sense.cdn-root': {
    says: 'A client-data folder that does not exist does not return the files of the folder in use.',
    why: 'A client that is sent to the wrong folder must notice, or it plays with the data of another environment.',
  },
  'sense.brackets': {
    says: 'A query name with brackets means the same raw and percent-encoded.',
    why: 'Client libraries differ in which form they send.',
  },
  'sense.types-union': {
    says: 'A catalog that is asked for two types shows items of both.',
    why: 'A store page asks for several types at once; where only one of them counts, half of the page is empty.',
  },
  'sense.attention-needed': {
    says: 'The consents listed with onlyAttentionNeeded=true are a subset of those listed with false.',
    why: 'At start a client asks the player for exactly these consents: one that is missing or not needed blocks the start.',
  },
  'sense.stable-shape': {
    says: 'Two reads without a write between them have one shape.',
    why: 'A client is written against one shape.',
  },
  'sense.concurrent': {
    says: 'Equal calls at once are all answered without a server error.',
    why: 'Clients retry and start in parallel; a race shows first as a 5xx.',
  },
  'sense.reliable': {
    says: 'A read that is answered with success, before and after, meets no server error in between.',
    why: 'A client that meets one shows an error or an empty page; if one read in seven fails, a player meets an error every evening.',
  },
  'sense.no-internals': {
    says: 'A refusal shows no stack trace and no file path of the server.',
    why: 'They help attackers, and no player.',
  },
  'sense.json-label': {
    says: 'An object or a list is labelled as JSON where the host labels nearly all others so, and never as a page.',
    why: 'Many clients look at the label before they parse: they take this answer for plain text.',
  },
  'sense.refusal-form': {
    says: 'A host whose refusals are objects with a 4xx refuses bad input, conflicts and anonymous callers like that, too.',
    why: 'A client reads the code and the reason from the object; of a text it can only show that something failed, and a 200 it takes for success.',
  },
  'sense.version-order': {
    says: 'Versions are compared by number: 8.10 is higher than 8.9, whether a pattern is asked for or a client is checked.',
    why: 'With the tenth minor version all clients are sent back to the content of the ninth.',
  },
  'sense.refusal-status': {
    says: 'An answer whose body reports an error has a 4xx status, where nearly all operations of the host refuse so.',
    why: 'Clients check the status first and would treat the error body as data.',
  },
  'sense.unknown-id': {
    says: 'A call for a party or match by an id that does not exist is refused, if the other calls refuse such an id.',
    why: 'Otherwise a client whose match is over behaves as if it were still in one.',
  },
  'sense.past-times': {
    says: 'A time at which something has happened is not later than the answer that names it.',
    why: 'A client that counts from a time in another zone shows "in two hours" for what was sent just now.',
  },
  'sense.not-over': {
    says: 'A session, a token or an offer is not already expired, by its own timestamp, when issued.',
    why: 'A client that believes the timestamp signs in again at once, or shows an empty shop.',
  },
  'sense.time-unit': {
    says: 'All timestamps of one answer use the same unit.',
    why: 'A client that reads seconds as milliseconds shows a date in January 1970.',
  },
  'sense.timely': {
    says: 'A call that does not wait for other players is answered within seconds, where the host answers others at once.',
    why: 'A player sees a loading screen meanwhile, and many a client gives up.',
  },
  'sense.own-version': {
    says: 'A file of the client data states the version of its path, where the other files do.',
    why: 'A client that is given the content of another version lacks items, or shows some that are not there yet.',
  },
  'sense.etag-per-file': {
    says: 'Files that differ do not all carry one and the same ETag, weak or strong.',
    why: 'A tag that does not depend on the content stays when a file changes: a client that asks is told that its old copy is current.',
  },
  'sense.strangers': {
    says: 'A call does not let in callers who have no part in what they ask about, if the other calls of the host keep them out.',
    why: 'Whoever knows an id sees where others play, or writes to those who blocked them.',
  },
  'sense.null-list': {
    says: 'A member that is a list in one answer is never null in another, if the host sends its other empty lists as lists.',
    why: 'A client that iterates over it crashes for exactly those players who have nothing yet.',
  },
  'sense.private-data': {
    says: "A call without a valid credential does not return a player's own data.",
    why: 'Otherwise anybody can read the data of any player.',
  },
  'sense.batches-want-session': {
    says: 'A call for batches refuses anonymous callers, where the other one does.',
    why: 'Whoever finds the address fills the logs, and nobody can tell whose they are.',
  },
  'sense.wants-session': {
    says: 'A call about its caller refuses anonymous callers, where nearly all other such calls do.',
    why: 'A handler that forgot its session check takes anybody for a player, and a client whose session is over is not told so.',
    othersData: 'on request',
  },
  'sense.batch-ids': {
    says: 'Of two players who send batches with the same ids, neither is told that the batch came before.',
    why: 'Records are lost because the client of somebody else happened to choose the same id.',
  },
  'sense.own-answer': {
    says: 'Where an operation names its caller, it names no other player.',
    why: "Answers that cross, or a cache that does not tell players apart, show players each other's data.",
  },
  'sense.echoed-id': {
    says: 'Where an operation repeats the id that its path names, it repeats no other one.',
    why: 'A client that is answered about another id takes it for the one that it asked for.',
  },
});

// What the target's own profile states.
const profile = clauses('profile', {
  'profile.accepts': {
    says: 'A call that is sent as the profile states is answered with a status that the profile accepts.',
    why: 'The author of the profile, or the run that learnt it, has seen this call succeed.',
  },
  'profile.schema': {
    says: 'A JSON answer matches the schema that the profile states for it.',
    why: 'A client is written against this schema: a field that is missing or of another type stops it.',
  },
});

export const register: readonly Clause[] = [
  tables,
  requirements,
  rfcs,
  inferred,
  ...Object.values(effects),
  profile,
  open,
].flatMap((group) => Object.values<Clause>(group));

const byId = new Map(register.map((clause) => [clause.id, clause]));

/** The clause with this id; undefined for one of another version. */
export const knownClause = (id: string): Clause | undefined => byId.get(id);

/**
 * The clause with this id.
 * @throws RangeError where the register holds none, so that a check cites a clause that does not exist
 */
export function clauseById(id: string): Clause {
  const clause = byId.get(id);
  if (clause === undefined) throw new RangeError(`no clause has the id ${id}`);
  return clause;
}
