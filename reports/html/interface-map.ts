// The interface at a glance: areas with their operations, one cell each, which leads to the operation's checks.
import { areas } from '../../fixtures/catalog/catalog.ts';
import type { Result } from '../../fixtures/check/result.ts';
import { operationsOf } from '../fold.ts';
import { counted } from '../headline.ts';
import { fragment } from './link.ts';
import { type Markup, markup } from './markup.ts';
import { type Look, legend, signOf, words, worst } from './outcomes.ts';

export function interfaceMap(checks: readonly Result[]): Markup {
  const byOperation = new Map<string, Result[]>();
  for (const check of checks)
    for (const id of operationsOf(check)) {
      const known = byOperation.get(id);
      if (known) known.push(check);
      else byOperation.set(id, [check]);
    }
  const seen = new Set<Look | 'unasked'>();
  const blocks = Object.entries(areas).map(([area, operations]) => {
    const cells = Object.values(operations).map(({ id }) => {
      const found = byOperation.get(id);
      const look = found ? worst(found) : 'unasked';
      seen.add(look);
      return look === 'unasked' ? unasked(id) : cell(id, look, found?.length ?? 0);
    });
    const isAsked = Object.values(operations).some(({ id }) => byOperation.has(id));
    const name = isAsked ? markup`<a href="${fragment({ area })}">${area}</a>` : markup`<span>${area}</span>`;
    return markup`<li class="area">${name}<ul>${cells}</ul></li>`;
  });
  return markup`<section aria-labelledby="map-title" class="panel map">
<div class="titled"><h2 id="map-title">Interface</h2>${legend(seen)}</div>
<ul class="areas" data-roving>${blocks}</ul>
</section>`;
}

function cell(id: string, look: Look, checks: number): Markup {
  const told = `${id}: ${words[look]}, ${counted(checks, 'check')}`;
  return markup`<li><a class="cell ${look}" href="${fragment({ operation: id })}" title="${told}"><span aria-hidden="true">${signOf(look)}</span><span class="unseen">${told}</span></a></li>`;
}

/** It leads nowhere: there are no checks of it. */
function unasked(id: string): Markup {
  const told = `${id}: not asked`;
  return markup`<li><span class="cell unasked" title="${told}"><span class="unseen">${told}</span></span></li>`;
}
