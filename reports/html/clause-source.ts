// Where a clause stands: a section of an RFC, or a heading of the interface document.
import { register } from '../../fixtures/catalog/clauses/register.ts';

export interface ClauseSource {
  readonly text: string;
  /** Of an RFC's section. */
  readonly link?: string;
}

const byId = new Map(
  register.flatMap(({ id, rfc, heading }): [string, ClauseSource][] => {
    if (rfc) return [[id, { text: rfc.section, link: rfc.link }]];
    return heading === undefined ? [] : [[id, { text: `the interface, “${heading}”` }]];
  }),
);

/** Undefined for good sense, for open points, and for a clause of another version. */
export const clauseSource = (id: string): ClauseSource | undefined => byId.get(id);
