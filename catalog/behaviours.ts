// The values of open points: a few words to compare, pin and gate on, beside the sentence in which a run records what it
// saw. Results of older versions hold sentences alone, so a value is read from its sentence; reworded ones keep their row.

/** The value of every point at which somebody is shown what belongs to another player. */
export const othersData = "another player's data";

/** A value; the sentences that mean it; and what people notice once a server has come to behave so. */
type Choice = readonly [value: string, sentence: string | RegExp, becomes?: string];

/** What a status means for a client. */
const answers = ['accepted', 'redirected', 'sign in first', 'refused', 'not found', 'server error'] as const;

function meaningOf(status: number): (typeof answers)[number] {
  if (status >= 500) return 'server error';
  if (status === 401) return 'sign in first';
  if (status === 404 || status === 410) return 'not found';
  if (status >= 400) return 'refused';
  return status >= 300 ? 'redirected' : 'accepted';
}

/** What somebody sees who asks for what belongs to another player. @param what whose and what, for people */
const seen = (what: string): readonly Choice[] => [
  ['nothing of theirs', /^2\d\d, not /, `outsiders no longer see ${what}`],
  [othersData, /^2\d\d, /, `outsiders now see ${what}`],
  ['sign in first', /^401/, `outsiders no longer see ${what}: they are to sign in first`],
  ['not found', /^(404|410)/, `outsiders no longer find ${what}`],
  ['refused', /^4/, `outsiders are now refused ${what}`],
  ['server error', /^5/, `the server breaks when an outsider asks for ${what}`],
];

const listed = (still: string, gone: string): readonly Choice[] => [
  ['still listed', 'still listed', still],
  ['no longer listed', 'no longer listed', gone],
];

const yes = (becomes: string, otherwise: string): readonly Choice[] => [
  ['no', /^(it does not|it is not|they are not back|not )/, otherwise],
  ['yes', /^(it does|it is|they are back)/, becomes],
];

/** Which members of a party a match from the queue has. */
const matchedOfParty: readonly Choice[] = [
  ['nobody', 'matched: nobody', 'a party in the queue no longer gets a match'],
  ['leader and member', 'matched: leader and member', 'a party in the queue is now matched as a whole'],
  ['leader alone', 'matched: leader', 'a party in the queue is torn apart: its leader alone gets the match'],
  ['member alone', 'matched: member', 'a party in the queue is torn apart: a member alone gets the match'],
];

const credential = (who: string): readonly Choice[] => [
  ['as signed in', /: 2\d\d, in the same form/, `${who} are now answered like players who are signed in`],
  ['otherwise than signed in', /: 2\d\d, in another form/, `${who} are now answered, in another form`],
  ['sign in first', /: 401/, `${who} are now told to sign in`],
  ['not found', /: (404|410)/, `${who} no longer find it`],
  ['refused', /: 4/, `${who} are now refused`],
  ['server error', /: 5/, `the server breaks for ${who}`],
];

