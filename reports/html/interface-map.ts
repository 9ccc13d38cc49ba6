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
  const seen = new Set<Look>();
  const blocks = Object.entries(areas).map(([area, operations]) => {
    const cells = Object.values(operations).map(({ id }) => {
      const found = byOperation.get(id) ?? [];
      const look = worst(found);
      seen.add(look);
      return cell(id, look, found.length);
    });
    return markup`<li class="area"><a href="${fragment({ area })}">${area}</a><ul>${cells}</ul></li>`;
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
