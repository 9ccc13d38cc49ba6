// What the nightly workflow's shell steps do, on a target that gets worse from one night to the next.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { listen } from '../../fixtures/kit/loopback.ts';
import {
  action,
  actionFolder,
  root,
  runStep,
  type StepEnd,
  stepNamed,
  stub,
  workflow,
} from './shell-step.ts';

const nightly = workflow('.github/workflows/nightly.yml');
const step = (name: string) => stepNamed(nightly, name);
const scratch = mkdtempSync(join(tmpdir(), 'assay runner '));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A runner of its own. */
function runner(name: string): string {
  const temp = join(scratch, name);
  actionFolder(temp);
  return temp;
}

/** One served call that answers with this status, and with markup. */
const serverOf =
  (statusOf: () => number): RequestListener =>
  (request, response) => {
    request.resume();
    const isServed = request.url === '/api/v1/config' && request.method === 'GET';
    response.writeHead(isServed ? statusOf() : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ said: '```\n# <img src=x>' }));
  };

/** The action's step, as the workflow's calls it. */
const judge = (temp: string, env: Readonly<Record<string, string>>) =>
  runStep(stepNamed(action, 'Judge'), temp, {
    ACTION: join(temp, 'action'),
    NIGHT: join(temp, 'night'),
    OUT: join(temp, 'night', 'out'),
    OPTIONS: '',
    BASELINE: '',
    FAIL_ON: '',
    HOSTS: '',
    ACCEPT: 'false',
    ...env,
  });

/** The exit code, and whether it is worse than the last accepted night. */
const ended = ({ code, output }: Pick<StepEnd, 'code' | 'output'> = { code: -1, output: '' }) => [
  code,
  /^worse=(.*)$/m.exec(output)?.[1],
];

/** Judges a target that answers so. */
async function judged(temp: string, statusOf: () => number, env: NodeJS.ProcessEnv = {}): Promise<StepEnd> {
  const { url: BASE_URL, close } = await listen(createServer(serverOf(statusOf)));
  try {
    const unset = { CDN_URL: '', GAMELOGS_URL: '', PROFILE: '', LOGIN_TOKEN: '' };
    return await judge(temp, { BASE_URL, ...unset, ...env });
  } finally {
    await close();
  }
}

describe('two nights', () => {
  const [first, second] = [runner('first'), runner('second')];
  let ran: readonly StepEnd[];
  beforeAll(async () => {
    const good = await judged(first, () => 200);
    cpSync(join(first, 'night'), join(second, 'night', 'before'), { recursive: true });
    ran = [good, await judged(second, () => 500)];
  }, 60_000);
  const at = (name: string) => join(second, 'night', name);

  test('the first has nothing to be held against, which it says; it is green, and accepted', () => {
    expect(ran[0]?.stdout).toContain('nightly: there is no accepted night to compare with');
    expect(existsSync(join(first, 'night', 'accepted', 'result.json'))).toBe(true);
    expect(ended(ran[0])).toEqual([0, 'false']);
    expect(existsSync(join(first, 'night', 'out', 'issue.md'))).toBe(false);
  });

  test('the second got worse; the step goes on, and keeps the exit code', () => {
    expect(ended(ran[1])).toEqual([1, 'true']);
    expect(ran[1]?.stdout).toContain('Worse: 1 regression');
  });

  test('the second was asked once more, and does not become the accepted one', () => {
    expect(existsSync(at('out/again/result.json'))).toBe(true);
    expect(readFileSync(at('accepted/result.json'), 'utf8')).toBe(
      readFileSync(join(first, 'night', 'accepted', 'result.json'), 'utf8'),
    );
  });

  test('the second holds both in its history, and a trend of them', () => {
    expect(readdirSync(at('history'))).toHaveLength(2);
    expect(readFileSync(at('out/trend.txt'), 'utf8')).toMatch(/^2 runs from/);
    expect(existsSync(at('out/trend.html'))).toBe(true);
  });

  test('the issue reports what broke and where to look, and what the target said is text', () => {
    const [heading, ...lines] = readFileSync(at('out/issue.md'), 'utf8').split('\n');
    expect(heading).toBe('The nightly run is not as good as the last accepted one:');
    expect(lines[1]).toMatch(/^ {4}Got worse than the run of .* UTC: 1 check\./);
    expect(lines).toContain('Report, exchanges and trend: https://git.example/owner/name/actions/runs/42');
    expect(lines.join('\n')).toContain('general.config');
    expect(lines.filter((line) => line !== '' && !/^( {4}|Report|Mend it)/.test(line))).toEqual([]);
  });

  test('the summary is the report and what changed', async () => {
    const { summary } = await runStep(stepNamed(action, 'Summarize'), second, { OUT: at('out') });
    expect(summary.startsWith(readFileSync(at('out/report.md'), 'utf8'))).toBe(true);
    expect(summary).toContain('\n## Since the last accepted night\n\n    Worse: 1 regression');
  });
});

