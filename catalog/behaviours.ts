// An open point is a question that the interface document leaves to the server, such as whether a removed friend still
// lists the other player. A run fails nothing for it: it records in a sentence what it saw. This file reads a value
// from that sentence: a few words to compare, pin and gate on. Results of older versions hold only sentences, so the
// old wording of a sentence stays here.

/** The value of every point at which somebody is shown what belongs to another player. */
export const othersData = "another player's data";

/** A value; the sentences that mean it; and what people notice once a server begins to behave so. */
type Choice = readonly [value: string, sentence: string | RegExp, notice?: string];

const refusedInBody = 'refused in the body';
/** What an answer means for a client: its status, or a body that refuses in spite of a success. */
const answers = [
  'accepted',
  refusedInBody,
  'redirected',
  'sign in first',
  'refused',
  'not found',
  'server error',
] as const;

function meaningOf(status: number): (typeof answers)[number] {
  if (status >= 500) return 'server error';
  if (status === 401) return 'sign in first';
  if (status === 404 || status === 410) return 'not found';
  if (status >= 400) return 'refused';
  return status >= 300 ? 'redirected' : 'accepted';
}

/** What an outsider sees of what belongs to another player. @param what a noun phrase that says whose it is */
const seenByOutsiders = (what: string): readonly Choice[] => [
  ['nothing of theirs', /^2\d\d, not /, `outsiders no longer see ${what}`],
  [othersData, /^2\d\d, /, `outsiders now see ${what}`],
  ['sign in first', /^401/, `outsiders no longer see ${what}: they are told to sign in first`],
  ['not found', /^(404|410)/, `outsiders no longer find ${what}`],
  ['refused', /^4/, `outsiders who ask for ${what} are now refused`],
  ['server error', /^5/, `the server now breaks when an outsider asks for ${what}`],
];

const listed = (still: string, gone: string): readonly Choice[] => [
  ['still listed', 'still listed', still],
  ['no longer listed', 'no longer listed', gone],
];

const yesOrNo = (onceYes: string, onceNo: string): readonly Choice[] => [
  ['no', /^(it does not|it is not|they are not back|not )/, onceNo],
  ['yes', /^(it does|it is|they are back)/, onceYes],
];

/** Which players of a party get a match from the queue. */
const matchedOfParty: readonly Choice[] = [
  ['nobody', 'matched: nobody', 'a party in the queue no longer gets a match'],
  ['leader and member', 'matched: leader and member', 'a party in the queue is now matched as a whole'],
  ['leader alone', 'matched: leader', 'a party in the queue is torn apart: its leader alone gets the match'],
  ['member alone', 'matched: member', 'a party in the queue is torn apart: a member alone gets the match'],
];

/** How callers without a valid credential are answered. @param who these callers, in the plural */
const answersTo = (who: string): readonly Choice[] => [
  ['as signed in', /: 2\d\d, in the same form/, `${who} are now answered like players who are signed in`],
  ['otherwise than signed in', /: 2\d\d, in another form/, `${who} are now answered, in another form`],
  ['sign in first', /: 401/, `${who} are now told to sign in`],
  ['not found', /: (404|410)/, `${who} no longer find the operation`],
  [refusedInBody, /: 2\d\d with a body that refuses/, `${who} are now refused in the body of a success`],
  ['refused', /: 4/, `${who} are now refused`],
  ['server error', /: 5/, `the server now breaks for ${who}`],
];

/** What people notice where each repetition of a race's call has its effect, by the names of the races. */
const repeatedByRace = {
  purchase: 'a player can now make the same purchase several times',
  code: 'a player can now redeem the same code several times',
  gift: 'a player can now claim the same gift several times',
  'code-of-several': 'several players can now redeem the same code',
  name: 'several players can now have the same name',
  'two-matches': 'a player who creates two matches is now in both',
  queue: 'a player who enters the queue several times now gets several matches',
};

