// Makes words that no other run and no other call uses, and knows for which step or operation each was made.

import type { FlowContext } from '../probe/context.ts';
import { literalPattern } from '../values/text.ts';

export function createUniqueWords(runId: string): Pick<FlowContext, 'unique' | 'makersIn'> {
  let words = 0;
  const makers = new Map<string, string>();
  const ends = new RegExp(`-${literalPattern(runId)}[0-9a-z]{4}`, 'g');
  return {
    unique(word, maker) {
      words += 1;
      // All have one length, so that none is the beginning of another.
      const end = `-${runId}${words.toString(36).padStart(4, '0')}`;
      if (maker !== undefined) makers.set(end, maker);
      return `${word}${end}`;
    },
    makersIn: (text) => [...new Set([...text.matchAll(ends)].flatMap(([end]) => makers.get(end) ?? []))],
  };
}