/** A night whose target answers so, in turn, after an accepted one. */
async function nightAfter(name: string, before: string, statusOf: () => number, env: NodeJS.ProcessEnv = {}) {
  const temp = runner(name);
  cpSync(join(before, 'night'), join(temp, 'night', 'before'), { recursive: true });
  const ran = await judged(temp, statusOf, env);
  const holds = (file: string) => existsSync(join(temp, 'night', file));
  const accepted = JSON.parse(readFileSync(join(temp, 'night', 'accepted', 'result.json'), 'utf8'));
  return { ran, holds, accepted };
}

describe('after an accepted night', () => {
  const first = runner('accepted');
  beforeAll(async () => {
    await judged(first, () => 200);
  }, 60_000);

  test('a break that lasts is red every night, and mended is green again', { timeout: 60_000 }, async () => {
    const red = await nightAfter('red', first, () => 500);
    expect(ended(red.ran)).toEqual([1, 'true']);
    const still = await nightAfter('still red', join(scratch, 'red'), () => 500);
    expect(ended(still.ran)).toEqual([1, 'true']);
    const mended = await nightAfter('mended', join(scratch, 'still red'), () => 200);
    expect(ended(mended.ran)).toEqual([0, 'false']);
  });

  test('a break that somebody accepts is what the next night is held against', {
    timeout: 60_000,
  }, async () => {
    const taken = await nightAfter('taken', first, () => 500, { ACCEPT: 'true' });
    expect(ended(taken.ran)).toEqual([1, 'true']);
    const next = await nightAfter('next', join(scratch, 'taken'), () => 500);
    expect(ended(next.ran)).toEqual([0, 'false']);
  });

  test('what fails once and not again does not make it red, and is not accepted', {
    timeout: 60_000,
  }, async () => {
    let isUp = false;
    const { ran, holds, accepted } = await nightAfter('once', first, () => {
      // Down for as long as the first run asks: until its results are there.
      isUp ||= existsSync(join(scratch, 'once', 'night', 'out', 'result.json'));
      return isUp ? 200 : 500;
    });
    expect(ended(ran)).toEqual([0, 'false']);
    expect(ran.stdout).toContain('what failed did not fail again');
    expect(holds('out/issue.md')).toBe(false);
    expect(accepted.exitCode).toBe(0);
  });
});

test('a night in which nothing could be judged keeps its exit code too', async () => {
  const temp = runner('unreachable');
  const ran = await judge(temp, { BASE_URL: 'http://127.0.0.1:1' });
  expect(ended(ran)).toEqual([2, 'false']);
});

test('further settings are lines of one secret, and what is no setting among them is left alone', async () => {
  const temp = runner('settings');
  const SETTINGS = '# ours\nGAME_VERSION=1=2\n\nBASE_URL=http://127.0.0.1:1\nnonsense';
  const { stdout, stderr, ...ran } = await judge(temp, { BASE_URL: '', SETTINGS });
  expect(ended(ran)).toEqual([2, 'false']);
  expect(stdout + stderr).toContain('127.0.0.1:1');
});

