// Runs a command of the user's (LOGIN_TOKEN_COMMAND, LOGS_SINK_COMMAND), and explains without secrets why it failed.
import { execFile } from 'node:child_process';
import { createRedactor, isCredentialHeader } from '../http/redact.ts';
import { inSeconds, quoted } from '../values/text.ts';

const deadlineMs = 10_000;

interface Given extends Pick<FailedCommand, 'env' | 'secrets'> {
  readonly mostBytes: number;
}

interface Ended extends ReturnType<typeof explainCommand> {
  readonly stdout: string;
  /** Why it did not end well. */
  readonly failure?: string;
}

/**
 * Runs the command, split at white space and without a shell. Its error output is returned without secrets; the command
 * itself is shown only where its quotes show a mistake, since it may hold secrets too.
 */
export function runUserCommand(command: string, { env, secrets, mostBytes }: Given): Promise<Ended> {
  const words = command.split(/\s+/);
  const [file = '', ...args] = words;
  const options = { env, timeout: deadlineMs, maxBuffer: mostBytes, killSignal: 'SIGKILL' as const };
  return new Promise((settle) => {
    const child = execFile(file, args, options, (error, stdout, stderr) => {
      const failure = error === null ? {} : { failure: failureIn(error, mostBytes) };
      settle({ stdout, ...failure, ...explainCommand({ words, stdout, stderr, env, secrets }) });
    });
    // A command that waits for input gets none.
    child.stdin?.end();
  });
}

function failureIn(error: Error & { code?: unknown; killed?: boolean }, mostBytes: number): string {
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
    return `printed more than ${mostBytes < 2 ** 20 ? `${mostBytes} bytes` : `${mostBytes / 2 ** 20} MiB`}`;
  if (error.killed) return `did not end within ${inSeconds(deadlineMs)}`;
  if (typeof error.code === 'string') return `could not be started (${error.code})`;
  return typeof error.code === 'number' ? `ended with exit code ${error.code}` : 'was killed by a signal';
}

export interface FailedCommand {
  /** The words as passed to the system; the first is the program. */
  readonly words: readonly string[];
  readonly stdout: string;
  readonly stderr: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Values that are known to be secret. */
  readonly secrets: readonly string[];
}

const mostWords = 8;
const mark = '[redacted]';

/**
 * Explains why a command failed, in two parts of one printable line; each part is empty or begins with what
 * joins it to the text before it. Hides known secrets, values under a credential-like name in the environment or the
 * command, and whatever may be a token.
 */
export function explainCommand({ words, stdout, stderr, env, secrets }: FailedCommand) {
  const { learn, body } = createRedactor();
  // The word after the program's name is not announced as a secret.
  const inWords = words.map((word, at) =>
    at === 0 ? undefined : secretOf(word, at === 1 ? '' : words[at - 1]),
  );
  const own = inWords.flatMap((secret = '') => [secret, secret.replace(/["']+$/, '')]);
  const [printed = ''] = stdout.trim().split('\n');
  for (const secret of [...secrets, ...namedIn(env), ...printed.split(/\s+/), ...own]) learn(secret);
  const first = stderr
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '');
  const isQuoted = words.some((word) => /["']/.test(word));
  const split = words
    .slice(0, mostWords)
    .map((word, at) => quoted(body(word.replace(inWords[at] ?? mark, mark))));
  const left = words.length > mostWords ? ` and ${words.length - mostWords} more` : '';
  return {
    complaint: first === undefined ? '' : ` and says ${quoted(body(first))}`,
    split: isQuoted
      ? `; no shell runs it, so quotes are not understood: its words are ${split.join(' ')}${left}`
      : '',
  };
}

const isCredential = (name: string) =>
  isCredentialHeader(name.toLowerCase().replaceAll('_', '-')) ||
  /^(bearer|basic|(proxy-)?authorization)$/i.test(name);

/** A setting of Assay that is no secret, although its name looks like a credential's. */
const ours = 'LOGIN_TOKEN_COMMAND';
const namedIn = (env: FailedCommand['env']) =>
  Object.entries(env).flatMap(([name, value = '']) => (name !== ours && isCredential(name) ? [value] : []));

/** The part of a word that may be secret: after `--password` or `x-api-key:`, and in `token=x` or `user:password`. */
function secretOf(word: string, before = ''): string | undefined {
  const [, announced] = /^["']*-*([\w-]+):?$/.exec(before) ?? [];
  const [, name, value] = /^["']*-*([\w-]+)=(.+)$/.exec(word) ?? [];
  if (announced !== undefined && isCredential(announced)) return word;
  if (name !== undefined && isCredential(name)) return value;
  return /^[^:/]+:(?!\/\/)(.+)$/.exec(word)?.[1];
}
