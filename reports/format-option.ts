// `--format ctrf,har`: files that a run or a report writes beside the usual ones.
import { InvalidArgumentError, Option } from 'commander';
import { type Format, formats } from './files.ts';

const isFormat = (word: string): word is Format => Object.hasOwn(formats, word);

/** The option as commander takes it; its value is the list of formats, each once. */
export const formatOption = () =>
  new Option(
    '--format <list>',
    `files beside the usual ones, with commas between: ${Object.keys(formats).join(', ')}`,
  ).argParser(parseFormats);

/** @throws InvalidArgumentError naming the first word that is no format */
export function parseFormats(text: string): Format[] {
  const words = text.split(',').map((word) => word.trim());
  const wrong = words.find((word) => !isFormat(word));
  if (wrong !== undefined)
    throw new InvalidArgumentError(
      `"${wrong.slice(0, 40)}" is no format; expected ${Object.keys(formats).join(', ')}.`,
    );
  return [...new Set(words.filter(isFormat))];
}
