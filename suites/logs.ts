import { logs } from '../catalog/areas/logs.ts';
import { checksOf, suite } from '../engine/probe/check.ts';
import { rules } from './rules/rules.ts';

export default suite('logs', checksOf(Object.values(logs), rules));
