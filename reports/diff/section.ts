// A part of the comparison: blocks of lines under a heading, as many as there is room for.

import { blank, type Line, line, type Style } from '../console/line.ts';
import { counted } from '../headline.ts';

export interface Section {
  readonly heading: string;
  readonly style: Style;
  /** What one block is, for the count of those left out. */
  readonly thing: string;
  readonly blocks: readonly (readonly Line[])[];
  /** Lines it may take, heading and the blank one before it included. */
  readonly room: number;
}

/** The section's lines; none where it has no block. */
export function sectionLines({ heading, style, thing, blocks, room }: Section, all: boolean): Line[] {
  if (blocks.length === 0) return [];
  const lines = [blank, line(heading, style)];
  for (const [index, block] of blocks.entries()) {
    const left = blocks.length - index;
    const reserved = left > 1 ? 1 : 0;
    if (!all && lines.length + block.length + reserved > room) {
      lines.push(line(`  … and ${counted(left, `more ${thing}`)} (--all shows them)`, 'weak'));
      break;
    }
    lines.push(...block);
  }
  return lines;
}
