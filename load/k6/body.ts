// The body of a call, as one iteration of a journey sends it.
import type { Body } from './plan.ts';

/** Text for a JSON string, without its quotes. */
const escaped = (text: string) => JSON.stringify(text).slice(1, -1);

/**
 * @param valueFor what an identifier or a name stands for in this iteration
 * @param batch one of the batches of a kind
 */
export function bodyOf(
  body: Body,
  valueFor: (name: string) => string,
  batch: (kind: string) => string,
): string | null {
  switch (body.kind) {
    case 'none':
      return null;
    case 'text':
      return body.text;
    case 'batch':
      return batch(body.of);
    case 'pieces':
      return body.pieces
        .map((piece) =>
          typeof piece === 'string'
            ? piece
            : piece.bare
              ? valueFor(piece.value)
              : escaped(valueFor(piece.value)),
        )
        .join('');
  }
}
