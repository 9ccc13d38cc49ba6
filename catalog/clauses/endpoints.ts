// Defines the clauses that hold for whole endpoints, one per heading ("the tables give method and path"), and those of
// the profile.
import { type Clause, clauses } from './clause.ts';

const table = (heading: string) => ({
  says: `The calls in the table under "${heading}" exist, with this method, path and query.`,
  why: 'A client calls them by exactly this method and path; an absent one is a feature that does not work.',
  heading,
});

export const endpoints: Readonly<Record<string, Clause>> = clauses('documented', {
  'endpoints.archives': table('Main API: Archives'),
  'endpoints.authentication': table('Main API: Authentication'),
  'endpoints.game-elements': table('Main API: Game elements'),
  'endpoints.extensions': table('Main API: Extensions'),
  'endpoints.features': table('Main API: Features'),
  'endpoints.general': table('Main API: General'),
  'endpoints.match': table('Main API: Match'),
  'endpoints.me': table('Main API: Me (the signed-in player)'),
  'endpoints.messages': table('Main API: Messages'),
  'endpoints.mystery-box': table('Main API: Mystery box'),
  'endpoints.onboarding': table('Main API: Onboarding'),
  'endpoints.party': table('Main API: Party'),
  'endpoints.player-name': table('Main API: Player name'),
  'endpoints.players': table('Main API: Players'),
  'endpoints.queue-ranks-utils': table('Main API: Queue, Ranks, Utils'),
  'endpoints.logging': table('Logging API'),
  'endpoints.client-data': table('Client-data files'),
});

// What the target's own profile states.
export const profile = clauses('profile', {
  'profile.accepts': {
    says: 'A call that is sent as the profile states is answered with a status that the profile accepts.',
    why: 'The author of the profile, or the run that learnt it, has seen this call succeed.',
  },
  'profile.schema': {
    says: 'A JSON answer matches the schema that the profile states for it.',
    why: 'A client is written against this schema: a field that is missing or of another type stops it.',
  },
});
