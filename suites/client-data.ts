// Checks of the client-data files: the general rules, and that one version of the privacy definition is served.
import { clientData } from '../catalog/areas/client-data.ts';
import { clauseById } from '../catalog/clauses/clauses.ts';
import { inconclusive, pass, violation } from '../engine/judgement.ts';
import { check } from '../engine/probe/check.ts';
import { areaSuite } from './rules/rules.ts';

// "The privacy definition file is listed under two versions, v3 and v4; which applies to which game version is open."

const { privacyV3Definition: v3, privacyV4Definition: v4 } = clientData;

const privacyVersions = check(
  v4,
  'one-privacy-version',
  clauseById('cdn.privacy-versions'),
  'is there, or its v3 is',
  async ({ routed, ask }) => {
    const [third, fourth] = await Promise.all([routed(v3), routed(v4)]);
    const answer = await ask(v4);
    if (third.served || fourth.served) return pass(answer, third.served ? 'v3 is served' : 'v4 is served');
    const open = [third, fourth].find((found) => found.served === undefined);
    if (open?.served === undefined && open !== undefined) return inconclusive(open.reason, open.why, answer);
    return violation('the privacy definition under v3 or v4', 'it is served under neither', answer);
  },
);

export default areaSuite('clientData', clientData, privacyVersions);
