// Checks that JSON is sent without a byte order mark.
import { byteOrderMark } from '../../engine/probe/matchers/json.ts';
import { jsonBodyRule } from '../shared/json-body.ts';

export const bom = jsonBodyRule('bom', 'its JSON has no byte order mark', 'rfc8259.bom', byteOrderMark);
