// Writes the command that repeats one check against the same target, since `npm start` alone would judge the embedded
// server.
import { allHosts } from '../../catalog/operation.ts';
import type { PlannedCheck } from '../judgement.ts';
import { variableOf } from '../target/settings.ts';
import { givenSegments, type Target } from '../target/target.ts';
import { quotedWord } from '../values/shell.ts';
import { typedWith } from '../values/typed-command.ts';

/** Options that change how the same check is judged, or which files it writes. */
interface RerunOptions {
  readonly strict?: boolean | undefined;
  readonly readOnly?: boolean | undefined;
  /** The folder for `--out`: without it the command would overwrite the reports that name it. */
  readonly rerunOut?: string | undefined;
  /** `--baseline`, and `--fail-on` where it was given: without them a difference that failed the run would not fail. */
  readonly rerunBaseline?: string | undefined;
}

/**
 * Returns the command that runs one check again.
 * @param seenIn ids of the checks whose calls it judges, so that they have to run too
 */
export type Rerun = (check: Pick<PlannedCheck, 'id' | 'attack'>, seenIn?: readonly string[]) => string;

/** Makes the function that writes rerun commands, with the same target and the same options. */
export function rerunOf(
  target: Target,
  { strict, readOnly, rerunOut, rerunBaseline }: RerunOptions = {},
): Rerun {
  const { jwtAlg, transport } = target;
  const settings = rerunSettings(target);
  return ({ id, attack }, seenIn = []) => {
    const options = [
      transport?.insecure && '--insecure',
      strict && '--strict',
      readOnly && '--read-only',
      jwtAlg && `--jwt-alg ${jwtAlg}`,
      attack && '--attack on',
      rerunBaseline,
      rerunOut && `--out ${quotedWord(rerunOut)}`,
    ];
    const given = options.filter(Boolean).map((option) => `${option} `);
    // The name of a rule selects all of its checks, this one included.
    const own = seenIn.some((each) => each.startsWith('#') && id.endsWith(each)) ? [] : [id];
    const ids = [...own, ...seenIn].map((each) => `'${each}'`);
    return `${settings}${typedWith('run')} ${given.join('')}--only ${ids.join(' ')}`;
  };
}

/**
 * The environment assignments that select the same target. The embedded server needs only its profile and TLS_CA, where
 * given. Sign-in variables may hold secrets, so they are written as "${NAME:?}": a shell where NAME is unset or empty
 * reports that and runs nothing.
 */
function rerunSettings(target: Target): string {
  const { embedded, hosts, profileFile, transport, signInVariables = [] } = target;
  const away = embedded
    ? []
    : [...allHosts.map((host) => [variableOf[host], hosts[host]] as const), ...givenSegments(target)];
  const values = [...away, ['TLS_CA', transport?.caFile] as const, ['PROFILE', profileFile] as const];
  const assignments = values.flatMap(([variable, value]) =>
    value === undefined ? [] : [`${variable}=${quotedWord(value)} `],
  );
  return [...assignments, ...signInVariables.map((variable) => `${variable}="\${${variable}:?}" `)].join('');
}
