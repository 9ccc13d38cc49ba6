// The clauses that flows cite: the effects that operations have by their names, such as "a created party can be read back".
import type { Clause } from './clause.ts';

type Says = Pick<Clause, 'says' | 'why'>;

/** The clauses of one flow; ids are `effects.FLOW.KEY`. Good sense by level, until a profile says how the operations are spoken. */
function effectsOf<const T extends Readonly<Record<string, Says>>>(
  flow: string,
  texts: T,
): { readonly [K in keyof T]: Clause } {
  const entries = Object.entries(texts).map(([key, text]) => [
    key,
    { id: `effects.${flow}.${key}`, level: 'inferred', ...text },
  ]);
  return Object.fromEntries(entries) as { readonly [K in keyof T]: Clause };
}

const content = effectsOf('content', {
  version: {
    says: 'A content version that is reported is one under which client-data files exist.',
    why: 'A client fetches its data under the version it was told, and cannot start without.',
  },
  named: {
    says: 'Consents, news and archives that one answer names exist as files.',
    why: 'A client shows what is named; a file that is missing is an empty page, or a dialogue that never ends.',
  },
});

const friends = effectsOf('friends', {
  called: {
    says: 'Players add, remove, block and unblock one another.',
    why: 'A request that is refused for no reason is a friend who cannot be found.',
  },
  listed: {
    says: "Two players who added one another are in each other's list of friends.",
    why: 'A player is invited from that list, so who is not in it cannot be played with.',
  },
  told: {
    says: 'A player can be looked up by a friend.',
    why: 'The card of a friend opens from the list; a card that does not open is a dead row in it.',
  },
  removed: {
    says: 'A friend who was removed is no longer in the list, and the others stay in it.',
    why: 'Whom one wanted to be rid of still sees when one plays.',
  },
  presence: {
    says: 'What a player says of their doings last is what their friends are told.',
    why: 'A friend who seems to be offline, or in a match that is over, is not asked along.',
  },
  blocked: {
    says: 'Who was blocked is in the list of who is blocked, and the others in it stay there.',
    why: 'A player checks there that somebody is kept away, and who is not listed cannot be unblocked.',
  },
  unblocked: {
    says: 'Who was unblocked is no longer in the list of who is blocked.',
    why: 'Two friends who made up could never play together again.',
  },
  own: {
    says: 'What one player adds or blocks stands in no list of anybody it has nothing to do with.',
    why: 'Lists that run together show strangers as friends, and keep friends away as blocked.',
  },
});

const login = effectsOf('login', {
  called: {
    says: 'Players sign in and out.',
    why: 'Everything else stands on it.',
  },
  same: {
    says: 'A token signs in the same player each time, with what that player keeps.',
    why: 'Who comes back as somebody else has lost everything they had.',
  },
  two: {
    says: 'Two tokens of two players sign in two players, and neither reads what the other keeps.',
    why: 'Players who share a session see, spend and lose what belongs to others.',
  },
  others: {
    says: 'Signing in, being refused or signing out ends no session of anybody else.',
    why: 'One player who leaves would throw out those who play.',
  },
  around: {
    says: 'What the service reports to anybody it reports before a sign-in, during a session and after it.',
    why: 'A client asks for health and versions before it signs in, and again when something went wrong.',
  },
});

const logs = effectsOf('logs', {
  one: {
    says: 'A batch of a single record is taken.',
    why: 'A client that logs one thing before it is closed hands over just that.',
  },
  anySize: {
    says: 'A batch of no records, or of a thousand, is taken or refused, without a server error.',
    why: 'A client that was offline hands over what it has gathered, and repeats what failed at the server.',
  },
  goesOn: {
    says: 'After a batch that is not well-formed, the next good one is taken.',
    why: 'One broken record must not cost the records of a whole session.',
  },
});

const match = effectsOf('match', {
  called: {
    says: 'Players make matches, quit them, and say with whom they played.',
    why: 'A match that is refused for no reason is an evening without one.',
  },
  made: {
    says: 'Who is in a match can read it, and is in it.',
    why: 'A client builds the lobby and the loading screen from it.',
  },
  kept: {
    says: 'Nobody takes another player out of a match by quitting it.',
    why: 'Otherwise anybody who knows an id can end the match of strangers.',
  },
  played: {
    says: 'Who was added to the players one played with recently is among them.',
    why: 'A player looks there for whom to befriend, or to report, after a match.',
  },
  own: {
    says: 'With whom one player played stands in no list of anybody else who did not.',
    why: 'Lists that run together show people who were never met.',
  },
});

