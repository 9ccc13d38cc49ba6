// The clauses that flows cite: the effects that operations have by their names, such as "a created party can be read".
import type { Clause } from './clause.ts';

type Says = Pick<Clause, 'says' | 'why'>;

/**
 * The clauses of one flow; ids are `effects.FLOW.KEY`. Their level is `inferred`; the engine raises it to `profile`
 * where the profile states how the operations of a step are called.
 */
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
    says: 'Client-data files exist under a content version that the server reports.',
    why: 'A client fetches its data under the reported version, and cannot start without that data.',
  },
  named: {
    says: 'The consents, news and archives that an answer names exist as files.',
    why: 'A client opens the file that is named; a missing one is an empty page, or a dialogue that never ends.',
  },
});

const friends = effectsOf('friends', {
  called: {
    says: 'Players add, remove, block and unblock one another.',
    why: 'A player whose request is refused for no reason cannot choose their friends.',
  },
  listed: {
    says: "Two players who added one another are in each other's list of friends.",
    why: 'A player invites from that list, so a friend who is not in it cannot be invited.',
  },
  seen: {
    says: 'A list of friends that was read before shows a friend who was added since.',
    why: 'Clients read the list at each start; if it stays as it was, nobody sees the later request.',
  },
  told: {
    says: 'A player can look up a friend.',
    why: 'A client opens the card of a friend from the list; a card that does not open is a dead entry.',
  },
  removed: {
    says: 'A friend who was removed is no longer in the list, and the other friends stay in it.',
    why: 'Otherwise the removed player still sees when the other one plays.',
  },
  presence: {
    says: 'Friends see the rich presence that a player set last.',
    why: 'Nobody invites a friend who seems to be offline, or in a match that is over.',
  },
  blocked: {
    says: 'A player who was blocked is in the list of blocked players, and the others in it stay there.',
    why: 'Players check there whom they keep away, and cannot unblock a player who is not listed.',
  },
  offline: {
    says: 'A player who signed out of their only session is not said to be online.',
    why: 'Friends wait for an answer, and invite somebody who is not there.',
  },
  parted: {
    says: 'A block ends a friendship: neither of the two is in the list of friends of the other.',
    why: 'The blocked player still sees when the other one is online, and is still invited as a friend.',
  },
  unblocked: {
    says: 'A player who was unblocked is no longer in the list of blocked players.',
    why: 'Otherwise two friends who made up can never play together again.',
  },
  mutual: {
    says: 'A friendship that is one relation begins and ends on both sides.',
    why: 'One of two friends waits for an answer that was already given, or still sees when the other plays after the friendship has ended.',
  },
  own: {
    says: 'A player whom somebody adds or blocks appears in no list of an uninvolved player.',
    why: 'Mixed-up lists show unknown players as friends, and keep friends away as blocked.',
  },
});

const login = effectsOf('login', {
  called: {
    says: 'Players sign in and out.',
    why: 'Every other call of a player depends on it.',
  },
  same: {
    says: 'A token signs in the same player each time, with the data of that player.',
    why: 'A player who comes back as somebody else has lost everything.',
  },
  two: {
    says: 'The tokens of two players sign in two players, and neither reads the data of the other.',
    why: 'Players who share a session see, spend and lose what belongs to one another.',
  },
  others: {
    says: 'A sign-in, a refused sign-in or a sign-out does not end the session of another player.',
    why: 'Otherwise one player who signs out throws out those who play.',
  },
  crossSite: {
    says: 'Where a session travels in a cookie and the login gives a CSRF token, a call that changes something is refused without that token.',
    why: 'A browser adds the cookie to calls that another site makes: that site then plays in the name of its visitors.',
  },
  around: {
    says: 'A call that succeeds for an anonymous caller also succeeds for a signed-in player, and after a sign-out.',
    why: 'A client asks for health and versions before it signs in, and again when something went wrong.',
  },
});

