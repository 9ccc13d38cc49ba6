// Finds problems of signing in: no session, one player for every sign-in, and too few tokens for flows.

import { signInLine, signInRemedy } from '../../../engine/preflight/lines.ts';
import { counted } from '../../../engine/values/text.ts';

import type { Examination } from '../examine.ts';
import { type Finding, hides, more, stops } from './finding.ts';

export function signInFindings({ discovery, words, ownWords, target }: Examination): Finding[] {
  if (discovery === undefined || discovery.kind === 'found') return [];
  const fit = words.fits.find(({ word }) => word === 'storefront');
  const remedy = signInRemedy(discovery, {
    isGiven: fit?.given !== undefined,
    isUnknown: fit?.fit === 'unknown',
    clues: ownWords?.clues.map(({ word }) => word),
  });
  return [stops(`sign-in-${discovery.kind}`, signInLine(discovery, target), remedy, 'base')];
}

/** Reports sign-ins that all give one player: checks of several players cannot be judged then. */
export function onePlayerFindings({ tokenSourceWithSameId: from, target }: Examination): Finding[] {
  if (from === undefined) return [];
  const { sub } = target.profile?.session?.jwt?.claims ?? {};
  const [what, advice] =
    from !== 'test JWT'
      ? [
          `two sign-ins are answered with the same player: the login gives two tokens of ${from} one id`,
          `let ${from} ${from === 'LOGIN_TOKEN' ? 'hold' : 'print'} tokens of different players`,
        ]
      : [
          'every sign-in is answered with the same player: the login gives two test JWTs one id',
          typeof sub === 'string' && !sub.includes('{n}')
            ? 'put the number of the player, {n}, into the sub of the profile (session.jwt.claims)'
            : 'let the login make a player of each test JWT, by its sub, or set LOGIN_TOKEN to tokens of several players',
        ];
  return [
    hides(
      'one-player',
      `${what}, and a flow of several players needs several`,
      `${advice}; if that id is no player's, say in the profile where theirs stands: {"operations": {"auth.login": {"ids": {"playerId": "/…"}}}}`,
    ),
  ];
}

/** The most players of one scenario. */
const mostPlayers = 4;

export function playerFindings({ target: { loginTokens, loginTokenCommand } }: Examination): Finding[] {
  const { length } = loginTokens;
  if (length === 0 || length >= mostPlayers || loginTokenCommand !== undefined) return [];
  return [
    more(
      'few-players',
      `LOGIN_TOKEN holds ${counted(length, 'token')}: a flow of several players needs one for each`,
      `put ${mostPlayers} or more into LOGIN_TOKEN, separated by white space, or set LOGIN_TOKEN_COMMAND`,
    ),
  ];
}
