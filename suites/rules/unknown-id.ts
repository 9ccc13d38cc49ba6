// Records how a call answers for an id that nobody has. The document shows no errors: what fails is an error that is called a
// success, on a host that calls its other errors refusals.

import { observed, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { answered, servedAnswer } from '../../engine/probe/prerequisites.ts';
import { noSuchId } from '../../engine/values/nonexistent.ts';
import { askedPathAlone } from './asked-path.ts';
import { fuzzerOf, lastParameter } from './bad-input.ts';
import { isHabit } from './habit.ts';
import { isRead } from './quiet-reads.ts';

/** Operations that refuse with 4xx alone, for each that does not. */
const share = 4;

export const unknownId: Rule = {
  name: 'unknown-id',
  title: 'how it answers for an id that nobody has',
  clause: 'open.errors',
  async judge(operation, context) {
    const { exchange } = await servedAnswer(operation, context);
    const name = lastParameter(operation) ?? '';
    const at = operation.path.split('/').indexOf(`{${name}}`);
    const asked = askedPathAlone(exchange, operation, context).split('/')[at] ?? '';
    const params = { [name]: noSuchId(decodeURIComponent(asked)) };
    const as = isRead(operation) ? {} : { as: fuzzerOf(operation) };
    const unknown = answered(await context.ask(operation, { params, ...as }));
    const { status } = unknown.response;
    if (!unknown.response.refuses) return observed(String(status), unknown.exchange);
    const { asRefusal, asSuccess } = await context.refusalStatuses(operation.host);
    if (!isHabit(asRefusal, asSuccess, share)) return observed(String(status), unknown.exchange);
    return {
      ...violation(
        `a status of refusal, as ${asRefusal} of the ${asRefusal + asSuccess} operations of this host have that say so in the body`,
        `${status} with an error`,
        unknown.exchange,
      ),
      level: 'inferred',
      clause: 'sense.refusal-status',
      // How the others refuse is known from their own calls.
      seenIn: ['#answers', '#unknown-id', '#malformed-body', '#private'],
    };
  },
};
