// Finds what keeps a run from judging the interface: unknown words, and too little that can be judged.

import { worthTrying } from '../../../catalog/words.ts';
import { adviceOn, doubtOf } from '../../../engine/preflight/doubtful-words.ts';
import { meantOperations } from '../../../engine/target/profile.ts';
import type { Target } from '../../../engine/target/target.ts';
import { defaultLimits } from '../../../engine/values/default-limits.ts';
import { quotedWord } from '../../../engine/values/shell.ts';
import { percent } from '../../../engine/values/text.ts';
import { typed, typedWith } from '../../../engine/values/typed-command.ts';
import type { Examination } from '../examine.ts';
import { fewest, type Share } from '../share.ts';
import { type Finding, hides, stops } from './finding.ts';

const tried = (ownWords: Examination['ownWords']) => {
  const words = worthTrying(ownWords?.clues.map(({ word }) => word));
  return words === undefined ? '' : `; ${words}`;
};

/** The login's word belongs to the findings about sign-in. */
export function wordFindings({ words, discovery, ownWords }: Examination): Finding[] {
  const unknown = words.fits.filter(
    ({ word, fit }) => fit === 'unknown' && !(word === 'storefront' && discovery?.kind === 'unrouted'),
  );
  const open = words.open.length === 0 ? [] : [openSpelling(words.open)];
  const doubted = ownWords?.doubted ?? [];
  const isDoubted = (word: string) => doubted.some((each) => each.word === word && each.at === undefined);
  return [
    ...doubted.map((each) => hides('word-unknown', doubtOf(each), adviceOn(each))),
    ...unknown.flatMap(({ word, given }) => {
      if (isDoubted(word)) return [];
      const spelling = given === undefined ? `"${word}"` : `"${given}" for "${word}"`;
      return hides(
        'word-unknown',
        `no read whose path holds ${spelling} is served, while its neighbours are`,
        given === undefined
          ? `name the target's own word in the profile, {"words": {"${word}": "…"}}, or leave the operations out (omit)${tried(ownWords)}`
          : `mend it in the profile (words), or leave it out where the document's own is meant${tried(ownWords)}`,
      );
    }),
    ...open,
  ];
}

const openSpelling = (ids: readonly string[]): Finding =>
  hides(
    'word-open',
    `not served as the document spells them: ${ids.join(', ')}; it leaves open whether "game" is meant there`,
    `where it is, name it: {"wordsAt": {"${ids[0]}": {"game": "…"}}}`,
  );

// Whether a run can judge enough of each host, and what would raise the share.
const isEnough = (judged: number) => judged >= defaultLimits.minJudged / 100;

/** Hosts of which a run would judge too little, where no other finding stops them. */
export function tooLittleFindings({ hosts, target }: Examination, others: readonly Finding[]): Finding[] {
  const stopped = new Set(others.flatMap(({ weight, host }) => (weight === 'stops' && host ? [host] : [])));
  return hosts.flatMap(({ host, share, shareOfServed }) => {
    if (!share || stopped.has(host) || isEnough(share.judged)) return [];
    return stops(
      'too-little-judged',
      `${host}: a run could judge ${percentOf(share)} at best of its documented checks, ${defaultLimits.minJudged} % are needed: ${servedOf(share)}`,
      `${remedyOf(share)}${reachingStep(share, shareOfServed, target)}`,
      host,
    );
  });
}

/** Reports hosts that answer so late that no time was left for their operations. */
export function unseenFindings({ hosts, target }: Examination): Finding[] {
  const meant = meantOperations(target);
  return hosts.flatMap(({ host, reach, sample }) => {
    const ofHost = meant.filter((operation) => operation.host === host).length;
    if (!reach.reachable || sample.length >= Math.min(fewest, ofHost)) return [];
    return hides(
      'unseen',
      `${host}: no time was left to look at its ${ofHost} operations, so whether a run can judge enough of it is not known`,
      `${typed('run')} finds out: it takes more time`,
    );
  });
}

function remedyOf({ judged, served, missing, ifOmitted, ifWorded }: Share): string {
  const raising = [
    // Where nothing is served, a wrong URL is likelier than another word.
    ...(served === 0 ? ['check its URL, port and path prefix'] : []),
    ...(ifWorded - judged > 0.01
      ? [`name the target's own words in the profile (then up to ${percent(ifWorded)})`]
      : []),
    ...(ifOmitted - judged > 0.01
      ? [
          `leave out in the profile (omit) what it does not mean to serve (then up to ${percent(ifOmitted)}): ${named(missing)}`,
        ]
      : []),
  ];
  return raising.join(', or ') || `${typed('run')} says of each check why it could not be judged`;
}

/** The step that reaches the share that a run needs, where none of those in the remedy does. */
function reachingStep({ ifOmitted, ifWorded }: Share, ofServed: number | undefined, target: Target): string {
  if (isEnough(Math.max(ifOmitted, ifWorded))) return '';
  const needed = `${defaultLimits.minJudged} %`;
  return ofServed !== undefined && isEnough(ofServed)
    ? `; ${needed} takes leaving out all that is not served, also of what only a run can tell (then up to ${percent(ofServed)}): ${omittingCommand(target)} leaves out what is missing for certain, and lists what you decide`
    : `; no step is known that reaches ${needed}`;
}

/** The command that leaves out what is not served, in the profile that is in use. */
export function omittingCommand({ profileFile }: Pick<Target, 'profileFile'>): string {
  const file = profileFile === undefined ? undefined : quotedWord(profileFile);
  const kept = file === undefined ? '' : ` --profile ${file} --output ${file} --force`;
  return `${typedWith('learn')} --omit-missing${kept}`;
}

function named(missing: readonly string[]): string {
  const some = missing.slice(0, 3).join(', ');
  return missing.length > 3
    ? `${some} and ${missing.length - 3} more, which stand under hosts, share.missing of ${typedWith('doctor', 'quietly')} --json`
    : some;
}

/** Such as `60 of 133 operations are served`; counts only operations that doctor could decide about. */
export function servedOf({ served, told, operations }: Share): string {
  return told < operations
    ? `${served} of the ${told} operations that doctor could try are served; it looks for a few seconds and changes nothing, so of ${operations - told} more only a run can tell`
    : `${served} of ${told} operations are served`;
}

/** `about 62 %` where not all was looked at. */
export const percentOf = ({ judged, told, operations }: Share) =>
  `${told < operations ? 'about ' : ''}${percent(judged)}`;
