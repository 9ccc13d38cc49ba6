import { expect, test } from 'vitest';
import { markup, visible } from './markup.ts';

test('what is put into a template is text, in elements and in quoted attributes', () => {
  const text = `<b a="1" b='2'>&amp;`;
  expect(markup`<p title="${text}">${text}</p>`.html).toBe(
    '<p title="&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;amp;">&lt;b a=&quot;1&quot; b=&#39;2&#39;&gt;&amp;amp;</p>',
  );
});

test('what a template made is put in as it stands; lists are joined, nothing is nothing', () => {
  expect(
    markup`<ul>${['a', 'b'].map((each) => markup`<li>${each}</li>`)}${false}${undefined}${7}</ul>`.html,
  ).toBe('<ul><li>a</li><li>b</li>7</ul>');
});

test('characters that steer are shown by their number; line ends and tabs stay', () => {
  expect(visible('a\u202Eb\u0000c\u001B[31m\uD800\u200Bd\n\te\u{E0041}🦊é')).toBe(
    'a\\u{202e}b\\u{0}c\\u{1b}[31m\\u{d800}\\u{200b}d\n\te\\u{e0041}🦊é',
  );
});
