// Checks that the answer arrives whole. The raw probe judges once per host the defects that a lenient parser hides.
import { pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { brokenFraming } from '../../engine/probe/matchers/http-fields.ts';
import { servedAnswer } from '../../engine/probe/prerequisites.ts';

export const framing: Rule = {
  name: 'framing',
  title: 'its answer arrives whole',
  clause: 'rfc9112.framing',
  async judge(operation, context) {
    const plain = await context.ask(operation);
    const broken = brokenFraming(plain);
    if (broken) {
      // A restart in the middle of an answer is no framing defect: only a repeated break is.
      for (const nth of [2, 3]) {
        const again = await context.ask(operation, { nth });
        if (brokenFraming(again)) return violation(broken.expected, broken.actual, again);
      }
    }
    return pass((await servedAnswer(operation, context)).exchange);
  },
};