const logs = effectsOf('logs', {
  one: {
    says: 'A batch of a single record is accepted.',
    why: 'A client that logs one record before it closes sends just that record.',
  },
  anySize: {
    says: 'A batch of no records, or of a thousand, is accepted or refused without a server error.',
    why: 'A client that was offline sends all that it has gathered, and sends it again after a server error.',
  },
  counted: {
    says: 'An answer that counts the records of a batch counts all of them, or how many it left out.',
    why: 'A client deletes what was acknowledged; records that are cut off without a word are lost.',
  },
  rejected: {
    says: 'An answer that counts rejected records does not count them as accepted too.',
    why: 'A client deletes what was accepted; a record that is in both counts is lost, and no one looks for it.',
  },
  repeated: {
    says: 'An answer that says whether a batch came before also says so when a batch is sent again with the same ids.',
    why: 'A client that repeats a batch after a lost answer counts twice, and so does everybody who reads the logs.',
  },
  eachAlone: {
    says: 'Where an answer counts the records it took and those it left out, one record that is left out does not make it leave out the records after it.',
    why: 'One bad record at the beginning of a batch loses everything else in it.',
  },
  goesOn: {
    says: 'After a malformed batch, the server accepts the next well-formed one.',
    why: 'Otherwise one malformed batch costs all records that a client sends after it.',
  },
});

const match = effectsOf('match', {
  called: {
    says: 'Players create matches, quit them, and report the players they met.',
    why: 'A player whose match is refused for no reason cannot play.',
  },
  quitShown: {
    says: 'A match that says of its players whether they have quit says so of a player who did.',
    why: 'The others wait for a player who is gone, and the match counts as one with everybody in it.',
  },
  made: {
    says: 'The players of a match can read it, and it names them.',
    why: 'A client builds the lobby and the loading screen from it.',
  },
  new: {
    says: 'A match that a player creates is a new one, and not the match of somebody else.',
    why: 'Players who are given one id for their matches meet players whom they do not know, or are shut out.',
  },
  quit: {
    says: 'A player who quit a match is not sent back into it when they enter the queue.',
    why: 'A player who cannot leave a match cannot play another.',
  },
  quitOnce: {
    says: 'A player who quits a match twice is penalised or rewarded for it once.',
    why: 'A client that repeats a call whose answer was lost gets its player banned, or paid twice.',
  },
  kept: {
    says: 'A player who quits a match takes no other player out of it.',
    why: 'Otherwise anybody who knows its id can end a match of other players.',
  },
  played: {
    says: 'A player who was added to the list of recently played players is in it.',
    why: 'After a match, a player looks there for somebody to befriend or to report.',
  },
  playedOnce: {
    says: 'A player who is added to the list of recently played players again is in it once.',
    why: 'The list names one player over and over, and those met before fall out of it.',
  },
  own: {
    says: 'The list of recently played players names only players whom its owner met.',
    why: 'Mixed-up lists show people whom the player never met.',
  },
});

const messages = effectsOf('messages', {
  called: {
    says: 'A player can list, claim, mark and clear the messages that were sent to them.',
    why: 'Gifts come as messages, and one that cannot be claimed is lost.',
  },
  limited: {
    says: 'A list of messages is no longer than the requested limit.',
    why: 'A client asks for as many as its screen has room for.',
  },
  filled: {
    says: 'Where a list of messages is filtered and limited, the limit applies after the filter.',
    why: 'A player whose newest message is of another kind sees an empty inbox, though a gift waits in it.',
  },
  paged: {
    says: 'Following the pages of a list from the first to the last shows each message once.',
    why: 'A player who scrolls on misses a gift, or sees one twice.',
  },
  byMark: {
    says: 'A list that is asked for unread messages holds none that it shows as read, and the other way round.',
    why: 'A player who looks for what is new finds everything again.',
  },
  filtered: {
    says: 'The inbox holds no message that the server itself labels as belonging elsewhere.',
    why: 'News and notices of the system crowd out the gifts that a player looks for.',
  },
  unmarked: {
    says: 'Listing messages marks none of them as read; another call does that (RFC 9110, section 9.2.1).',
    why: 'A player who opens the list finds nothing unread in it afterwards, and misses a gift.',
  },
  cleared: {
    says: 'A list that was cleared no longer holds the messages it held before.',
    why: 'A player who clears the inbox and finds it full again thinks the game is broken.',
  },
  spared: {
    says: 'A call that names messages to clear leaves those that it does not name.',
    why: 'A player who deletes one message must not lose the gifts in the others.',
  },
  addressed: {
    says: 'The message about a request or an invitation is sent to the player who is asked or invited.',
    why: 'The player who is asked is not told and cannot answer, and the player who asked gets a message meant for somebody else.',
  },
  marked: {
    says: 'Marking a message changes that message and no other, and a count of unread messages with it.',
    why: 'A player who opens one message finds another one marked, or a badge that never goes away.',
  },
  own: {
    says: 'A player who clears their messages does not change those of other players.',
    why: "One player who clears the inbox must not clear everybody's.",
  },
});

