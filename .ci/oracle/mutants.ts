// Which mutants the oracle records.

/** Mutants, by the name of their record: of several kinds of rule, and of flows. None of them makes a run wait. */
export const mutants = {
  'no-route': 'routed (no route) on game.loadout',
  reset: 'answers (reset) on onboarding.get',
  'two-texts': 'media (two texts) on general.config',
  'bad-chunk': 'framing (bad chunk) on game.bloodweb',
  'etag-unstable': 'etag-stable on clientData.collections',
  'dead-session': 'dead-session on messages.claim',
  'private-data': 'private on general.inventories',
  'shared-name': "a name is everybody's",
  'member-stays': 'who leaves stays',
  'match-untold': 'who comes second is not told of the match',
} as const;
