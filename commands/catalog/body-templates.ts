// Texts with `{{variables}}`, and bodies made of them.
import type { Template } from './target-speech.ts';

const placeholder = /\{\{([A-Za-z][\w.]*)(:number)?\}\}/g;
const alone = /^\{\{([A-Za-z][\w.]*)(:number)?\}\}$/;

export type Rename = (placeholder: string) => string;

/** The names of the variables in a text, in order. */
export const variablesIn = (text: string): string[] =>
  Array.from(text.matchAll(placeholder), ([, name = '']) => name);

/** The text with other names; what is no placeholder stays. */
const renamed = (text: string, rename: Rename): string =>
  text.replace(placeholder, (_, name: string, asNumber = '') => `{{${rename(name)}${asNumber}}}`);

/** A body with other names in its strings and in the names of its members. */
export function renamedBody(template: Template, rename: Rename): Template {
  if (typeof template === 'string') return renamed(template, rename);
  if (template === null || typeof template !== 'object') return template;
  if (isList(template)) return template.map((each) => renamedBody(each, rename));
  return Object.fromEntries(
    Object.entries(template).map(([key, each]) => [renamed(key, rename), renamedBody(each, rename)]),
  );
}

export const isList = (template: Template): template is readonly Template[] => Array.isArray(template);

/** As JSON for a tool that puts variables in as text: `"{{n:number}}"` loses its quotes. */
export const jsonText = (template: Template): string =>
  asPlainText(JSON.stringify(template, null, 2).replace(/"\{\{([A-Za-z][\w.]*):number\}\}"/g, '{{$1}}'));

/** Within a longer text a number is written as any other value. */
export const asPlainText = (text: string): string =>
  text.replace(/\{\{([A-Za-z][\w.]*):number\}\}/g, '{{$1}}');

/** A text as an expression of JavaScript. */
export function textExpression(text: string, expressionOf: (variable: string) => string): string {
  const [, name] = alone.exec(text) ?? [];
  if (name !== undefined) return expressionOf(name);
  if (variablesIn(text).length === 0) return quoted(text);
  const pieces = text.split(/(\{\{[A-Za-z][\w.]*(?::number)?\}\})/g).map((piece) => {
    const [, variable] = alone.exec(piece) ?? [];
    return variable === undefined ? escaped(piece).replace(/[`$]/g, '\\$&') : `\${${expressionOf(variable)}}`;
  });
  return `\`${pieces.join('')}\``;
}

/** A body as an expression of JavaScript; every `:number` is one. */
export function bodyExpression(template: Template, expressionOf: (variable: string) => string): string {
  if (typeof template === 'string') {
    const asNumber = alone.exec(template)?.[2] !== undefined;
    const expression = textExpression(template, expressionOf);
    return asNumber ? `Number(${expression})` : expression;
  }
  if (template === null || typeof template !== 'object') return JSON.stringify(template);
  if (isList(template)) return `[${template.map((each) => bodyExpression(each, expressionOf)).join(', ')}]`;
  const members = Object.entries(template).map(([key, each]) => {
    return `${memberName(key, expressionOf)}: ${bodyExpression(each, expressionOf)}`;
  });
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

export function memberName(key: string, expressionOf: (variable: string) => string): string {
  if (variablesIn(key).length > 0) return `[${textExpression(key, expressionOf)}]`;
  // As a literal, this one name would set the prototype instead.
  if (key === '__proto__') return "['__proto__']";
  return isName(key) ? key : quoted(key);
}

const isName = (text: string) => /^[A-Za-z_$][\w$]*$/.test(text);

/** A string literal in single quotes; what could end it, a line or a script is escaped. */
export const quoted = (text: string): string => `'${escaped(text).replaceAll("'", "\\'")}'`;

/** Braces that are together would begin a variable elsewhere. */
const escaped = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replace(
      /[\u2028\u2029]|\{(?=\{)|\}(?=\})/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );

/** Where a JSON Pointer leads, as an expression that is undefined where it leads nowhere. */
export function pointed(answer: string, pointer: string): string {
  const keys = pointer.split('/').slice(1);
  return keys.reduce((expression, key) => {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
    if (/^(0|[1-9]\d*)$/.test(name)) return `${expression}?.[${name}]`;
    return isName(name) ? `${expression}?.${name}` : `${expression}?.[${quoted(name)}]`;
  }, answer);
}
