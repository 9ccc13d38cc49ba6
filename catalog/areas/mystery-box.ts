// The operations under the heading Mystery box: the weekly free gift.
import { area, GET, POST } from '../operation.ts';

export const mysteryBox = area('mysteryBox', 'endpoints.mystery-box', {
  claim: POST('/api/v1/mystery-box/StoreFeaturedWeekly/claim', {}, { mayBe404: 'nothing there' }),
  status: GET('/api/v1/mystery-box/status'),
});
