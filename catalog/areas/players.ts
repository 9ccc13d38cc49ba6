// The operations under the heading Players: bans, friends, blocks, recent players and stored states.
import { area, GET, POST } from '../operation.ts';

export const players = area('players', 'endpoints.players', {
  decayPenaltyPoints: POST('/api/v1/players/ban/decayAndGetDisconnectionPenaltyPoints'),
  banStatus: GET('/api/v1/players/ban/status'),
  addFriend: POST('/api/v1/players/friends/add', {}, { effect: 'shared', precondition: 'once' }),
  removeFriend: POST('/api/v1/players/friends/remove', {}, { effect: 'shared', precondition: 'follows' }),
  syncFriends: POST('/api/v1/players/friends/sync'),
  friendInfo: GET('/api/v1/players/friends/{playerId}/getFriendInfo', {}, { precondition: 'follows' }),
  friends: GET('/api/v1/players/{playerId}/friends', { platform: '{platform}' }),
  block: POST('/api/v1/players/me/block', {}, { precondition: 'once' }),
  unblock: POST('/api/v1/players/me/unblock', {}, { precondition: 'follows' }),
  blocked: GET('/api/v1/players/me/blocked-players'),
  setState: POST('/api/v1/players/me/states'),
  challengeUIData: GET('/api/v1/players/me/states/ChallengeUIData', {}, { mayBe404: 'nothing there' }),
  setBinaryState: POST('/api/v1/players/me/states/binary', {
    schemaVersion: '{schemaVersion}',
    stateName: '{stateName}',
    version: '{version}',
  }),
  fullProfile: GET(
    '/api/v1/players/me/states/FullProfile/binary',
    {},
    { mayBe404: 'nothing there', media: 'bytes' },
  ),
  newLoresUIData: GET('/api/v1/players/me/states/NewLoresUIData', {}, { mayBe404: 'nothing there' }),
  seenNewsArticles: GET('/api/v1/players/me/states/SeenNewsArticles', {}, { mayBe404: 'nothing there' }),
  seenStoreItems: GET('/api/v1/players/me/states/SeenStoreItems', {}, { mayBe404: 'nothing there' }),
  recentlyPlayed: POST('/api/v1/players/recentlyplayed', {}, { effect: 'read' }),
  addRecentlyPlayed: POST('/api/v1/players/recentlyplayed/add'),
});
