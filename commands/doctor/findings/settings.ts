// Finds settings and parts of the profile that are missing or wrong: with them a run would judge more.

import { operationById } from '../../../catalog/catalog.ts';
import { allHosts, contentParameters, type Operation, parametersOf } from '../../../catalog/operation.ts';
import { meantOperations } from '../../../engine/target/profile.ts';
import { variableOf } from '../../../engine/target/settings.ts';
import { quotedWord } from '../../../engine/values/shell.ts';
import { typedWith } from '../../../engine/values/typed-command.ts';
import { aRun } from '../../learn/from-run.ts';

import type { Examination } from '../examine.ts';
import { type Finding, hides, more } from './finding.ts';

export function leftOutHostFindings({ target }: Examination): Finding[] {
  return allHosts.flatMap((host) => {
    if (target.hosts[host] !== undefined) return [];
    const meant = meantOperations(target);
    const left = meant.filter((operation) => operation.host === host).length;
    if (left === 0) return [];
    return more(
      'host-not-given',
      `${host}: not given, so ${left} of ${meant.length} operations are left out`,
      `set ${variableOf[host]}`,
    );
  });
}

/** The operations of hosts that answer: of other hosts too little is known for advice. */
export const reached = (hosts: Examination['hosts'], operations: readonly Operation[]) => {
  const answering = new Set(hosts.flatMap(({ host, reach }) => (reach.reachable ? [host] : [])));
  return operations.filter(({ host }) => answering.has(host));
};

export function resourceFindings({ target, hosts }: Examination): Finding[] {
  const wanted = new Set(reached(hosts, meantOperations(target)).flatMap(parametersOf));
  const unnamed = contentParameters.filter(
    (name) => wanted.has(name) && target.parameters[name] === undefined,
  );
  if (unnamed.length === 0) return [];
  const example = `{"parameters": {"${unnamed[0]}": "…"}}`;
  return [
    more(
      'resources-unnamed',
      `no existing ${unnamed.join(', ')} is named; answers may name some`,
      `name them in the profile: ${example}`,
    ),
  ];
}

/** Recommends `npm run learn` where an operation is served and no run has learnt from it yet. */
export function profileFindings({ target, lacking, hosts }: Examination): Finding[] {
  const sample = hosts.flatMap((host) => host.sample);
  const served = new Set(sample.flatMap(({ id, seen }) => (seen === 'served' ? [id] : [])));
  if (!lacking)
    return target.embedded || served.size === 0
      ? []
      : [
          more(
            'no-profile',
            'no profile: bodies, statuses and the shapes of answers are guessed',
            `${typedWith('learn')} --output profile.json writes one from this target`,
          ),
        ];
  const isLearnt = Object.values(target.profile?.sources ?? {}).some((source) =>
    source.endsWith(` in ${aRun}`),
  );
  const lists: readonly (readonly [string, readonly string[]])[] = isLearnt
    ? [['no accepted statuses', lacking.accepts.filter((id) => !readsNamedState(id))]]
    : [
        ['no body', lacking.body],
        ['no accepted statuses', lacking.accepts],
        ['no schema of the answer', lacking.schema],
      ];
  const missing = lists.flatMap(([what, ids]) => {
    const some = ids.filter((id) => served.has(id));
    return some.length > 0 ? [`${what} of ${some.length} (${listed(some)})`] : [];
  });
  if (missing.length === 0) return [];
  const file = quotedWord(target.profileFile ?? '');
  const learnAgain = `${typedWith('learn')} --profile ${file} --output ${file} --force`;
  const remedy = isLearnt
    ? `learning did not find out how these succeed: state body and accepts in operations by hand (${learnAgain} adds operations that the target serves only since)`
    : `${learnAgain} adds what this target shows`;
  return [more('profile-lacks', `${target.profileFile}: ${missing.join(', ')}`, remedy)];
}

/** Reads of named states. They return what a flow wrote; where no flow could write, a run learns nothing of them. */
const readsNamedState = (id: string) => {
  const operation = operationById(id);
  return operation?.area === 'players' && operation.mayBe404 === 'nothing there';
};

export function pointerFindings({ unmatched, target }: Examination): Finding[] {
  return unmatched.map((line) =>
    more('pointer-unmatched', `${target.profileFile}: ${line}`, "correct the pointer in the operation's ids"),
  );
}

/** Reports mistakes in the profile's `expects`, for which a run fails. */
export function pinFindings({ pinProblems, target }: Examination): Finding[] {
  const remedy = 'correct it in the expects of the profile: a run fails for it';
  return pinProblems.map((line) => hides('expects-wrong', `${target.profileFile}: ${line}`, remedy));
}

export const listed = (ids: readonly string[]) =>
  `${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ', …' : ''}`;