const messages = effectsOf('messages', {
  called: {
    says: 'Messages can be listed, claimed, marked and cleared by the player to whom they were sent.',
    why: 'Gifts come as messages: one that cannot be claimed is lost.',
  },
  limited: {
    says: 'A list of messages holds no more of them than the limit that was asked for.',
    why: 'A client asks for as many as its screen has room for.',
  },
  cleared: {
    says: 'A list that was cleared no longer holds what it held.',
    why: 'A player who clears the inbox and finds it full again thinks the game is broken.',
  },
  own: {
    says: 'What a player does to their messages does nothing to those of others.',
    why: "One player who clears the inbox must not clear everybody's.",
  },
});

const names = effectsOf('names', {
  kept: {
    says: 'A name that was taken is read back as it was written.',
    why: 'Players know one another by it, in every script and with every sign in it.',
  },
  found: {
    says: 'A player is found by the name that was taken.',
    why: 'It is how one asks a friend to play.',
  },
  own: {
    says: "One player's name does not become another's.",
    why: 'Otherwise nobody is who they seem.',
  },
});

const party = effectsOf('party', {
  called: {
    says: 'A party takes the calls that its members make on it.',
    why: 'An invitation that is refused for no reason is a friend who cannot play.',
  },
  made: {
    says: 'A party that was made can be read by who made it, by its id and as the party one is in.',
    why: 'A leader who cannot see the party cannot invite anybody into it.',
  },
  changed: {
    says: 'What is written to a party, or to a member of it, can be read there.',
    why: 'Members choose characters and settle the match by it.',
  },
  joined: {
    says: 'Who was let into a party is in it, in the view of everybody in it.',
    why: 'Two clients that disagree on who is in the party start two different matches.',
  },
  keptOut: {
    says: 'Who declined, was declined or was never asked is not in the party.',
    why: 'Otherwise strangers play along.',
  },
  left: {
    says: 'Who left or was removed is no longer in the party, in the view of everybody.',
    why: 'A lobby that waits for somebody who is gone never starts.',
  },
  ended: {
    says: "A party that was deleted or disbanded is nobody's party any more.",
    why: 'A client that still shows it cannot make another.',
  },
});

const progression = effectsOf('progression', {
  shown: {
    says: 'A step of progress that was reported is shown to its player.',
    why: 'Who plays an evening and sees none of it does not come back.',
  },
  own: {
    says: "One player's progress leaves another's as it was.",
    why: 'Otherwise rewards are handed to who did nothing.',
  },
  once: {
    says: 'What is given once is not given again.',
    why: 'A gift that can be claimed without end ends the economy of the game.',
  },
  called: {
    says: 'Progress can be asked for and reported.',
    why: 'A client that is refused loses what was played.',
  },
});

const queue = effectsOf('queue', {
  called: {
    says: 'Players get a token for the queue, enter it and leave it.',
    why: 'A queue that takes nobody is a game that nobody plays.',
  },
  mutual: {
    says: 'Two players of whom one is told that they play together are both told so.',
    why: 'One of them would wait in a lobby into which the other never comes.',
  },
  one: {
    says: 'Two players who found one another are told one match, and each of them can read it.',
    why: 'Two clients that were told different matches never meet.',
  },
  cancelled: {
    says: 'Who left the queue is not matched from it.',
    why: 'A match that waits for somebody who went away fails for everybody in it.',
  },
});

const state = effectsOf('state', {
  kept: {
    says: 'What a player writes under the name of a state is what is read there.',
    why: 'Settings, seen markers and the whole profile of a player are kept this way and nowhere else.',
  },
  latest: {
    says: 'What is written later takes the place of what was written before.',
    why: 'A client that reads an older profile than it wrote takes progress back.',
  },
  apart: {
    says: 'A state is read under its own name and by its own player alone.',
    why: 'Whoever reads what somebody else wrote plays with their progress, and overwrites it.',
  },
});

const store = effectsOf('store', {
  owned: {
    says: 'What was bought is owned by who bought it.',
    why: 'Somebody paid for it.',
  },
  own: {
    says: "One player's purchase leaves another's wallet and belongings as they were.",
    why: 'Otherwise one pays and another has it.',
  },
  once: {
    says: 'A purchase, or a code that was redeemed, has its effect once.',
    why: 'Clients repeat a call whose answer they did not get.',
  },
  refused: {
    says: 'What was refused has no effect.',
    why: 'A client tells its player that nothing happened.',
  },
});

export const effects = {
  party,
  names,
  progression,
  store,
  login,
  match,
  queue,
  friends,
  content,
  logs,
  messages,
  state,
} as const;
