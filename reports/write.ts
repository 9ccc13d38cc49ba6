// Writes every report of a run into its output folder.
import { join } from 'node:path';
import { writeTogether } from '../engine/files.ts';
import type { RunResult } from '../engine/run/result.ts';
import { ctrf } from './ci/ctrf.ts';
import { gitlabCodeQuality } from './ci/gitlab-code-quality.ts';
import { junit } from './ci/junit.ts';
import { sarif } from './ci/sarif.ts';
import { type Format, formats, htmlFile, junitFile, markdownFile, resultFile, sarifFile } from './files.ts';
import { har } from './har.ts';
import { extrasBeside, renderHtml } from './html/html.ts';
import { renderMarkdown } from './markdown/markdown.ts';
import { portableJson, writeLines, writeResult } from './result-json.ts';
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
 * @param outDir a folder that is there
 * @param beside where load and capacity runs are looked for
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
  writeTogether(outDir, Object.fromEntries(texts), '--out');
  return texts.map(([name]) => join(outDir, name));
}
