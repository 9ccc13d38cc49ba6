// A result names its clause by id; a reader wants the sentence.
import { register } from '../fixtures/catalog/clauses/register.ts';

const byId = new Map(register.map((clause) => [clause.id, clause]));

/** What a clause says and why. A result from another version may cite one unknown here: it is told by its id. */
export function clauseText(id: string): { readonly says: string; readonly why: string } {
  return byId.get(id) ?? { says: id, why: 'this version of Assay does not know the clause' };
}