/** By check id, or by `#rule`. A point that is not here has its sentence as its value, with the meaning of each status. */
const points: Readonly<Record<string, readonly Choice[]>> = {
  ...Object.fromEntries(
    ['purchase', 'code', 'gift', 'code-of-several', 'name', 'two-matches', 'queue'].map((race) => [
      `races/${race}`,
      [
        [
          'not single-use',
          /^one after another they do it too/,
          `a ${race.split('-')[0]} can now be had several times`,
        ],
      ],
    ]),
  ),
  ...Object.fromEntries(
    ['purchase', 'code', 'gift', 'state', 'party', 'friend', 'logs', 'analytics'].map((call) => [
      `retry/${call}`,
      [['at least once', /^at least once/, `a ${call} that is sent again after a cut is now done again`]],
    ]),
  ),
  ...Object.fromEntries(
    [
      'signature',
      'cut',
      'payload',
      'none',
      'expired',
      'early',
      'audience',
      'issuer',
      'session-signature',
      'session-unsigned',
    ].map((forged) => [
      `forged/${forged}`,
      [
        [
          'not verified',
          /^(accepted, since )?no signature is verified/,
          'anybody can now sign in as anybody',
        ],
        ['test tokens', /^test JWTs sign in/, 'test tokens now sign in, and their secret is published'],
      ],
    ]),
  ),
  '#anonymous': credential('callers without a credential'),
  '#spoiled': credential('callers with a spoiled credential'),
  'friends/stranger-reads-list': seen("who is in another player's list of friends"),
  'friends/presence-stranger': seen("another player's rich presence"),
  'match/other-view': seen('who plays in a match that they are not in'),
  'match/queued-stranger-view': seen('who plays in a match from the queue'),
  ...Object.fromEntries(
    ['friends', 'presence', 'party', 'match'].map((what) => [
      `isolation/read-${what}`,
      [
        [othersData, /^2\d\d, what the owner reads/, `outsiders now see the ${what} of another player`],
        [
          'existence is visible',
          /^existence is visible/,
          `outsiders can now find out whether a ${what} exists`,
        ],
      ],
    ]),
  ),
  'party/stranger-read': [
    [
      othersData,
      /(without the key|with a wrong one) 2\d\d \(shows as much\)/,
      'outsiders now see a whole party without its key',
    ],
    ['a part of it', /(without the key|with a wrong one) 2\d\d/, 'outsiders now see a party in part'],
    ['nothing without the key', /^without the key/, 'outsiders no longer see a party without its key'],
  ],
  'friends/add-back': [
    ['one is enough', /^one is enough/, 'one player who adds another is now enough for a friendship'],
    ['both must add', /^one is not enough/, 'both players must now add one another to be friends'],
  ],
  'friends/synced-list': [
    ['friends stay', 'friends stay', 'synchronizing the list of friends no longer empties it'],
    ['friends are gone', 'friends are gone', 'synchronizing the list of friends now empties it'],
  ],
  'friends/removed-other-side': listed(
    'a friend who is removed now keeps the other player in the list of friends',
    'a friend who is removed now loses the other player from the list of friends',
  ),
  'friends/blocked-friend': listed(
    'a friend who is blocked now stays in the list of friends',
    'a friend who is blocked now goes from the list of friends',
  ),
  'queue/find': [
    ['matched with one another', 'they find one another', 'players in the queue now find one another'],
    ['no match in time', 'they are told no match in time', 'players no longer find one another in the queue'],
    [
      'matched apart',
      'they are told matches without one another',
      'players in the queue are now matched, but not with one another',
    ],
  ],
  'queue/ticket-again': [
    ['no ticket', 'no ticket is told', 'the queue no longer gives a ticket'],
    ['the same ticket', 'the same ticket', 'who enters the queue again now keeps their ticket'],
    ['another ticket', 'another ticket', 'who enters the queue again now gets another ticket'],
  ],
  'queue/place-again': [
    ['no place', 'no place is told', 'the queue no longer gives a place'],
    ['no later place', 'no later place', 'who comes back into an empty queue no longer gets a later place'],
    ['a later place', 'a later place', 'who comes back into an empty queue now gets a later place'],
  ],
  'queue/party-of-two': matchedOfParty,
  'queue/find-party': matchedOfParty,
  'match/queued-quit-shown': [
    ['nobody', 'nobody', 'a match no longer shows who quit it'],
    ['the one who quit', 'the one who quit', 'a match now shows who quit it, and nobody else'],
    ['both', 'both', 'a match that one player quits is now shown as quit by another as well'],
  ],
  'party/full-invited': yes(
    'an invitation now lets one more into a full party',
    'an invitation no longer lets one more into a full party',
  ),
  'party/member-disbands': [
    ['it ends the party', 'it ends the party', 'a member who leaves with disband now ends the party for all'],
    [
      'the party goes on',
      'the party goes on',
      'a member who leaves with disband no longer ends the party for all',
    ],
  ],
  'queue/token-other': [
    ['no token', 'no token is told', 'the queue no longer gives a token'],
    ['one token for both', 'one token for both', 'two players now get the same token for the queue'],
    ['a token each', 'a token each', 'each player now gets a token of their own for the queue'],
  ],
  'match/queued-quit-queue': [
    [
      'back in the match',
      /back to the match they quit$/,
      'who quits a match is now led back to it by the queue',
    ],
    ['anew', /^2\d\d, anew$/, 'who quits a match can now enter the queue anew'],
    ['refused', /^4/, 'who quits a match is now refused by the queue'],
  ],
  'match/recently-played-other-side': [
    ['both', 'both are told', 'both players are now listed as recently played'],
    ['one', 'one is told', 'one of two players is no longer listed as recently played'],
  ],
  'match/host-in-view': yes('a match now names who made it', 'a match no longer names who made it'),
  'party/removed-returns': yes(
    'a removed player can now come back',
    'a removed player can no longer come back',
  ),
  'party/leader-left-party': [
    ['the party goes on', 'the party goes on', 'a party now goes on after its leader left'],
    ['the party is over', 'the party is over', 'a party no longer goes on after its leader left'],
  ],
  'party/disband-ends': [
    ['it ends the party', 'it ends the party', 'removing a member with disband now ends the party'],
    ['the party goes on', 'the party goes on', 'removing a member with disband no longer ends the party'],
  ],
  'party/full': [
    ['at least 6', /^a party takes at least [6-9]/, 'a party now takes six players and more'],
    ['at most 8', /^a party of 8 takes no other/, 'a party now takes eight players'],
    ['at most 7', /^a party of 7 takes no other/, 'a party now takes seven players'],
    ['at most 6', /^a party of 6 takes no other/, 'a party now takes six players'],
    ['at most 5', /^a party of 5 takes no other/, 'a party now takes five players'],
    ['at most 4', /^a party of 4 takes no other/, 'a party now takes four players'],
    ['at most 3', /^a party of 3 takes no other/, 'a party now takes three players'],
    ['at most 2', /^a party of 2 takes no other/, 'a party now takes two players'],
    ['one alone', /^a party of 1 takes no other/, 'nobody can join a party any more'],
    ['at least 5', /^a party takes at least 5/, 'a party now takes five players and more'],
  ],
  'names/search-other-case': yes(
    'a name is now found in its own letter case alone',
    'a name is now found in any letter case',
  ),
  'names/search-former': yes(
    'a player is now found by a name that was given up',
    'a player is no longer found by a name that was given up',
  ),
  'messages/claimed-listed': becoming('claimed'),
  'messages/marked-listed': becoming('marked as read'),
  'progression/popup': yes(
    'a popup that was shown is now kept as shown',
    'a popup that was shown is no longer kept as shown',
  ),
  'progression/page': yes(
    'a page that was read is now kept as read',
    'a page that was read is no longer kept as read',
  ),
  'progression/xp': yes(
    'reported experience now changes the tier',
    'reported experience no longer changes the tier',
  ),
  'progression/onboarding-shown': yes(
    'a reported step of the onboarding is now shown',
    'a reported step of the onboarding is no longer shown',
  ),
  'login/sign-in-again': [
    ['one session', 'it does, and ends the session before', 'a second sign-in now ends the first session'],
    ['many sessions', 'it does, and so do the sessions before', 'a player may now have several sessions'],
    ['tokens work once', 'a token signs in once', 'a token can now be used once only'],
  ],
  'login/logout-other-sessions': [
    ['the others go on', 'the others go on', "signing out no longer ends a player's other sessions"],
    ['the others are over', 'the others are over', "signing out now ends a player's other sessions"],
    ['one at a time', 'there is one at a time', 'a player now has one session at a time'],
  ],
  'state/first-value': [
    ['replaced', 'the later value takes its place', 'a later value of a state now replaces the first'],
    [
      'kept beside',
      'it stands beside the later one',
      'a later value of a state no longer replaces the first',
    ],
  ],
};

