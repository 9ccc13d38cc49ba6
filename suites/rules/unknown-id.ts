// Records how a call answers for an id that nobody has. The document shows no errors, so nothing here fails.

import { observed } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { answered, servedAnswer } from '../../engine/probe/prerequisites.ts';
import { noSuchId } from '../../engine/values/nonexistent.ts';
import { askedPathAlone } from './asked-path.ts';
import { fuzzerOf, lastParameter } from './bad-input.ts';
import { isRead } from './quiet-reads.ts';

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
    return observed(String(unknown.response.status), unknown.exchange);
  },
};
