// Every report of a run, into its output folder.
import { join } from 'node:path';
import type { RunResult } from '../fixtures/check/result.ts';
import { writeTogether } from '../fixtures/files/whole-file.ts';
import { gitlabCodeQuality } from './annotations/gitlab.ts';
import { catalogPlaces, type PlaceOf } from './catalog-places.ts';
import { ctrf } from './ctrf/ctrf.ts';
import { type Format, formats, htmlFile, junitFile, markdownFile, resultFile, sarifFile } from './files.ts';
import { har } from './har/har.ts';
import { extrasBeside } from './html/extras.ts';
import { renderHtml } from './html/html.ts';
import { writeResult } from './json.ts';
import { junit } from './junit.ts';
import { renderMarkdown } from './markdown/markdown.ts';
import { portableJson } from './portable-json.ts';
import { sarif } from './sarif/sarif.ts';

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
  // What everything else can be made from again stands first.
  writeResult(run, path);
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
