// The operations under the heading Archives: stories, pages and the reward track.
import { area, GET, POST } from '../operation.ts';

export const archives = area('archives', 'endpoints.archives', {
  journal: GET('/api/v1/archives/journal/getjournal', { storyId: '{storyId}' }),
  readPage: POST('/api/v1/archives/journal/readpage'),
  checkPass: GET('/api/v1/archives/rewards/checkPass'),
  claimOldTracks: POST('/api/v1/archives/rewards/claim-old-tracks'),
  popupStatus: GET('/api/v1/archives/rewards/get-popup-status', { archiveId: '{archiveId}' }),
  rawTier: GET('/api/v1/archives/rewards/raw-tier'),
  reevaluateGrid: POST('/api/v1/archives/rewards/reevaluateGrid'),
  showStartPopup: POST('/api/v1/archives/rewards/show-start-popup', { archiveId: '{archiveId}' }),
  tier: GET('/api/v1/archives/rewards/tier'),
  updateXp: POST('/api/v1/archives/rewards/updateArchiveXp'),
  activeNode: GET('/api/v1/archives/stories/get/activeNode', {}, { mayBe404: 'nothing there' }),
  communityNodes: GET('/api/v1/archives/stories/get/community-nodes', { storyId: '{storyId}' }),
  story: GET('/api/v1/archives/stories/get/story', { storyId: '{storyId}' }),
  storyStatus: GET('/api/v1/archives/stories/get/story-status'),
  updateActiveNode: POST('/api/v1/archives/stories/update/active-node-v3'),
});
