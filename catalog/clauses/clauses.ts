// The clause register: every sentence a check may cite.
import type { Clause } from './clause.ts';
import { endpoints, profile } from './endpoints.ts';
import { effects } from './flows.ts';
import { document } from './headings.ts';
import { inferred } from './inferred.ts';
import { open } from './open.ts';
import { rfcs } from './rfc.ts';

export const register: readonly Clause[] = [
  endpoints,
  document,
  rfcs,
  inferred,
  ...Object.values(effects),
  profile,
  open,
].flatMap((group) => Object.values<Clause>(group));

const byId = new Map(register.map((clause) => [clause.id, clause]));

export const isClause = (id: string): boolean => byId.has(id);

/**
 * The clause with this id.
 * @throws RangeError where the register holds none: a check cites what does not exist
 */
export function clauseById(id: string): Clause {
  const clause = byId.get(id);
  if (clause === undefined) throw new RangeError(`no clause has the id ${id}`);
  return clause;
}