function becoming(how: string): readonly Choice[] {
  return [
    ['gone', 'it is gone', `a message that was ${how} now disappears`],
    ['changed', 'it is changed', `a message that was ${how} is now shown so`],
    ['as before', 'it is as before', `a message that was ${how} is no longer shown so`],
  ];
}

const choicesOf = (id: string): readonly Choice[] =>
  [id, id.replace(/^[^#]*/, '')].flatMap((key) => (Object.hasOwn(points, key) ? (points[key] ?? []) : []));

const status = /(?<![\w.-])[1-5]\d\d(?![\w.-])/g;

/**
 * The value of an open point.
 * @param id of the check
 * @param behaviour its sentence, or a value
 * @returns undefined for the shape of an answer, which is compared place by place
 */
export function behaviourValue(id: string, behaviour: string): string | undefined {
  if (id.endsWith('#shape')) return undefined;
  const found = choicesOf(id).find(
    ([value, sentence]) =>
      value === behaviour ||
      (typeof sentence === 'string' ? sentence === behaviour : sentence.test(behaviour)),
  );
  return found?.[0] ?? behaviour.replace(status, (digits) => meaningOf(Number(digits)));
}

const does: Readonly<Record<(typeof answers)[number], string>> = {
  accepted: 'the server now accepts it',
  redirected: 'the server now redirects it',
  'sign in first': 'the server now wants a sign-in first',
  refused: 'the server now refuses it',
  'not found': 'the server no longer finds it',
  'server error': 'the server now breaks',
};

const isAnswer = (value: string): value is keyof typeof does => Object.hasOwn(does, value);

/**
 * What people notice of a change, in words that need no knowledge of Assay: "players no longer find one another".
 * @param title of the check
 */
export function becomes(id: string, title: string, before: string, after: string): string {
  const [was, is] = [behaviourValue(id, before) ?? before, behaviourValue(id, after) ?? after];
  const said = choicesOf(id).find(([value]) => value === is)?.[2];
  if (said !== undefined) return `${said} (before: ${was})`;
  const [, subject] = /^how the server answers (?:when )?(.*)$/.exec(title) ?? [];
  if (subject !== undefined && isAnswer(is)) return `${subject}: ${does[is]} (before: ${was})`;
  return `${title}: now ${is} (before: ${was})`;
}
