// The circumstances of the run: what somebody needs to repeat it, and what it left behind.
import { allHosts } from '../../fixtures/catalog/operation.ts';
import type { RunResult } from '../../fixtures/check/result.ts';
import { whole } from '../headline.ts';
import { field } from './field.ts';
import { timeOf } from './head.ts';
import { cut, type Markup, markup } from './markup.ts';

const endings: Readonly<Record<RunResult['ended'], string>> = {
  complete: 'complete',
  interrupted: 'it was interrupted',
  budget: 'its time was over',
  'worker-died': 'Assay itself broke off',
  bail: 'stopped early, as --bail asked',
};

export function runFacts(result: RunResult): Markup {
  const { target, options, seed, runId, startedAt, durationMs, requests, ended, exitCode } = result;
  const told = allHosts.map((host) => {
    const url = target[host];
    return field(host, url === undefined ? 'not given' : markup`<code>${cut(url, 200)}</code>`);
  });
  const asked = [
    ...(options.only.length > 0 ? [`--only ${options.only.join(' ')}`] : []),
    ...(options.strict ? ['--strict'] : []),
    ...(options.readOnly ? ['--read-only'] : []),
    ...(options.rerun ? ['--rerun'] : []),
    `--min-judged ${options.minJudged}`,
  ].join(' ');
  return markup`<section id="run" class="section"><h2>Run</h2><dl class="facts">
${told}
${field('seed', markup`<code>SEED=${cut(seed, 80)}</code>`)}
${field('run', cut(runId, 80))}
${field('began', timeOf(startedAt))}
${field('took', `${(durationMs / 1000).toFixed(1)} s, ${whole(requests)} requests`)}
${field('ended', `${endings[ended]}, exit code ${exitCode}`)}
${field('options', markup`<code>${cut(asked, 400)}</code>`)}
</dl>
${lines('Preflight', result.preflight)}
${lines('What became of the hosts', result.incidents ?? [])}
${lines('Left behind on the target', result.leftBehind)}
${lines('Pointers of the profile that matched nothing', result.unmatched ?? [])}
</section>`;
}

const mostLines = 20;

function lines(title: string, told: readonly string[]): Markup | false {
  if (told.length === 0) return false;
  const left = told.length - mostLines;
  return markup`<h3>${title}</h3><ul>${told.slice(0, mostLines).map((line) => markup`<li>${cut(line, 300)}</li>`)}${left > 0 && markup`<li class="weak">and ${whole(left)} more</li>`}</ul>`;
}