const names = effectsOf('names', {
  kept: {
    says: 'A name that a player set is read back as it was written.',
    why: 'Players know one another by their names, in every script and with every character.',
  },
  found: {
    says: 'A player is found by the name that they set.',
    why: 'Players search for a friend by name to play together.',
  },
  literal: {
    says: 'A search takes special characters in a name literally.',
    why: 'Names contain brackets and stars; a search that treats them as commands breaks, or can be made to list other players.',
  },
  givenUp: {
    says: 'A player is not found by a name that they gave up, unless the search says so.',
    why: 'A player who takes the name next is mistaken for the one who had it, and gets their invitations.',
  },
  known: {
    says: 'A list that shows the names of players shows the names that they took last.',
    why: 'A player looks for a friend whose name they were told, and finds somebody of another name.',
  },
  own: {
    says: 'Setting the name of one player does not change the name of another.',
    why: 'Otherwise players cannot tell one another apart.',
  },
});

const party = effectsOf('party', {
  called: {
    says: 'A party accepts the calls that its members make on it.',
    why: 'A friend whose invitation is refused for no reason cannot join.',
  },
  made: {
    says: 'A player who created a party can read it by its id, and as the party they are in.',
    why: 'A leader who cannot see the party cannot invite anybody into it.',
  },
  changed: {
    says: 'A value that is written to a party, or to one of its members, can be read there.',
    why: 'Members choose their characters and prepare the match with it.',
  },
  unasked: {
    says: 'A party that is read with includeState=false does not show the states of its members.',
    why: 'A client that polls a party asks for little, and is sent all that its members have stored.',
  },
  apart: {
    says: 'A state that one member of a party sets does not become the state of another.',
    why: 'One member who is ready makes all ready, and the match begins without them.',
  },
  joined: {
    says: 'A player who was let into a party is listed as a member, in the view of every member.',
    why: 'Two clients that disagree on the members of a party start two different matches.',
  },
  keptOut: {
    says: 'A player who declined, was rejected or was never invited is not in the party.',
    why: 'Otherwise uninvited players take part.',
  },
  left: {
    says: 'A player who left the party or was removed from it is no longer listed as a member, in any view.',
    why: 'A lobby that waits for a player who is gone never starts.',
  },
  once: {
    says: 'A party lists each of its members once.',
    why: 'A lobby that counts its members is full too early, and waits for a player who is there already.',
  },
  oneAtATime: {
    says: 'A member of a party who joins another one is no longer listed as a member of the first.',
    why: 'Two lobbies wait for the same player, and two matches take them.',
  },
  answered: {
    says: 'A request to join, or an invitation, that was accepted is no longer listed as open.',
    why: 'A leader is asked again and again about a player who is in the party already.',
  },
  marked: {
    says: 'A party that marks its members as leader or not marks the player who made it, and nobody else.',
    why: 'The client offers to invite, remove and start to the wrong player.',
  },
  led: {
    says: 'A party that names its leader, and goes on after the leader has left, names a new one.',
    why: 'Nobody can invite, remove or start in a party whose leader is gone.',
  },
  banned: {
    says: 'A player who was banned from a party cannot come back the way that a player who was only removed can.',
    why: 'A leader bans a player who spoils the game for the others; without an effect, that player simply asks again.',
  },
  staysBanned: {
    says: 'A ban that keeps a player from asking to join also holds when they know the key of the party, and after the party was changed.',
    why: 'A leader bans a player who spoils the game for the others, and does not look for a way around it.',
  },
  usedUp: {
    says: 'An invitation that was accepted lets its player in once, not again after they were removed.',
    why: 'A player whom the leader removed is back at once, without being invited again.',
  },
  blockedOut: {
    says: 'A block that keeps a player from adding somebody as a friend also keeps the two from joining one party.',
    why: 'A player who blocks somebody does not want to meet them in a lobby, or to be invited into theirs.',
  },
  ended: {
    says: 'A party that was deleted or disbanded is no longer the party of any player.',
    why: 'A client that still shows it cannot create another.',
  },
  gone: {
    says: 'Reading a deleted party by its id does not give the same answer as before.',
    why: 'A client that follows an old invitation shows a lobby in which nobody is.',
  },
  ledBy: {
    says: 'Where the server denies a member one of the rights of the leader, the member cannot remove the leader, change the party or let others in.',
    why: 'Otherwise any guest can take the party from the player who made it.',
  },
  kept: {
    says: 'Where the server does not let a member end the party, the party goes on for the others when that member leaves.',
    why: 'Clients leave with disband by default; one member who goes home must not scatter the others.',
  },
  freed: {
    says: 'A player whose party was disbanded can create one of their own.',
    why: 'A player who counts as in a party that no longer exists cannot play with anybody.',
  },
  limited: {
    says: 'A party takes no more players than it says it does.',
    why: 'A lobby draws as many places as the party names, and a player without a place cannot play.',
  },
  asked: {
    says: 'Of the players who asked to join a party, only the one who is accepted joins it.',
    why: 'A leader who picks one player and gets another cannot trust the list.',
  },
});

