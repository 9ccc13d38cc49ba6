// The list of checks: the frame that the page's script fills, and its filters.
import { areas } from '../../fixtures/catalog/catalog.ts';
import type { Result } from '../../fixtures/check/result.ts';
import { counted } from '../headline.ts';
import { type Markup, markup } from './markup.ts';
import { lookOf, looks, words } from './outcomes.ts';

const levels = ['documented', 'profile', 'standard', 'inferred', 'open'];

/** @param leftOut checks that the page has no room for */
export function checkSection(checks: readonly Result[], leftOut: number): Markup {
  const seen = new Set(checks.map(lookOf));
  const outcomes = looks.filter((look) => seen.has(look)).map((look) => [look, words[look]] as const);
  const named = (names: readonly string[]) => names.map((name) => [name, name] as const);
  return markup`<section id="checks" class="section"><h2>Checks</h2>
<noscript><p>The list of checks needs JavaScript. Everything else on this page does without.</p></noscript>
<form id="filters" hidden role="search">
${choice('area', named(Object.keys(areas)))}
${choice('level', named(levels))}
${choice('outcome', outcomes)}
<label>text <input type="search" name="text" autocomplete="off" spellcheck="false" maxlength="200"></label>
<button type="button" id="clear">clear</button>
</form>
<p id="shown" role="status" tabindex="-1"></p>
<ul id="list"></ul>
<p id="more" hidden><button type="button">show more</button></p>
${leftOut > 0 && markup`<p class="weak">${counted(leftOut, 'check')} found no room in this page; result.json has them all.</p>`}
</section>`;
}

function choice(name: string, options: readonly (readonly [value: string, word: string])[]): Markup {
  return markup`<label>${name} <select name="${name}"><option value="">any</option>${options.map(
    ([value, word]) => markup`<option value="${value}">${word}</option>`,
  )}</select></label>`;
}
