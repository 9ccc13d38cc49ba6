// The operations under the heading Match: create, read, quit.
import { area, GET, POST, PUT } from '../operation.ts';

export const match = area('match', 'endpoints.match', {
  create: POST('/api/v1/match/create', {}, { effect: 'shared' }),
  get: GET('/api/v1/match/{matchId}'),
  quit: PUT('/api/v1/match/{matchId}/Quit', {}, { effect: 'shared' }),
});