const progression = effectsOf('progression', {
  shown: {
    says: 'A player sees the progress that was reported.',
    why: 'A player who plays an evening and sees no progress does not come back.',
  },
  tier: {
    says: 'A player reaches the next tier with as much experience as the server said was lacking, and not with less.',
    why: 'A player who has all that the screen asks for finds the reward closed, and plays one more match for it.',
  },
  adds: {
    says: 'Experience that is reported is added to that which a player has.',
    why: 'A player who has a good match loses what they earned with the next one.',
  },
  own: {
    says: 'The progress of one player does not change that of another.',
    why: 'Otherwise a player gets rewards for what somebody else did.',
  },
  asked: {
    says: 'A story that is asked for by its id is that story, and not another one.',
    why: 'A player who opens the second story reads the first one again.',
  },
  right: {
    says: 'Reading a page of a journal marks that page as read, and not another in its place.',
    why: 'A page that is never marked keeps its reward from the player who read it.',
  },
  keptRead: {
    says: 'A page of a journal that was read stays marked as read when another one is read.',
    why: 'A player who reads on loses what they had read before, and the rewards for it.',
  },
  unmarked: {
    says: 'Asking for a journal marks none of its pages as read; another call does that (RFC 9110, section 9.2.1).',
    why: 'A player who opens the journal finds every page read, and no reward left to read for.',
  },
  locked: {
    says: 'A node that a story shows as locked does not become active, and a locked page is not read.',
    why: 'A player who knows the ids takes the rewards at the end of a story without playing it.',
  },
  taken: {
    says: 'A node that the web of a character shows can be taken, and is shown as taken once its price was paid.',
    why: 'A player pays for a node that the web still offers, and pays for it again.',
  },
  levels: {
    says: 'A player who pays for levels of a character has them.',
    why: 'The player paid for them with what many matches brought.',
  },
  ready: {
    says: 'A character that was made ready before keeps its levels when it is made ready once more.',
    why: 'A client makes a character ready whenever its player opens it, who then finds it at the first level.',
  },
  popup: {
    says: 'Showing the popup of an archive marks that of this archive as shown, and not another in its place.',
    why: 'A popup that is marked for another archive comes up at every start, and the other one never.',
  },
  given: {
    says: 'A player who asks again at once for the rituals they have is given the same ones.',
    why: 'What a player has done for a ritual is lost when the next request puts another in its place.',
  },
  once: {
    says: 'A reward that is given once is not given again.',
    why: 'A gift that can be claimed without end ruins the economy of the game.',
  },
  called: {
    says: 'A player can request and report progress.',
    why: 'A client that is refused loses the progress of its player.',
  },
});

