import { me } from '../catalog/areas/me.ts';
import { checksOf, suite } from '../engine/probe/check.ts';
import { rules } from './rules/rules.ts';

export default suite('me', checksOf(Object.values(me), rules));
