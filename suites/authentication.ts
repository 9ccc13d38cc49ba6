import { auth } from '../catalog/areas/authentication.ts';
import { checksOf, suite } from '../engine/probe/check.ts';
import { rules } from './rules/rules.ts';

export default suite('auth', checksOf(Object.values(auth), rules));
