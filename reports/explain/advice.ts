// What a violation means, and what to do about it: both depend on who says the rule.
import type { Level } from '../../fixtures/catalog/clauses/clause.ts';

const waive = 'A waiver in the profile excuses it until a day that you name.';

const advice: Readonly<Record<Level, string>> = {
  documented: `Mend the server: the interface document says so. ${waive}`,
  profile: `Mend the server, or the profile where it no longer tells how the server speaks. ${waive}`,
  standard: `Mend the server: clients rely on the RFC. ${waive}`,
  inferred:
    'Look whether the server means it: only good sense says so, and it warns. It fails under --strict, and where the profile says how the operations are spoken.',
  open: 'Nothing: the document leaves it open, so the answer is recorded. npm run diff tells when it changes.',
};

/** What a user can do where a clause of this level is broken. */
export const adviceOf = (level: Level): string => advice[level];

const consequence: Readonly<Record<Level, string>> = {
  documented: 'the interface document says it; a violation fails',
  profile: "the target's own profile says it; a violation fails",
  standard: 'an RFC says it; a violation fails where clients trip over it, and warns otherwise',
  inferred: 'good sense says it; a violation warns, and fails under --strict',
  open: 'the document leaves it open; nothing fails, the answer is recorded',
};

/** Who says a rule of this level, and what becomes of a run that breaks it. */
export const consequenceOf = (level: Level): string => consequence[level];