/** What a call does again when it is repeated after a cut connection, by the names of the retries. */
const doneAgain = {
  purchase: 'makes the purchase',
  code: 'redeems the code',
  gift: 'claims the gift',
  state: 'writes the state',
  party: 'creates a party',
  friend: 'adds the friend',
  logs: 'stores the logs',
  analytics: 'stores the analytics',
};

/** What is read, and the thing whose existence an outsider may learn of, by the names of the reads. */
const readByOutsiders = {
  friends: { what: "another player's friends", existing: 'a player' },
  presence: { what: "another player's rich presence", existing: 'a player' },
  party: { what: "another player's party", existing: 'a party' },
  match: { what: "another player's match", existing: 'a match' },
};

/**
 * Choices by check id, or by `#rule`. A point that is not here has its sentence as its value, with each status replaced
 * by its meaning. Exported for the test that reads every sentence.
 */
export const points: Readonly<Record<string, readonly Choice[]>> = {
  ...Object.fromEntries(
    Object.entries(repeatedByRace).map(([race, notice]) => [
      `races/${race}`,
      [['not single-use', /^one after another they do it too/, notice]],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(doneAgain).map(([call, does]) => [
      `retry/${call}`,
      [['at least once', /^at least once/, `a call that is sent again after a cut now ${does} once more`]],
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
        ['test tokens', /^test JWTs sign in/, 'test tokens, whose secret is published, now sign players in'],
      ],
    ]),
  ),
  '#anonymous': answersTo('callers without a credential'),
  '#spoiled': answersTo('callers with a spoiled credential'),
  'friends/stranger-reads-list': seenByOutsiders("another player's list of friends"),
  'friends/presence-stranger': seenByOutsiders("another player's rich presence"),
  'match/other-view': seenByOutsiders('the players of a match that they are not in'),
  'match/queued-stranger-view': seenByOutsiders('the players of a match from the queue'),
  ...Object.fromEntries(
    Object.entries(readByOutsiders).map(([read, { what, existing }]) => [
      `isolation/read-${read}`,
      [
        [othersData, /^2\d\d, what the owner reads/, `outsiders now see ${what}`],
        [
          'existence is visible',
          /^existence is visible/,
          `outsiders can now find out whether ${existing} exists`,
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
    ['the same ticket', 'the same ticket', 'a player who enters the queue again now keeps the ticket'],
    ['another ticket', 'another ticket', 'a player who enters the queue again now gets another ticket'],
  ],
  'queue/place-again': [
    ['no place', 'no place is told', 'the queue no longer gives a place'],
    [
      'no later place',
      'no later place',
      'a player who comes back into an empty queue no longer gets a later place',
    ],
    ['a later place', 'a later place', 'a player who comes back into an empty queue now gets a later place'],
  ],
  'queue/party-of-two': matchedOfParty,
  'queue/find-party': matchedOfParty,
  'match/queued-quit-shown': [
    ['nobody', 'nobody', 'a match no longer shows that a player quit it'],
    ['the one who quit', 'the one who quit', 'a match now shows the player who quit it, and nobody else'],
    ['both', 'both', 'a match that one player quits is now shown as quit by another as well'],
  ],
  'party/full-invited': yesOrNo(
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
      'the queue now leads a player who quit a match back to it',
    ],
    ['anew', /^2\d\d, anew$/, 'a player who quit a match can now enter the queue anew'],
    ['refused', /^4/, 'the queue now refuses a player who quit a match'],
  ],
  'match/recently-played-other-side': [
    ['both', 'both are told', 'both players are now listed as recently played'],
    ['one', 'one is told', 'one of two players is no longer listed as recently played'],
  ],
  'match/host-in-view': yesOrNo(
    'a match now names the player who made it',
    'a match no longer names the player who made it',
  ),
  'party/removed-returns': yesOrNo(
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
    ['at least 6', /^a party takes at least [6-9]/, 'a party now takes six players or more'],
    ['at most 8', /^a party of 8 takes no other/, 'a party now takes eight players'],
    ['at most 7', /^a party of 7 takes no other/, 'a party now takes seven players'],
    ['at most 6', /^a party of 6 takes no other/, 'a party now takes six players'],
    ['at most 5', /^a party of 5 takes no other/, 'a party now takes five players'],
    ['at most 4', /^a party of 4 takes no other/, 'a party now takes four players'],
    ['at most 3', /^a party of 3 takes no other/, 'a party now takes three players'],
    ['at most 2', /^a party of 2 takes no other/, 'a party now takes two players'],
    ['one alone', /^a party of 1 takes no other/, 'nobody can join a party any more'],
    ['at least 5', /^a party takes at least 5/, 'a party now takes five players or more'],
  ],
  'names/search-other-case': yesOrNo(
    'a name is now found in its own letter case alone',
    'a name is now found in any letter case',
  ),
  'names/search-former': yesOrNo(
    'a player is now found by a name that was given up',
    'a player is no longer found by a name that was given up',
  ),
  'messages/claimed-listed': messageAfter('claimed', 'claimed'),
  'messages/marked-listed': messageAfter('marked as read', 'read'),
  'progression/popup': yesOrNo(
    'a popup that was shown is now kept as shown',
    'a popup that was shown is no longer kept as shown',
  ),
  'progression/page': yesOrNo(
    'a page that was read is now kept as read',
    'a page that was read is no longer kept as read',
  ),
  'progression/xp': yesOrNo(
    'reported experience now changes the tier',
    'reported experience no longer changes the tier',
  ),
  'progression/onboarding-shown': yesOrNo(
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

/** What becomes of a message. @param done what a player did to it @param state what it is since then */
function messageAfter(done: string, state: string): readonly Choice[] {
  return [
    ['gone', 'it is gone', `a message that was ${done} now disappears`],
    ['changed', 'it is changed', `a message that was ${done} is now shown as ${state}`],
    ['as before', 'it is as before', `a message that was ${done} is no longer shown as ${state}`],
  ];
}

const choicesOf = (id: string): readonly Choice[] =>
  [id, id.replace(/^[^#]*/, '')].flatMap((key) => (Object.hasOwn(points, key) ? (points[key] ?? []) : []));

const status = /(?<![\w.-])([1-5]\d\d)( with a body that refuses it)?(?![\w.-])/g;

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
  return (
    found?.[0] ??
    behaviour.replace(status, (_, digits, refuses) => (refuses ? refusedInBody : meaningOf(Number(digits))))
  );
}

/** How a server now treats a call, by the meaning of its answer. */
const nowDoes: Readonly<Record<(typeof answers)[number], string>> = {
  accepted: 'the server now accepts it',
  [refusedInBody]: 'the server now refuses it in the body of a success',
  redirected: 'the server now redirects it',
  'sign in first': 'the server now wants a sign-in first',
  refused: 'the server now refuses it',
  'not found': 'the server no longer finds it',
  'server error': 'the server now breaks',
};

const isAnswer = (value: string): value is keyof typeof nowDoes => Object.hasOwn(nowDoes, value);

/**
 * What people notice of a change, in words that need no knowledge of Assay: "players no longer find one another".
 * @param title of the check
 */
export function noticeOfChange(id: string, title: string, before: string, after: string): string {
  const [was, is] = [behaviourValue(id, before) ?? before, behaviourValue(id, after) ?? after];
  const notice = choicesOf(id).find(([value]) => value === is)?.[2];
  if (notice !== undefined) return `${notice} (before: ${was})`;
  const [, subject] = /^how the server answers (?:when )?(.*)$/.exec(title) ?? [];
  if (subject !== undefined && isAnswer(is)) return `${subject}: ${nowDoes[is]} (before: ${was})`;
  return `${title}: now ${is} (before: ${was})`;
}