describe('a night that has not the hosts that it is to judge', () => {
  const given = { BASE_URL: 'http://127.0.0.1:1', CDN_URL: '', GAMELOGS_URL: ' ', HOSTS: '' };
  /** The script of a clone, beside which this npm stands. */
  const clone = (name: string, npm: string) => {
    const temp = runner(name);
    stub(temp, 'npm', npm);
    mkdirSync(join(temp, '.ci'));
    cpSync(join(root, '.ci', 'nightly.sh'), join(temp, '.ci', 'nightly.sh'));
    return temp;
  };

  test.each<[string, Readonly<Record<string, string>>, string]>([
    [
      'with no URL at all',
      { BASE_URL: '' },
      'nightly: none of BASE_URL, CDN_URL and GAMELOGS_URL is set, so there is no target to judge; give at least one\n',
    ],
    [
      'with no URL, in the place of one named',
      { BASE_URL: '', HOSTS: 'base' },
      'nightly: BASE_URL: not set, though HOSTS names that host; give the URL, or take the host out of HOSTS\n',
    ],
    [
      'with one of three that are named',
      { HOSTS: 'base, cdn,gamelogs' },
      'nightly: CDN_URL, GAMELOGS_URL: not set, though HOSTS names that host; give the URL, or take the host out of HOSTS\n',
    ],
    [
      'with a name in HOSTS that is none',
      { HOSTS: 'base,*' },
      'nightly: HOSTS: \\* is no host; it takes base, cdn and gamelogs\n',
    ],
  ])('fails in one line and judges nothing: %s', async (name, env, line) => {
    const temp = runner(name);
    mkdirSync(join(temp, 'night', 'before', 'history'), { recursive: true });
    writeFileSync(join(temp, 'night', 'before', 'history', 'kept'), '');
    const ran = await judge(temp, { ...given, ...env });
    expect([...ended(ran), ran.stdout, ran.stderr]).toEqual([2, 'false', '', line]);
    expect(existsSync(join(temp, 'calls'))).toBe(false);
    // What earlier nights left goes on to the next all the same.
    expect(readdirSync(join(temp, 'night', 'history'))).toEqual(['kept']);
  });

  test('is none where those that are named are there', async () => {
    const temp = runner('named and given');
    await judge(temp, { ...given, GAMELOGS_URL: '', HOSTS: 'base' });
    expect(readFileSync(join(temp, 'calls'), 'utf8')).toMatch(/^run /);
  });

  test.each([
    ['BASE_URL="http://127.0.0.1:1"', 0],
    ['#BASE_URL=http://127.0.0.1:1\nBASE_URL=""', 2],
  ])('is none where .env gives a URL, as a run reads it: %j', async (text, code) => {
    const temp = clone(`.env ${code}`, '');
    writeFileSync(join(temp, '.env'), text);
    const ran = await runStep({ run: 'bash "$RUNNER_TEMP/.ci/nightly.sh"' }, temp, {
      NIGHT: join(temp, 'night'),
    });
    expect(ran.code).toBe(code);
  });

  test('and a folder that cannot be written is one line', async () => {
    const temp = clone('unwritable', '');
    writeFileSync(join(temp, 'file'), '');
    const env = { ...given, NIGHT: join(temp, 'file', 'night') };
    const ran = await runStep({ run: 'bash "$RUNNER_TEMP/.ci/nightly.sh"' }, temp, env);
    const line = /^nightly: NIGHT: no files can be written into \S.*night; name another folder\n$/;
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([2, '', expect.stringMatching(line)]);
    expect(existsSync(join(temp, 'calls'))).toBe(false);
  });

  test('and one that is interrupted is not worse', async () => {
    const temp = clone('interrupted', 'kill -INT $PPID; kill -INT $$');
    const env = { ...given, NIGHT: join(temp, 'night') };
    const run = 'bash "$RUNNER_TEMP/.ci/nightly.sh"; echo "ended with $?"';
    const { stdout } = await runStep({ run: `set +e; ${run}` }, temp, env);
    expect(stdout).toMatch(/ended with 130\n$/);
    expect(readFileSync(join(temp, 'night', 'worse'), 'utf8')).toBe('false\n');
  });

  test('the hosts are an input, by hand and from another workflow, or a variable', () => {
    const { on } = parse(readFileSync(join(root, '.github/workflows/nightly.yml'), 'utf8'));
    for (const { inputs } of [on.workflow_dispatch, on.workflow_call])
      expect(inputs.hosts.type).toBe('string');
    const called = nightly.jobs.judge?.steps.find(({ uses }) => uses === './.assay');
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of the workflow's.
    expect(called?.with?.hosts).toBe('${{ inputs.hosts || vars.HOSTS }}');
  });
});

