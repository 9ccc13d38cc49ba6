// Every rule that is asked of every operation it applies to, in the order of what decides most.
import type { Rule } from '../../engine/probe/check.ts';
import { httpRules } from './http-rules.ts';
import { inputRules } from './input-rules.ts';
import { routed } from './routed.ts';

export const rules: readonly Rule[] = [routed, ...httpRules, ...inputRules];
