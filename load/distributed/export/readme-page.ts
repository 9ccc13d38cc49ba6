// Writes plan.md: what was exported, what is still missing, and how to run and collect it. Pure.
import { quotedWord } from '../../../engine/values/shell.ts';
import { countedOn, generatorsFor } from './generators.ts';
import {
  type Exported,
  metricsSecret,
  needsVolume,
  playersFile,
  playersSecret,
  variableSecret,
} from './manifests.ts';

export interface Paper {
  readonly exported: Exported;
  readonly journey: string;
  /** How a user named it: a journey, or `--operation ID`. */
  readonly subject: string;
  /** Arguments of `npm run load --` that make as many players ready. */
  readonly again: string;
  /** Journeys per second at most. */
  readonly peak: number;
  /** Of all pods. */
  readonly vus: number;
  readonly requestsPerJourney: number;
  /** Journeys per second of one generator; undefined where nobody measured it. */
  readonly ceiling: number | undefined;
  readonly target: Readonly<Record<string, string | undefined>>;
  /** What has to be replaced before it runs, a sentence each. */
  readonly placeholders: readonly string[];
  readonly out: string;
}

const rates = [1, 2, 5, 10, 20] as const;

export function paperOf(paper: Paper): string {
  const { exported, journey, peak, vus, ceiling, target, placeholders, out } = paper;
  const { name, parallelism, size } = exported;
  return `# ${name}

Journey ${journey}, up to ${peak} journeys/s (${round(peak * paper.requestsPerJourney)} requests/s), by ${parallelism} generator pods: ${round(peak / parallelism)} journeys/s each, ${Math.ceil(vus / parallelism)} VUs each. All share one schedule and one seed: together they send what one process would have sent.

To: ${Object.entries(target)
    .map(([host, url]) => `${host} ${url}`)
    .join(', ')}
${placeholders.length === 0 ? '' : `\n## To be replaced first\n\n${placeholders.map((line) => `- ${line}`).join('\n')}\n`}
## How many generators

${generators(paper)}

Each pod asks for ${size.requests.cpu} of processor and ${size.requests.memory} of memory. It has no limit on processors: a generator that is throttled is late. \`separate: false\` lets pods share a node; set it to true where there are at least ${parallelism} nodes, so that no two share a network card.

## Run

${steps(paper)}

## Collect

The verdict is not any pod's own: each sees its share alone. When the TestRun has finished:

    npm run load -- --collect ${quotedWord(exported.prometheus)} --out ${quotedWord(out)}

It reads the metrics tagged \`testid="${name}"\`, merges the histograms, and writes the same load.json as a run on one machine; a pod that died makes it INVALID. Prometheus has to be started with \`--web.enable-remote-write-receiver --enable-feature=native-histograms\`. The histograms' buckets are 9 % wide, so a quantile is off by up to 4.5 %, and mostly by less than 1 %. One export is for one run: export again for the next.
${ceiling === undefined ? '' : `\nCounted on: ${round(countedOn(ceiling))} journeys/s per generator, 70 % of the ceiling.\n`}`;
}

function generators({ peak, ceiling, exported: { parallelism }, subject, journey }: Paper): string {
  if (ceiling === undefined)
    return `**Not known: CEILING was not measured.** Pods for a rate = rate / (0.7 × CEILING), rounded up. CEILING is the highest rate at which one generator stays fast on a target that does nothing: the \`generator.ceiling\` of a \`npm run capacity -- ${subject}\` that ended GENERATOR_LIMITED, or what \`npm run bench -- ceiling ${journey}\` prints, on a machine like the nodes. Export again with \`--ceiling N\`.`;
  const rows = rates.map((times) => `| ${round(peak * times)} | ${generatorsFor(peak * times, ceiling)} |`);
  const needed = generatorsFor(peak, ceiling);
  const enough =
    needed > parallelism
      ? `**Too few pods: ${parallelism}, and ${needed} are needed.**`
      : `Enough pods: ${parallelism}, and ${needed} are needed.`;
  return `${enough} One generator gives ${round(ceiling)} journeys/s; 70 % of that is counted on.\n\n| journeys/s | pods |\n| ---: | ---: |\n${rows.join('\n')}`;
}

function steps({ exported, again }: Paper): string {
  const { name, players, variables, files, parallelism } = exported;
  const volume = needsVolume(files);
  const all = [
    `The operator is installed in the cluster (written for k6-operator v1.6.0, \`k6.io/v1alpha1\`).`,
    ...(players
      ? [
          `Players, signed in right before, from this machine into a Secret; they are in no file:\n\n       npm run -s load -- ${again} --export players | kubectl create secret generic ${playersSecret(name)} --from-file=${playersFile}=/dev/stdin`,
        ]
      : []),
    ...variables.map(
      (variable) =>
        `A secret of the profile: \`printf %s "$${variable}" | kubectl create secret generic ${variableSecret(name, variable)} --from-file=${variable}=/dev/stdin\`.`,
    ),
    `Where Prometheus wants a password: \`kubectl create secret generic ${metricsSecret} --from-literal=username=… --from-file=password=FILE\`.`,
    ...(volume
      ? [
          `The files are more than the 1 MiB of a ConfigMap: \`kubectl apply -f volume.yaml\`, copy \`files/\` to the root of the volume (any pod that mounts it, \`kubectl cp files/. POD:/test\`).`,
          `\`kubectl apply -f testrun.yaml\``,
        ]
      : [`\`kubectl apply -f configmap.yaml -f testrun.yaml\``]),
    `\`kubectl get testrun ${name}\` until its stage is \`finished\`; \`kubectl delete testrun ${name}\` afterwards. There is no \`cleanup: post\`: it would take the logs of a pod that died with it. ${parallelism} runners start together.`,
  ];
  return all.map((line, nth) => `${nth + 1}. ${line}`).join('\n');
}

const round = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));