const queue = effectsOf('queue', {
  called: {
    says: 'Players get a token for the queue, enter the queue and leave it.',
    why: 'A player who cannot enter the queue cannot play.',
  },
  mutual: {
    says: 'When the server reports a match of two players to one of them, it reports it to the other as well.',
    why: 'Otherwise one of them waits in a lobby that the other never enters.',
  },
  one: {
    says: 'Two players who are matched with one another get the id of one match, and each of them can read it.',
    why: 'Two clients that get the ids of different matches never meet.',
  },
  together: {
    says: 'Two players who wait at one time, and are matched then alone, are matched with one another.',
    why: 'A match for each of them is a lobby in which nobody else ever arrives.',
  },
  once: {
    says: 'A match that the queue makes names each of its players once.',
    why: 'A player who is matched with themselves waits for an opponent who never comes.',
  },
  partyTaken: {
    says: 'A member of a party who may not enter the queue is taken along when the leader enters it.',
    why: 'Otherwise friends who play together cannot play: the leader is matched, and the others are left behind.',
  },
  partyLeft: {
    says: 'A player who leaves a party that waits in the queue is not matched with it.',
    why: 'A player who left to do something else is pulled into a match, and the others miss them there.',
  },
  stays: {
    says: 'A player who leaves the queue takes no other player out of it.',
    why: 'A player who waits without a place waits for ever, while others come and go.',
  },
  anew: {
    says: 'After the queue has matched one group of players, it matches the next group of that size.',
    why: 'A matchmaker that stops after its first match leaves everybody waiting who comes later.',
  },
  leaves: {
    says: 'A player who left the queue and enters it again waits from that moment on.',
    why: 'A queue that keeps who left it matches them with players who then wait for nobody.',
  },
  cancelled: {
    says: 'A player who left the queue is not matched from it.',
    why: 'A match that waits for a player who went away fails for everybody in it.',
  },
  signedOut: {
    says: 'A player who signed out of their only session is not matched from the queue.',
    why: 'Those who enter next begin a match in which somebody is missing, and lose it or wait in vain.',
  },
});

const state = effectsOf('state', {
  kept: {
    says: 'A value that a player writes under the name of a state is read back there.',
    why: 'Settings, seen markers and the whole profile of a player are stored this way and nowhere else.',
  },
  whole: {
    says: 'A long value that a player writes and reads back is not cut.',
    why: 'A client that finds half of what it wrote cannot read it, and starts with nothing.',
  },
  letters: {
    says: 'Letters of any script in a value that a player writes are read back as they were written.',
    why: 'What a player wrote in their own language comes back as a row of question marks.',
  },
  latest: {
    says: 'A later write replaces an earlier one.',
    why: 'A client that reads an older profile than it wrote rolls progress back.',
  },
  newer: {
    says: 'A write at an older version does not replace what was written at a newer one.',
    why: 'A client that was offline for a day overwrites what its player did on another device.',
  },
  saved: {
    says: 'A voice-over or a loadout that a player saves is read back by that player.',
    why: 'A player who finds the old choice again after each start thinks that saving is broken.',
  },
  character: {
    says: 'A loadout that is saved for one character is that of this character.',
    why: 'A player who dresses one character finds another one dressed, and this one as it was.',
  },
  slots: {
    says: 'What is saved as one preset, or for one character, leaves the others as they were.',
    why: 'Players keep several loadouts and voices, and lose one with each that they save.',
  },
  ownedOnly: {
    says: 'On a server that refuses a loadout of unknown things, a loadout takes nothing that the player would have to buy.',
    why: 'Players wear what others paid for, and nobody buys it any more.',
  },
  apart: {
    says: 'A state is read under its own name only, and by its own player only.',
    why: 'A player who reads the state of another plays with their progress, and overwrites it.',
  },
});

