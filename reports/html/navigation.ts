// Links to the sections that the page has.
import { type Markup, markup } from './markup.ts';

/** Reads ids and titles off the sections themselves, so that no link leads nowhere. */
export function navigation(sections: readonly Markup[]): Markup {
  const links = sections.flatMap(({ html }) => {
    const [, id, title] = /^<section id="([a-z-]+)" class="section"><h2>([^<]+)<\/h2>/.exec(html) ?? [];
    return id === undefined || title === undefined ? [] : [markup`<li><a href="#${id}">${title}</a></li>`];
  });
  return markup`<nav aria-label="Sections"><ul>${links}</ul></nav>`;
}
