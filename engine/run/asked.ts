// Describes how a run was asked for: with another profile, version or option the same server may be judged differently.
import type { Preflight } from '../preflight/preflight.ts';
import { givenSegments, type Target } from '../target/target.ts';
import { defaultLimits } from '../values/default-limits.ts';
import { assayVersion } from '../version.ts';
import type { RunResult } from './result.ts';

type Options = RunResult['options'];

interface Asking {
  readonly target: Target;
  readonly preflight: Pick<Preflight, 'segments'>;
}

/**
 * The parts of a result's options that come from its target and limits: version, profile, and the settings that matter.
 * Folder and versions that preflight found, or that the embedded server has, are no settings of the user.
 */
export function surroundingOptions(
  { target, preflight: { segments } }: Asking,
  { rate, timeoutMs }: { readonly rate: number | undefined; readonly timeoutMs: number },
): Pick<Options, 'version' | 'profile' | 'settings'> {
  const { profile: { digest } = {}, profileFile, ambient, embedded, logsSinkCommand, jwtAlg } = target;
  const found = segments?.found ? Object.keys(segments.segments) : [];
  const given = embedded ? [] : target.given.filter((name) => !found.includes(name));
  const values: readonly (readonly [name: string, value: string | undefined])[] = [
    ...givenSegments({ given, ambient }),
    ['sign-in by', signIn(target)],
    ['--jwt-alg', jwtAlg],
    ['LOGS_SINK_COMMAND', logsSinkCommand && 'set'],
    ['--rate', rate === undefined ? undefined : String(rate)],
    ['--timeout', timeoutMs === defaultLimits.timeoutMs ? undefined : `${timeoutMs}ms`],
  ];
  return {
    version: assayVersion,
    ...(profileFile !== undefined && digest !== undefined && { profile: { file: profileFile, digest } }),
    settings: Object.fromEntries(values.filter((each): each is [string, string] => each[1] !== undefined)),
  };
}

/** How players sign in; of tokens only their number, never a token. */
function signIn({ loginTokens, loginTokenCommand }: Target): string {
  if (loginTokenCommand !== undefined) return 'LOGIN_TOKEN_COMMAND';
  if (loginTokens.length === 0) return 'test JWTs';
  return loginTokens.length === 1 ? '1 LOGIN_TOKEN' : `${loginTokens.length} LOGIN_TOKENs`;
}

/** The options as they are typed; without `--strict`, which a comparison evens out. */
const optionTexts = ({ only, rerun, readOnly, insecure, attack, minJudged }: Options): string[] => [
  ...(only.length > 0 ? [`--only ${only.join(' ')}`] : []),
  ...(rerun ? ['--rerun'] : []),
  ...(readOnly ? ['--read-only'] : []),
  ...(insecure ? ['--insecure'] : []),
  ...(attack ? ['--attack on'] : []),
  `--min-judged ${minJudged}`,
];

const surroundingTexts = ({ version, profile, settings = {} }: Options): string[] => [
  `Assay ${version}`,
  profile === undefined ? 'no PROFILE' : `PROFILE=${profile.file} (${profile.digest})`,
  ...Object.entries(settings).map(([name, value]) => `${name}${/^[A-Z]/.test(name) ? '=' : ' '}${value}`),
];

/** All options and settings of a run that its result holds, a text each. */
export const askedTexts = (options: Options): string[] => [
  ...optionTexts(options),
  ...(options.strict ? ['--strict'] : []),
  ...(options.version === undefined ? [] : surroundingTexts(options)),
];

export type AskedRun = Pick<RunResult, 'options'> & Partial<Pick<RunResult, 'seed'>>;

/** Results of older versions do not hold their profile, version and settings. */
const isKnown = ({ options }: AskedRun) => options.version !== undefined;

const isSameProfile = (a: Options, b: Options) => a.profile?.digest === b.profile?.digest;

/** The options and settings in which two runs differ; both lists are empty where there are none. */
export function askedDifferently(
  before: AskedRun,
  after: AskedRun,
): readonly [before: string[], after: string[]] {
  const isKnownOfBoth = isKnown(before) && isKnown(after);
  const textsOf = ({ options, seed }: AskedRun) => [
    ...(isKnownOfBoth
      ? surroundingTexts(
          isSameProfile(before.options, after.options) ? { ...options, profile: undefined } : options,
        )
      : []),
    ...optionTexts(options),
    ...(seed === undefined ? [] : [`SEED=${seed}`]),
  ];
  const [was, is] = [textsOf(before), textsOf(after)];
  return [was.filter((text) => !is.includes(text)), is.filter((text) => !was.includes(text))];
}

/** Whether the findings of two runs may differ only because the profile or the version of Assay does. */
export const isJudgedOtherwise = ({ options: a }: AskedRun, { options: b }: AskedRun): boolean =>
  a.version !== undefined && b.version !== undefined && (a.version !== b.version || !isSameProfile(a, b));
