import { areas } from '../../fixtures/catalog/catalog.ts';
import { type Journey, stop } from './journey.ts';

const { match: matches, party: parties, queue: queues } = areas;
const [leader, friend, another] = [0, 1, 2];
const saysWhom = { says: ['other.id'] } as const;

export const party: Journey = {
  name: 'party',
  about: 'a leader makes a party, two friends come in, look around and go again',
  cast: 3,
  stops: [
    stop(parties.create, { as: leader, gives: { partyId: ['partyId', 'id'] }, enters: true }),
    stop(parties.invite, { as: leader, other: friend, ...saysWhom }),
    stop(parties.acceptInvite, { as: friend, other: leader, enters: true }),
    stop(parties.invite, { as: leader, other: another, ...saysWhom }),
    stop(parties.acceptInvite, { as: another, other: leader, enters: true }),
    stop(parties.details, { as: friend }),
    stop(parties.setPlayerState, { as: friend, optional: true }),
    stop(parties.details, { as: leader }),
    stop(parties.leave, { as: friend, leaves: true }),
    stop(parties.leave, { as: another, leaves: true }),
    stop(parties.leave, { as: leader, leaves: true }),
  ],
};

export const match: Journey = {
  name: 'match',
  about: 'a match is made, looked at and quit',
  cast: 1,
  stops: [
    stop(matches.create, { gives: { matchId: ['matchId', 'id'] }, enters: true }),
    stop(matches.get),
    stop(matches.quit, { leaves: true }),
  ],
};

/** Two who wait at once may be matched: the answer says so, or cancelling is refused. */
const entering = { enters: true, mayGive: { matchId: ['matchId'] } } as const;

export const queue: Journey = {
  name: 'queue',
  about:
    'a player takes a token, enters, asks again as a client that waits does, and cancels, or quits the match that was found',
  cast: 1,
  stops: [
    stop(queues.issueToken, { gives: { queueToken: ['queueToken', 'token'] } }),
    stop(queues.enter, entering),
    stop(queues.enter, entering),
    stop(queues.cancel, { leaves: true, unless: 'matchId' }),
    stop(matches.quit, { leaves: true, when: 'matchId' }),
  ],
};
