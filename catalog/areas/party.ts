// The operations under the heading Party: create, invite, join, lead, leave.
import { area, DELETE, GET, POST, PUT } from '../operation.ts';

/** For operations that need an earlier call: a player has joined the party, sent an invitation, or asked to join. */
const follows = { effect: 'shared', precondition: 'follows' } as const;

export const party = area('party', 'endpoints.party', {
  create: POST('/api/v1/party'),
  get: GET('/api/v1/party/{partyId}', { autoJoinKey: '{autoJoinKey}', includeState: 'true' }),
  update: PUT('/api/v1/party/{partyId}', {}, { effect: 'shared' }),
  delete: DELETE('/api/v1/party/{partyId}', {}, { effect: 'shared', ends: 'party' }),
  details: GET('/api/v1/party/details', { includeState: 'true' }, { mayBe404: 'nothing there' }),
  join: POST('/api/v1/party/joinV2', { playerId: '{playerId}' }, follows),
  leave: DELETE(
    '/api/v1/party/leave',
    { disband: 'true' },
    { mayBe404: 'nothing there', effect: 'shared', ends: 'party' },
  ),
  invite: POST('/api/v1/party/{partyId}/invite', {}, { effect: 'shared' }),
  acceptInvite: POST('/api/v1/party/{partyId}/invite/accept', {}, follows),
  rejectInvite: POST('/api/v1/party/{partyId}/invite/reject', {}, follows),
  acceptJoin: POST('/api/v1/party/{partyId}/join/{playerId}/accept', {}, follows),
  rejectJoin: POST('/api/v1/party/{partyId}/join/{playerId}/reject', {}, follows),
  cancelJoin: DELETE('/api/v1/party/{partyId}/join/cancel', { friendId: '{friendId}' }, follows),
  removePlayer: DELETE(
    '/api/v1/party/{partyId}/player/{playerId}',
    { ban: 'false', disband: 'false' },
    { ...follows, ends: 'party' },
  ),
  setPlayerState: PUT('/api/v1/party/player/{playerId}/state', {}, { effect: 'shared' }),
});
