// Reads the head of an HTTP/1.1 answer from raw bytes, and lists the defects that a lenient parser would hide.
import type { Headers } from './exchange.ts';

/** Kinds of mistakes that a forgiving HTTP parser hides. */
type FindingKind =
  | 'malformed-head'
  | 'bare-lf'
  | 'invalid-content-length'
  | 'duplicate-content-length'
  | 'length-and-transfer-encoding'
  | 'malformed-chunking'
  | 'content-after-head'
  | 'content-after-no-content'
  | 'bytes-after-end'
  | 'short-body';

export interface RawFinding {
  readonly kind: FindingKind;
  /** One phrase with the offending bytes or counts. */
  readonly detail: string;
}

/** Bytes for a phrase: escaped, and at most 40 of them. */
export function shown(bytes: Uint8Array): string {
  const most = 40;
  const text = JSON.stringify(Buffer.from(bytes.subarray(0, most)).toString('latin1'));
  return bytes.length > most ? `${text}…` : text;
}

export interface RawHead {
  /** From the first byte of the status line to the empty line, both included. */
  readonly bytes: Buffer;
  readonly status: number;
  /** In order, names in lower case. */
  readonly headers: Headers;
  readonly findings: readonly RawFinding[];
}

const statusLine = /^HTTP\/\d\.\d (\d{3})(?: [^\r\n]*)?$/;
const fieldName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+(?=:)/;

/** Reads the head at `start`; undefined while its end has not arrived. */
export function readHead(bytes: Buffer, start: number): RawHead | undefined {
  const end = endOfHead(bytes, start);
  if (end === undefined) return undefined;
  const whole = bytes.subarray(start, end);
  const text = whole.toString('latin1');
  const findings: RawFinding[] = [];
  const lone = text.search(/(?<!\r)\n/);
  if (lone >= 0)
    findings.push({ kind: 'bare-lf', detail: `a line ends in LF alone at byte ${lone} of the head` });
  const [first = '', ...lines] = text.trimEnd().split(/\r?\n/);
  const parsed = statusLine.exec(first);
  if (!parsed)
    findings.push({ kind: 'malformed-head', detail: `status line ${shown(Buffer.from(first, 'latin1'))}` });
  const headers: [string, string][] = [];
  for (const line of lines) {
    const [name] = fieldName.exec(line) ?? [];
    if (name !== undefined && !line.includes('\r'))
      headers.push([name.toLowerCase(), withoutBlanks(line.slice(name.length + 1))]);
    else
      findings.push({ kind: 'malformed-head', detail: `header line ${shown(Buffer.from(line, 'latin1'))}` });
  }
  return { bytes: whole, status: Number(parsed?.[1] ?? 0), headers, findings };
}

/** A field's value without the blanks around it. A loop, since a regular expression is slow on very many blanks. */
function withoutBlanks(value: string): string {
  const isBlank = (at: number) => value[at] === ' ' || value[at] === '\t';
  let [start, end] = [0, value.length];
  while (start < end && isBlank(start)) start += 1;
  while (end > start && isBlank(end - 1)) end -= 1;
  return value.slice(start, end);
}

/** Finds the empty line, written with or without CR. */
function endOfHead(bytes: Buffer, start: number): number | undefined {
  for (let at = bytes.indexOf(10, start); at >= 0; at = bytes.indexOf(10, at + 1)) {
    if (bytes[at + 1] === 10) return at + 2;
    if (bytes[at + 1] === 13 && bytes[at + 2] === 10) return at + 3;
  }
  return undefined;
}
