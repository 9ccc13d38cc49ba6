// When a load or capacity run began, and against what: the files may lie beside the result of another run.
import { timeOf } from './head.ts';
import { cut } from './markup.ts';
import { textAt } from './outside.ts';

/** ` (against http://127.0.0.1:8080, begun 2026-11-21 09:04 UTC)`; empty where neither is known. */
export function circumstances(run: unknown): string {
  const target = textAt(run, 'target') ?? textAt(run, 'target', 'base');
  const began = textAt(run, 'startedAt');
  const parts = [
    ...(target === undefined ? [] : [`against ${cut(target, 120)}`]),
    ...(began === undefined ? [] : [`begun ${timeOf(cut(began, 30))}`]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
