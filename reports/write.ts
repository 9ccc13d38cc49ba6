// Writes every report of a run into its output folder: result.json, run.json, results.jsonl, and the rendered reports.
import { join } from 'node:path';
import { writeTogether, writeWhole } from '../engine/files.ts';
import type { Result, RunResult } from '../engine/run/result.ts';
import { ctrf } from './ci/ctrf.ts';
import { gitlabCodeQuality } from './ci/gitlab-code-quality.ts';
import { junit } from './ci/junit.ts';
import { sarif } from './ci/sarif.ts';
import {
  type Format,
  formats,
  headFile,
  htmlFile,
  junitFile,
  linesFile,
  markdownFile,
  resultFile,
  sarifFile,
} from './files.ts';
import { har } from './har.ts';
import { extrasBeside, renderHtml } from './html/html.ts';
import { renderMarkdown } from './markdown/markdown.ts';
import { catalogPlaces, type PlaceOf } from './summary/causes.ts';

type Render = (run: RunResult, placeOf: PlaceOf) => string;

const optional: Readonly<Record<Format, Render>> = {
  ctrf: (run, placeOf) => portableJson(ctrf(run, placeOf)),
  har: (run) => portableJson(har(run)),
  gitlab: (run, placeOf) => portableJson(gitlabCodeQuality(run, placeOf)),
};

/**
 * Writes the result and everything that is made from it, and returns the paths.
 * @throws ConfigurationError where one cannot be written
 */
export function writeReports(run: RunResult, outDir: string, asked: readonly Format[] = []): string[] {
  const path = join(outDir, resultFile);
  // Written first, since every other file can be made from it again.
  writeResult(run, path);
  writeLines(run, outDir);
  return [path, ...writeRendered(run, outDir, asked)];
}

/**
 * Writes what is made from a result, and returns the paths.
 * @param outDir a folder that exists
 * @param beside the folder in which load and capacity runs are looked for
 * @throws ConfigurationError where one cannot be written; then none of them is
 */
export function writeRendered(
  run: RunResult,
  outDir: string,
  asked: readonly Format[],
  beside = outDir,
): string[] {
  const placeOf = catalogPlaces();
  const files: Readonly<Record<string, Render>> = {
    [htmlFile]: (run) => renderHtml(run, extrasBeside(beside)),
    [junitFile]: junit,
    [markdownFile]: renderMarkdown,
    [sarifFile]: (run) => portableJson(sarif(run, placeOf)),
    ...Object.fromEntries(asked.map((format) => [formats[format].name, optional[format]])),
  };
  const texts = Object.entries(files).map(([name, render]) => [name, render(run, placeOf)] as const);
  writeTogether(outDir, Object.fromEntries(texts));
  return texts.map(([name]) => join(outDir, name));
}

/** Writes a run's result as JSON, whole or not at all. */
export function writeResult(result: RunResult, path: string): void {
  writeWhole(path, resultPieces(result), '--out');
}

/**
 * Writes the files for readers of many runs: run.json, which is the run without its checks, and results.jsonl with one
 * line per check in its final form, in place of the lines that were written during the run.
 */
export function writeLines({ checks, ...head }: RunResult, outDir: string): void {
  const textOf = (some: readonly Result[]) => some.map((check) => `${JSON.stringify(check)}\n`).join('');
  writeWhole(join(outDir, linesFile), pieces(checks, textOf), '--out');
  writeWhole(join(outDir, headFile), `${JSON.stringify(head)}\n`, '--out');
}

export const resultText = (result: RunResult): string => [...resultPieces(result)].join('');

/** Checks that are written at a time: a whole result as one text would take more memory than anything else in a run. */
const inPiece = 128;

function* pieces(
  checks: RunResult['checks'],
  textOf: (some: readonly Result[], at: number) => string,
): Generator<string> {
  for (let at = 0; at < checks.length; at += inPiece) yield textOf(checks.slice(at, at + inPiece), at);
}

/** The text that `JSON.stringify` makes with an indentation of one, in pieces. */
function* resultPieces(result: RunResult): Generator<string> {
  const mark = '\n "checks": [';
  const [before = '', after = ''] = JSON.stringify({ ...result, checks: [] }, null, 1).split(mark);
  yield before + mark;
  yield* pieces(result.checks, (checks, at) => {
    const text = JSON.stringify({ checks }, null, 1).slice(`{${mark}`.length, -'\n ]\n}'.length);
    return `${at === 0 ? '' : ','}${text}`;
  });
  yield `${result.checks.length === 0 ? '' : '\n '}${after}\n`;
}

// JSON for other tools: a lone surrogate is legal in JSON's escapes, and breaks most readers.

/** Escapes in JSON text: only a lone surrogate is ever written as `\ud…`. */
const escapes = /\\(?:u[dD][89a-fA-F][0-9a-fA-F]{2}|.)/g;

/** The value as JSON text on lines of its own, each lone surrogate replaced by U+FFFD. */
export function portableJson(value: unknown): string {
  const text = JSON.stringify(value, null, 1);
  // Hardly any run holds one, so the search is all that most runs pay.
  if (!/\\u[dD]/.test(text)) return `${text}\n`;
  return `${text.replace(escapes, (found) => (found.length > 2 ? '\uFFFD' : found))}\n`;
}
