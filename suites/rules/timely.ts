// Checks that no call takes seconds where the host answers other calls at once.
import { general } from '../../catalog/areas/general.ts';
import { pass, warning } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { servedAnswer } from '../../engine/probe/prerequisites.ts';
import { inSeconds } from '../../engine/values/text.ts';

/** In ms, far longer than a call takes that only reads and writes. */
const slowMs = 3_000;
/** The most that the other call may take, as a share of the time: a host that is slow as a whole is no finding. */
const share = 0.1;

export const timely: Rule = {
  name: 'timely',
  title: 'is answered within seconds, where others are answered at once',
  clause: 'sense.timely',
  async judge(operation, context) {
    const { exchange } = await servedAnswer(operation, context);
    if (exchange.durationMs < slowMs) return pass(exchange, `after ${Math.round(exchange.durationMs)} ms`);
    const other = operation === general.healthcheck ? general.version : general.healthcheck;
    let control = exchange;
    for (const nth of ['slow', 'slow again']) {
      const [repeated, beside] = await Promise.all([
        context.ask(operation, { nth }),
        context.ask(other, { nth }),
      ]);
      if (repeated.durationMs < slowMs || beside.durationMs > share * repeated.durationMs)
        return pass(repeated, `after ${Math.round(repeated.durationMs)} ms when it is called alone`);
      control = beside;
    }
    const seen = `three answers take ${inSeconds(exchange.durationMs)} or so, and those to ${other.id} ${inSeconds(control.durationMs)}`;
    return { ...warning('an answer within seconds', seen, exchange), cause: 'timely: slow' };
  },
};
