// The operations under the heading Messages: list, claim, mark, clear. The list is documented with several
// queries, each an operation of its own.
import { area, DELETE, GET, POST } from '../operation.ts';

export const messages = area('messages', 'endpoints.messages', {
  claim: POST('/api/v1/messages/claim', {}, { mayBe404: 'nothing there' }),
  clear: DELETE('/api/v1/messages/list'),
  list: GET('/api/v1/messages/listV2'),
  listFiltered: GET('/api/v1/messages/listV2', { 'filter[]': '{filter}' }),
  listInbox: GET('/api/v1/messages/listV2', {
    'filter[]': 'inbox',
    language: '{language}',
    limit: '{limit}',
  }),
  listLimited: GET('/api/v1/messages/listV2', { limit: '{limit}' }),
  markAs: POST('/api/v1/messages/v2/markAs', {}, { mayBe404: 'nothing there' }),
});