const store = effectsOf('store', {
  owned: {
    says: 'A player owns what they bought.',
    why: 'The player paid for it.',
  },
  own: {
    says: 'The purchase of one player does not change the wallet and belongings of another.',
    why: 'Otherwise one player pays and another one receives.',
  },
  once: {
    says: 'A purchase, or a code that was redeemed, takes effect once.',
    why: 'Clients repeat a call whose answer they did not receive.',
  },
  noGain: {
    says: 'A player who buys less than nothing has no more money than before.',
    why: 'A player who finds out buys minus one million, and can then pay for everything.',
  },
  paid: {
    says: 'A player who gets what has a price pays for it.',
    why: 'Nobody buys what can be had for nothing, and players who have it cannot be charged later.',
  },
  amount: {
    says: 'A wallet changes by the amount that a purchase, a gift, a message or a code names.',
    why: 'A gift that is paid twice ruins the economy, and a price that is taken twice ruins the player.',
  },
  agree: {
    says: 'Two reads of one balance show the same.',
    why: 'A client that shows an old balance offers what the player cannot pay.',
  },
  lists: {
    says: 'A list of belongings that contained everything that another list contained also contains what was bought.',
    why: 'A client that reads the other list does not offer its player what they paid for.',
  },
  marked: {
    says: 'A catalog that says of what its caller owns that it is owned also says so of what they bought.',
    why: 'The shop offers a player what they paid for, and they pay twice or ask where it is.',
  },
  seen: {
    says: 'A list of belongings that was read before shows what was bought since.',
    why: 'Clients read the list before they buy; if it stays as it was, the purchase seems lost until the next start.',
  },
  filtered: {
    says: 'A list that is asked for by type holds what is of that type, and nothing else.',
    why: 'A shop window for outfits that shows everything hides what the player came for.',
  },
  refused: {
    says: 'A call that was refused has no effect.',
    why: 'A client shows its player that nothing happened.',
  },
});

const races = effectsOf('races', {
  once: {
    says: 'A player who asks several times at one moment for something that can be had once gets it once.',
    why: 'A player who taps twice, or sends twice on purpose, is paid twice, and the economy of the game is worth nothing.',
  },
  holder: {
    says: 'A name that one player at a time can have is not given to two who ask for it at one moment.',
    why: "Two players of one name get one another's friends, invitations and bans.",
  },
  onePlayer: {
    says: 'A new player who signs in several times at one moment is one player.',
    why: 'What a player wins on one device is missing on the other, and nobody can put the two accounts together again.',
  },
  sides: {
    says: 'A friendship that two players begin at one moment exists on both sides, or on neither.',
    why: 'One of the two waits for an answer that was given, and can never ask again.',
  },
  seats: {
    says: 'When several players are let into a party at one moment, no more join than fit, and every player whose joining was acknowledged is in it.',
    why: 'A party that is too large finds no match, or breaks the match it finds.',
  },
  member: {
    says: 'A player who accepts an invitation several times at one moment is in the party once.',
    why: 'A lobby that counts one player twice waits for somebody who does not exist.',
  },
  one: {
    says: 'A player who asks for several matches at one moment, in the queue or by themselves, ends up in one.',
    why: 'A player who is in two matches is missing in one of them, and those who wait there wait in vain.',
  },
  alike: {
    says: 'When a leader leaves while somebody joins, the members of the party see one another in it, and one of them leads it.',
    why: 'A player in a party with nobody else, without a leader, or that no longer exists can neither play nor leave.',
  },
  paid: {
    says: 'Of several simultaneous purchases, a player pays for those that were acknowledged, and gets them.',
    why: 'A player buys several things for the price of one, or pays for what never comes.',
  },
  stand: {
    says: 'Simultaneous writes to different parts of one thing all stand once they are acknowledged.',
    why: 'What the server said was saved is lost, and nobody notices until the next start.',
  },
  added: {
    says: 'Simultaneous calls that add to one sum all count once they are acknowledged.',
    why: 'What a player earned is lost, and nobody can tell where.',
  },
  version: {
    says: 'On a server that refuses writes based on an outdated version, exactly one of several simultaneous writes based on one version is acknowledged.',
    why: 'Two devices of one player both believe that they saved, and one of them has lost what it saved.',
  },
  own: {
    says: 'Players who read at one moment each get their own data.',
    why: 'An answer that goes to the wrong player shows them, and lets them use, what belongs to somebody else.',
  },
});

