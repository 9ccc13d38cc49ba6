// The register of all clauses that a check may cite; those of a profile, which are few, stand here.
import { type Clause, clauses } from './clause.ts';
import { effects } from './flows.ts';
import { requirements, tables } from './headings.ts';
import { inferred } from './inferred.ts';
import { open } from './open.ts';
import { rfcs } from './rfc.ts';

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
