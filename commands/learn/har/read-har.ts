// Reads HAR 1.2 files as browsers and proxies write them: each entry becomes an observed call.

import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Host } from '../../../catalog/operation.ts';
import { whyUnreadable } from '../../../engine/files.ts';
import { ConfigurationError } from '../../../engine/values/configuration-error.ts';
import { parsedJson } from '../../../engine/values/json-walk.ts';
import { objectOf } from '../../../engine/values/members.ts';
import { mediaTypeIn, quoted } from '../../../engine/values/text.ts';
import { createLearner, type Learnt } from '../learner.ts';
import type { Body, ObservedCall, Side } from '../observed-call.ts';
import { createEntrySplitter } from './json-entries.ts';

const mostHeaders = 200;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads an entry; undefined where it is malformed or of no http call (a websocket, a data URL).
 * @param source the base name of its file
 */
export function observedCallIn(entry: unknown, source: string): ObservedCall | undefined {
  const { request, response } = objectOf(entry);
  const { method, url, headers, postData } = objectOf(request);
  const { status, headers: answered, content } = objectOf(response);
  if (typeof method !== 'string' || typeof url !== 'string') return undefined;
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return undefined;
  return {
    source,
    method: method.toUpperCase(),
    url: parsed,
    request: side(headers, () => sent(objectOf(postData)), objectOf(postData).mimeType),
    status: typeof status === 'number' && status > 0 ? status : 0,
    answer: side(answered, () => received(objectOf(content)), objectOf(content).mimeType),
  };
}

/** The body is read on demand: for most calls that match no operation it is never needed. */
function side(headers: unknown, read: () => Body, mimeType: unknown): Side {
  const list = (Array.isArray(headers) ? headers : []).slice(0, mostHeaders).flatMap((header) => {
    const { name, value } = objectOf(header);
    if (typeof name !== 'string' || typeof value !== 'string' || name.startsWith(':')) return [];
    return [[name.toLowerCase(), value] as const];
  });
  const named = list.find(([name]) => name === 'content-type')?.[1] ?? mimeType;
  const type = typeof named === 'string' ? mediaTypeIn(named) : '';
  let body: Body | undefined;
  return {
    headers: list,
    type: type === 'x-unknown' ? '' : type,
    get body() {
      body ??= read();
      return body;
    },
  };
}

/** Some tools record a form as `params` without `text`; it counts as bytes, since it is no JSON. */
function sent({ text, params, encoding }: Fields): Body {
  if (typeof text === 'string' && text !== '') return bodyOf(text, encoding, undefined);
  return { kind: Array.isArray(params) && params.length > 0 ? 'bytes' : 'none' };
}

/** A size without a text means that the capture left the body out. */
function received({ text, encoding, size }: Fields): Body {
  if (typeof text === 'string' && text !== '') return bodyOf(text, encoding, size);
  return { kind: typeof size === 'number' && size > 0 ? 'cut' : 'none' };
}

function bodyOf(text: string, encoding: unknown, size: unknown): Body {
  const bytes = encoding === 'base64' ? Buffer.from(text, 'base64') : undefined;
  const plain = bytes ? bytes.toString('utf8') : text;
  try {
    return { kind: 'json', value: JSON.parse(plain.replace(/^\uFEFF/, '')) };
  } catch {
    const length = bytes?.length ?? Buffer.byteLength(text);
    return { kind: typeof size === 'number' && size > length ? 'cut' : 'bytes' };
  }
}

const chunkBytes = 256 * 1024;

/**
 * Reads a HAR as a stream: whatever its size, memory holds one entry.
 * @param onEntry takes the JSON value of each entry of `log.entries`, in order
 * @returns how many entries it took, and how many beyond 32 MiB it left out
 * @throws ConfigurationError with one line where the file cannot be read, is not JSON, no HAR, or cut off
 */
export async function readHar(path: string, onEntry: (entry: unknown) => void) {
  const wrong = (what: string) => new ConfigurationError([`--har: ${quoted(path)} ${what}`]);
  // Non-blocking: a pipe without a writer would not even open.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    throw wrong(`${whyUnreadable(error)}; expected a HAR file`);
  });
  try {
    const stat = await file.stat();
    // The file is read twice, which a pipe does not allow.
    if (!stat.isFile())
      throw wrong(`is ${stat.isDirectory() ? 'a directory' : 'not a regular file'}; expected a HAR file`);
    return await readEntries(file, onEntry, wrong);
  } finally {
    await file.close();
  }
}

async function readEntries(
  file: FileHandle,
  onEntry: (entry: unknown) => void,
  wrong: (what: string) => ConfigurationError,
) {
  let entries = 0;
  const decoder = new TextDecoder();
  const splitter = createEntrySplitter((bytes) => {
    entries += 1;
    const entry = parsedJson(decoder.decode(bytes));
    if (entry === undefined) throw wrong(`is not JSON in entry ${entries}; export it anew`);
    onEntry(entry);
  });
  const chunk = Buffer.allocUnsafe(chunkBytes);
  for (let total = 0; ; ) {
    const { bytesRead } = await file.read(chunk, 0, chunkBytes, null);
    if (bytesRead === 0 && total === 0) throw wrong('is empty; expected a HAR file');
    if (bytesRead === 0) break;
    total += bytesRead;
    const mistake = splitter.write(chunk.subarray(0, bytesRead));
    if (mistake !== undefined) throw wrong(`is ${mistake}; expected a HAR file, as browsers export it`);
  }
  const { whole, entries: found, skipped } = splitter.seen();
  if (!whole) throw wrong(`ends in the middle, after ${entries} whole entries; export it anew`);
  if (!found) throw wrong('is no HAR: it has no list at log.entries');
  return { entries, skipped };
}

export interface CaptureCounts {
  readonly entries: number;
  /** Entries beyond 32 MiB, which are left out. */
  readonly skipped: number;
  /** Entries that are malformed or of no http call. */
  readonly unread: number;
}

/**
 * Learns from HAR files, each read twice as a stream.
 * @param given the hosts that the user named
 * @throws ConfigurationError with one line where a file is no HAR
 */
export async function learnFromCaptures(
  files: readonly string[],
  given: Readonly<Partial<Record<Host, string>>> = {},
): Promise<{ readonly learnt: Learnt; readonly counts: CaptureCounts }> {
  const learner = createLearner(given);
  const read = async (take: (observedCall: ObservedCall) => void) => {
    const counts = { entries: 0, skipped: 0, unread: 0 };
    for (const file of files) {
      // Messages and the profile name the file without its folder.
      const source = basename(file);
      const { entries, skipped } = await readHar(file, (entry) => {
        const observedCall = observedCallIn(entry, source);
        if (observedCall) take(observedCall);
        else counts.unread += 1;
      });
      counts.entries += entries;
      counts.skipped += skipped;
    }
    return counts;
  };
  const counts = await read(learner.survey);
  await read(learner.learn);
  return { learnt: learner.end(), counts };
}
