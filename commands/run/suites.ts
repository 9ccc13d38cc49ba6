// Every check there is, in the order of a run: flows first, since each of their calls waits for the one before.
import type { Suite } from '../../engine/probe/check.ts';
import contentFlow from '../../scenarios/content.ts';
import forgedFlow from '../../scenarios/forged.ts';
import friendsFlow from '../../scenarios/friends.ts';
import httpFlow from '../../scenarios/http.ts';
import isolationFlow from '../../scenarios/isolation.ts';
import loginFlow from '../../scenarios/login.ts';
import logsFlow from '../../scenarios/logs.ts';
import matchFlow from '../../scenarios/match.ts';
import messagesFlow from '../../scenarios/messages.ts';
import namesFlow from '../../scenarios/names.ts';
import partyFlow from '../../scenarios/party.ts';
import progressionFlow from '../../scenarios/progression.ts';
import queueFlow from '../../scenarios/queue.ts';
import racesFlow from '../../scenarios/races.ts';
import retryFlow from '../../scenarios/retry.ts';
import stateFlow from '../../scenarios/state.ts';
import storeFlow from '../../scenarios/store.ts';
import archives from '../../suites/archives.ts';
import authentication from '../../suites/authentication.ts';
import clientData from '../../suites/client-data.ts';
import extensions from '../../suites/extensions.ts';
import features from '../../suites/features.ts';
import gameElements from '../../suites/game-elements.ts';
import general from '../../suites/general.ts';
import hosts from '../../suites/hosts.ts';
import logs from '../../suites/logs.ts';
import match from '../../suites/match.ts';
import me from '../../suites/me.ts';
import messages from '../../suites/messages.ts';
import mysteryBox from '../../suites/mystery-box.ts';
import onboarding from '../../suites/onboarding.ts';
import party from '../../suites/party.ts';
import playerName from '../../suites/player-name.ts';
import players from '../../suites/players.ts';
import queueRanksUtils from '../../suites/queue-ranks-utils.ts';

export const scenarios: readonly Suite[] = [
  contentFlow,
  friendsFlow,
  loginFlow,
  logsFlow,
  matchFlow,
  messagesFlow,
  namesFlow,
  partyFlow,
  progressionFlow,
  queueFlow,
  stateFlow,
  storeFlow,
];

export const suites: readonly Suite[] = [
  ...scenarios,
  archives,
  authentication,
  clientData,
  extensions,
  features,
  gameElements,
  general,
  hosts,
  logs,
  match,
  me,
  messages,
  mysteryBox,
  onboarding,
  party,
  playerName,
  players,
  queueRanksUtils,
];

/** Attacks, which run after everything else, and only where `--attack` allows them. */
export const attacks: readonly Suite[] = [forgedFlow, httpFlow, isolationFlow, racesFlow, retryFlow];

/** All that a run may ask. */
export const everySuite: readonly Suite[] = [...suites, ...attacks];