const retry = effectsOf('retry', {
  kept: {
    says: 'A call that is sent again because its answer was lost has its effect exactly once, and a call of which half the body arrived has none.',
    why: 'Phones lose the network in the middle of a purchase every day; the player pays twice, or pays and gets nothing.',
  },
  stored: {
    says: 'Every log record that was acknowledged is stored once.',
    why: 'Figures that are made of logs are wrong, and nobody can see it.',
  },
});

const isolation = effectsOf('isolation', {
  messages: {
    says: 'Only the owner of a message can claim, mark or clear it.',
    why: 'A gift that another player claims is lost to the player whom it was sent to.',
  },
  parties: {
    says: 'Nobody outside a party can change it, end it, or let players in or out.',
    why: 'Otherwise anybody who learns the id of a party can throw its members out while they play.',
  },
  lists: {
    says: 'Only the players themselves can change their lists of friends, of blocked players and of recently met players.',
    why: 'A player who was blocked and unblocks themselves is back with the player who wanted to be left alone.',
  },
  states: {
    says: 'Only the players themselves can write what they store, and how others see them.',
    why: 'Otherwise the settings and the progress of any player can be overwritten.',
  },
  holdings: {
    says: 'Only the players themselves can spend or claim what they have.',
    why: 'Otherwise anybody empties the wallet of any player, or claims what waits for them.',
  },
  shown: {
    says: 'What belongs to one player is not shown to others who ask for it, nor to callers without a session.',
    why: 'Otherwise anybody who knows the id of a player can read their wallet, inbox and list of friends.',
  },
  matches: {
    says: 'Nobody outside a match can take a player out of it.',
    why: 'Otherwise anybody who learns the id of a match can make its players lose it.',
  },
});

const http = effectsOf('http', {
  content: {
    says: 'A file of one version has one content: content that was replaced does not come back.',
    why: 'Clients that start at one moment play with different rules, and a cache keeps whichever it met.',
  },
  current: {
    says: 'The current version does not go back to one that was replaced.',
    why: 'A client that updates and is then sent back downloads everything twice, or refuses to start.',
  },
  unkeyed: {
    says: 'What one caller sends in a header, or in an unknown query parameter, appears in no answer to another caller.',
    why: 'A cache that keeps it hands the address or the error of one caller to every player.',
  },
  own: {
    says: "An answer with one player's data is not kept for the next player, whatever the path ends in.",
    why: 'Caches keep what ends in .json without looking who asked, and hand over wallets and sessions.',
  },
});

const forged = effectsOf('forged', {
  signature: {
    says: 'A token that its issuer did not sign signs nobody in.',
    why: 'Anybody who can write a token can be any player, with all that this player owns.',
  },
  limits: {
    says: 'A token is valid only between its nbf and its exp, from its issuer, and for the game that it names.',
    why: 'A token that leaked, or was given to another game, opens the account for ever.',
  },
  keys: {
    says: 'The server chooses the key that verifies a token, and never the token itself.',
    why: 'A token that brings its own key, or makes a secret of a public one, verifies anything.',
  },
  session: {
    says: 'A session that was tampered with is refused, and so is one that has expired by its own claims.',
    why: 'Anybody who can write a session can be any player, and one that never ends is stolen for good.',
  },
});

export const effects = {
  forged,
  http,
  races,
  retry,
  isolation,
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
