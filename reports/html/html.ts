// report.html: one file that a person opens, from disk or as an artifact of CI.
import type { RunResult } from '../../fixtures/check/result.ts';
import { behaviourLedger } from './behaviour-ledger.ts';
import { capacitySection } from './capacity-section.ts';
import { causeBlocks, causeLines } from './cause-list.ts';
import { checkSection } from './check-section.ts';
import { documentOf } from './document.ts';
import { findings } from './findings.ts';
import { flowLines } from './flow-lines.ts';
import { head } from './head.ts';
import { interfaceMap } from './interface-map.ts';
import { latencySection } from './latency-section.ts';
import { loadSection } from './load-section.ts';
import { cut, markup } from './markup.ts';
import { navigation } from './navigation.ts';
import { notJudged } from './not-judged.ts';
import { packed } from './packed.ts';
import { runFacts } from './run-facts.ts';
import { baselineSection, waiverSection } from './standing.ts';

/** What else is shown where it is known: parsed JSON, checked here as far as it is shown. */
export interface HtmlExtras {
  /** `load.json` (`assay.load/1`). */
  readonly load?: unknown;
  /** `capacity.json` (`assay.capacity/1`). */
  readonly capacity?: unknown;
}

/** The whole of report.html, at most 2 MB whatever the target said. */
export function renderHtml(result: RunResult, extras: HtmlExtras = {}): string {
  const found = findings(result.checks);
  const { blocks, leftOut } = packed(result, found);
  const sections = [
    checkSection(result.checks, leftOut),
    causeBlocks(found),
    baselineSection(result),
    notJudged(result),
    behaviourLedger(result),
    latencySection(result.latency),
    loadSection(extras.load),
    capacitySection(extras.capacity),
    waiverSection(result),
    runFacts(result),
  ];
  return documentOf({
    title: `Assay: ${cut(result.headline.verdict, 120)}`,
    blocks,
    body: markup`${head(result)}
${navigation(sections)}
<main>
<div class="overview">
${interfaceMap(result.checks)}
<div class="beside">${causeLines(found, result)}
${flowLines(result.checks)}</div>
</div>
${sections}
</main>`,
  });
}
