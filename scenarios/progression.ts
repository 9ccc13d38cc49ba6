// The flow `progression`: archives, gifts, onboarding and ranks.
import { flow } from '../engine/flow/flow.ts';
import { archives } from './progression/archives.ts';
import { gifts } from './progression/gifts.ts';
import { onboarding } from './progression/onboarding.ts';
import { ranks } from './progression/ranks.ts';

const progression = flow('progression');
for (const scenario of [archives, onboarding, gifts, ranks]) scenario(progression);

export default progression.suite();
