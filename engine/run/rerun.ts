// Writes the command that repeats one check against the same target, since `npm start` alone would judge the embedded
// server.
import { allHosts } from '../../catalog/operation.ts';
import { variableOf } from '../target/settings.ts';
import { givenSegments, type Target } from '../target/target.ts';
import { quotedWord } from '../values/shell.ts';
import { typedWith } from '../values/typed-command.ts';

/**
 * The settings that lead to a target again; an embedded one needs but its profile. Who signs in may be a secret: such a
 * variable stands for itself, and where the shell has none of that name, it says so and runs nothing.
 */
export function rerunSettings(target: Target): string {
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

/** Options that change how the same check is judged, what it asks for, or which files it writes. */
interface RerunOptions {
  readonly insecure?: boolean | undefined;
  readonly strict?: boolean | undefined;
  readonly readOnly?: boolean | undefined;
  readonly jwtAlg?: string | undefined;
  readonly attack?: boolean | undefined;
  /** `--out`: without it the files of another run would be replaced. */
  readonly out?: string | undefined;
}

/**
 * @param settings of `rerunSettings`
 * @param ids of the check, and of those without which it would not see the same
 */
export function rerunCommand(
  settings: string,
  ids: readonly string[],
  { insecure, strict, readOnly, jwtAlg, attack, out }: RerunOptions = {},
): string {
  const options = [
    insecure && '--insecure',
    strict && '--strict',
    readOnly && '--read-only',
    jwtAlg && `--jwt-alg ${jwtAlg}`,
    attack && '--attack on',
    out && `--out ${quotedWord(out)}`,
  ];
  const given = options.filter(Boolean).map((option) => `${option} `);
  return `${settings}${typedWith('run')} ${given.join('')}--only ${ids.map((id) => `'${id}'`).join(' ')}`;
}
