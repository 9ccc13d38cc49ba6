// A word that stands where a journey should, and is the name of something else: what to type instead.
import { catalog, operationById } from '../../fixtures/catalog/catalog.ts';
import { ConfigurationError } from '../../fixtures/target/configuration-error.ts';
import { journeyNames } from '../journeys/journeys.ts';
import { shapes } from '../shapes/shapes.ts';

type Command = 'load' | 'capacity';

const isJourney = (word: string) => journeyNames.includes(word);
const isShape = (word: string) => Object.hasOwn(shapes, word);
const listed = `journeys are ${journeyNames.join(', ')}`;

/**
 * @param args what was typed in the place of one journey
 * @throws ConfigurationError where that is a shape, an operation or an area of the interface
 */
export function refuseMisnamed(command: Command, args: readonly string[]): void {
  const [word, extra] = args;
  if (word === undefined) return;
  const shape = args.find(isShape);
  const told =
    shape !== undefined && (extra === undefined || args.some(isJourney))
      ? instead(command, shape, args.find(isJourney))
      : extra === undefined && !isJourney(word)
        ? otherThing(command, word)
        : undefined;
  if (told !== undefined) throw new ConfigurationError([`${command}: ${told}`]);
}

function instead(command: Command, shape: string, journey: string | undefined): string {
  if (command === 'capacity') return `${shape} is a shape, and a search for capacity takes none; ${listed}`;
  const typed = `npm run load -- ${journey ?? 'JOURNEY'} --shape ${shape}`;
  return `${shape} is a shape, no journey: ${typed}${journey === undefined ? `; ${listed}` : ''}`;
}

function otherThing(command: Command, word: string): string | undefined {
  if (operationById(word) !== undefined)
    return `${word} is an operation, no journey: npm run ${command} -- --operation ${word}`;
  const row = catalog.find(({ area }) => area === word);
  if (row === undefined) return undefined;
  return `${word} is an area of the interface, no journey; ${listed}; --operation loads one of its calls alone, such as ${row.id}`;
}