describe('the night before', () => {
  test('is that of the last artifact of this branch', async () => {
    const temp = runner('artifact');
    stub(temp, 'gh', 'if [ "$1" = api ]; then echo 7; fi');
    expect((await runStep(step('Fetch the night before'), temp)).code).toBe(0);
    expect(readFileSync(join(temp, 'calls'), 'utf8')).toMatch(
      /workflow_run\.head_branch == "main"[\s\S]*gh run download 7 --repo owner\/name --name assay-nightly --dir .*night\/before\n$/,
    );
  });

  test('need not be there', async () => {
    const temp = runner('no artifact');
    stub(temp, 'gh', '');
    expect(await runStep(step('Fetch the night before'), temp)).toMatchObject({
      code: 0,
      stdout: 'This is the first night: there is nothing to compare with.\n',
    });
  });
});

describe('the issue', () => {
  const opened = async (name: string, known: string) => {
    const temp = runner(name);
    mkdirSync(join(temp, 'night', 'out'), { recursive: true });
    writeFileSync(join(temp, 'night', 'out', 'issue.md'), 'text');
    stub(temp, 'gh', `if [ "$2" = list ]; then echo "${known}"; fi`);
    expect((await runStep(step('Open an issue, or add to the open one'), temp)).code).toBe(0);
    return readFileSync(join(temp, 'calls'), 'utf8').split('\n').at(-2);
  };

  test('is opened', async () => {
    expect(await opened('new issue', '')).toMatch(
      /^gh issue create --repo owner\/name --title Nightly run: the target got worse --body-file .*issue\.md$/,
    );
  });

  test('is added to where one is open', async () => {
    expect(await opened('known issue', '12')).toMatch(/^gh issue comment 12 .*--body-file .*issue\.md$/);
  });
});

test('the workflow gives the action inputs that it has', () => {
  const called = nightly.jobs.judge?.steps.find(({ uses }) => uses === './.assay');
  expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(called?.with ?? {})));
});

describe('the GitLab job', () => {
  const { nightly } = parse(readFileSync(join(root, '.gitlab-ci.example.yml'), 'utf8'));
  const job = { run: nightly.script.join('\n') };
  const temp = join(scratch, 'gitlab');
  const env = {
    NIGHT: join(temp, 'night'),
    RUN_URL: 'https://git.example/jobs/42',
    BASE_URL: 'http://127.0.0.1:1',
  };
  /** A run that ends so, and is always worse than the one before. */
  const npm = `case "$1" in
    start) echo "{\\"summary\\":{\\"warn\\":\${WARN:-0}}}" >"$4/result.json"; exit "$CODE" ;;
    run) if [ "$3" = diff ]; then echo 'Worse: 1 regression'; exit 1; fi ;;
  esac`;

  test('leaves its night to the next, which reports what got worse and keeps the exit code', async () => {
    stub(temp, 'npm', npm);
    const first = await runStep(job, temp, { ...env, CODE: '0' });
    expect([first.code, first.stdout]).toEqual([
      0,
      'nightly: there is no accepted night to compare with; this one is judged by itself\n',
    ]);
    const second = await runStep(job, temp, { ...env, CODE: '1' });
    expect(second.stdout).toContain('Report, exchanges and trend: https://git.example/jobs/42');
    expect(second.code).toBe(1);
    const isKept = (file: string) => existsSync(join(temp, 'night', 'before', file));
    expect([isKept('out/result.json'), isKept('accepted/result.json')]).toEqual([true, true]);
  });

  test('does not accept the warnings of a first night in silence', async () => {
    stub(temp, 'npm', npm);
    const { code, stdout } = await runStep(job, temp, {
      ...env,
      NIGHT: join(temp, 'warned'),
      CODE: '0',
      WARN: '5',
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/this first night is accepted with its warnings \(5\), .+out\/report\.html\n$/);
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['no URL', { BASE_URL: '' }, 'none of BASE_URL, CDN_URL and GAMELOGS_URL is set'],
    ['fewer URLs than HOSTS names', { HOSTS: 'base,gamelogs' }, 'GAMELOGS_URL: not set, though HOSTS names'],
  ])('fails with %s', async (_, lacking, line) => {
    stub(temp, 'npm', npm);
    const { code, stderr } = await runStep(job, temp, { ...env, CODE: '0', ...lacking });
    expect(stderr).toContain(`nightly: ${line}`);
    expect(code).toBe(2);
  });
});
