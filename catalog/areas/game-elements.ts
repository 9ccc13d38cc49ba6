// The operations under the heading Game elements: challenges, characters, loadouts, inventories, rituals, shrine, gifts
// and the rest of game-*. The id of the area is `game`.
import { area, GET, POST } from '../operation.ts';

export const game = area('game', 'endpoints.game-elements', {
  challenges: GET('/api/v1/game-challenges'),
  reconcileChallenges: GET('/api/v1/game-challenges/get-and-reconcile', {}, { effect: 'own' }),
  communityQuests: GET('/api/v1/game-challenges/get-community-quests-progression'),
  bloodweb: POST('/api/v1/game-character-data/bloodweb'),
  bulkSpendingBloodweb: POST('/api/v1/game-character-data/bulk-spending-bloodweb'),
  allCharacters: POST('/api/v1/game-character-data/get-all', {}, { effect: 'read' }),
  getOrInitCharacter: POST('/api/v1/game-character-data/get-or-init'),
  loadout: POST('/api/v1/game-character-data/loadout'),
  migrateCharacters: POST('/api/v1/game-character-data/migrate-characters'),
  rituals: POST('/api/v1/game-core-ritual/get-and-generate-rituals'),
  experiment: POST('/api/v1/game-experiment'),
  inventories: POST('/api/v1/game-inventories/all', {}, { effect: 'read' }),
  loadoutPresets: GET('/api/v1/game-loadout/get-all-presets'),
  matchBonus: GET('/api/v1/game-match-bonus'),
  playerCard: GET('/api/v1/game-player-card/get'),
  updateGifts: POST('/api/v1/game-rewards/gift/update-gifts'),
  shrine: GET('/api/v1/game-shrine/get-available'),
  reconcileEventCurrencies: POST('/api/v1/game-special-events/reconcile-event-currencies'),
  voiceOver: GET('/api/v1/game-voice-over/get'),
  saveVoiceOver: POST('/api/v1/game-voice-over/save'),
});
