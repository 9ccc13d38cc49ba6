// The verdict of `routed`: the table of docs/how-it-decides.md, as a table. Pure; the first row that matches decides.
// suites/rules/routed.ts may overrule it, by what steps of flows observed or by how other operations are refused.
import type { MayBe404 } from '../../../catalog/operation.ts';
import type { InconclusiveReason } from '../../judgement.ts';
import { is3xx } from '../../values/status.ts';
import { switchPoint } from '../../values/switch-points.ts';

/** How an operation shows that it is not served; failures of one kind are one finding. */
type Absent = 'unrouted' | 'wrong method' | 'shadowed';

export type Routed =
  | { readonly served: true; readonly why: string }
  | { readonly served: false; readonly kind: Absent; readonly why: string; readonly warn?: string }
  | { readonly served: undefined; readonly reason: InconclusiveReason; readonly why: string };

/** `nothing` is JSON without content (`null`, `{}`, `[]`), which an existing file may hold. */
export type FileContent = 'nothing' | 'something';

/** What is known of the answer of one operation. Differences are undefined where that control was not needed. */
export interface Observation {
  readonly status: number;
  readonly mayBe404: MayBe404;
  readonly signedIn: boolean;
  /** The redirect leaves the origin, or leads to a login page. */
  readonly leaves: boolean;
  readonly differs: {
    readonly sibling: boolean;
    readonly tail: boolean;
    readonly root: boolean;
    readonly shadow?: boolean;
    /** From names that cannot exist, in any place of a client-data file's path; undefined where none was called. */
    readonly name?: boolean;
  };
  /** What a client-data file holds; undefined for any other operation. */
  readonly holds?: FileContent;
  /** A control's own answers differ beyond the mask. */
  readonly unstable: boolean;
  /** The host's unrouted answer for this method is proven. */
  readonly proven: boolean;
  /** What a second sample showed; undefined where none showed anything. */
  readonly secondSample?: string;
  /** The area has operations that cannot be absent, and none of its operations is served. */
  readonly areaIsDead: boolean;
}

/** The beginning of the detail where only unrouted paths below one prefix, not all on the host, are answered alike. */
export const unroutedBelow = 'unrouted paths below the same prefix are answered';

type Row = readonly [when: (observation: Observation) => boolean, then: (observation: Observation) => Routed];

export const served = (why: string): Routed => ({ served: true, why });
const absent = (kind: Absent, why: string): Routed => ({ served: false, kind, why });
/** A verdict that stays open, with the reason. */
export const open = (reason: InconclusiveReason, why: string): Routed => ({ served: undefined, reason, why });

const differsFromAll = ({ differs }: Observation) =>
  differs.sibling && differs.tail && differs.root && differs.shadow !== false;
/** Whether a client-data file is answered as a name that cannot exist is. */
const likeAnyName = ({ holds, differs }: Observation) =>
  holds !== undefined && !(differs.sibling && differs.name !== false);
/** Whether everything below is refused, which shows nothing of the file. */
const isRefusedBelow = (s: Observation) => !s.differs.sibling && !s.differs.tail && is(401, 403)(s);
const likeSiblingAlone = ({ differs }: Observation) => !differs.sibling && differs.tail && differs.root;
/** Whether a route that takes any name here serves this one. */
export const takesAnyName = switchPoint(likeSiblingAlone);
const likeShadowAlone = ({ differs }: Observation) =>
  differs.shadow === false && differs.sibling && differs.root;
const likeTailAlone = ({ differs }: Observation) =>
  !differs.tail && differs.sibling && differs.root && differs.shadow !== false;
const is =
  (...statuses: number[]) =>
  (observation: Observation) =>
    statuses.includes(observation.status);
const redirects = ({ status }: Observation) => is3xx(status) && status !== 304;

/** Whether the answer means "unrouted" on this host: a 404, or the proven answer to neighbouring paths. */
const saysUnrouted = ({ status, proven, differs }: Observation) =>
  status === 404 || (proven && !differs.sibling);

const table: readonly Row[] = [
  [
    (s) => redirects(s) && s.leaves,
    () => open('redirected', 'it redirects to a login page or another origin'),
  ],
  [(s) => s.unstable, () => open('unstable-controls', 'unrouted paths are answered differently each time')],
  [
    (s) => differsFromAll(s) && is(405, 501)(s),
    (s) =>
      absent(
        'wrong method',
        `it is answered ${s.status}, unlike unrouted paths: known, but ${s.status === 501 ? 'not implemented' : 'not with this method'}`,
      ),
  ],
  // A route for any name answers here, for another method; a route of the operation itself would accept this method.
  [
    (s) => likeSiblingAlone(s) && is(405, 501)(s),
    (s) => absent('wrong method', `it is answered ${s.status} as any name here is, and other paths are not`),
  ],
  // The file may exist or not: names that cannot exist are answered the same. Only 404, 405 and 501 show which.
  [
    (s) =>
      likeAnyName(s) &&
      !is(404, 405, 501)(s) &&
      (s.differs.root ? !isRefusedBelow(s) : s.holds === 'nothing' && s.proven),
    (s) => open('any-name', `${s.status}, with what is said of a file name that cannot exist`),
  ],
  [
    (s) => differsFromAll(s) && is(401, 403)(s) && s.signedIn,
    (s) => served(`${s.status} though signed in, unlike unrouted paths`),
  ],
  [differsFromAll, (s) => served(`${s.status}, unlike unrouted paths`)],
  [
    (s) => likeSiblingAlone(s) && is(404)(s) && s.mayBe404 === 'never',
    () => absent('unrouted', 'a neighbouring path that does not exist gets the same 404'),
  ],
  [takesAnyName, (s) => served(`${s.status}, by a route that takes any name here`)],
  [
    (s) => likeShadowAlone(s) && is(404)(s) && s.mayBe404 === 'never',
    () => absent('shadowed', 'it gets the 404 of the documented call that shadows it'),
  ],
  [likeShadowAlone, () => open('shadowed', 'it is answered just as the documented call that shadows it')],
  // A handler for a path also takes paths below it; a refusal, a server error or a 404 there shows nothing of it.
  [
    (s) => likeTailAlone(s) && s.status < 500 && !is(401, 403, 404, 405)(s),
    (s) => served(`${s.status}, by a route that takes whatever is below it`),
  ],
  [
    (s) => s.secondSample !== undefined && s.mayBe404 !== 'never' && saysUnrouted(s),
    (s) => served(s.secondSample ?? ''),
  ],
  [
    (s) => saysUnrouted(s) && s.mayBe404 === 'never',
    (s) => absent('unrouted', `it is answered ${s.status}, just as paths that do not exist`),
  ],
  [
    (s) => saysUnrouted(s) && s.areaIsDead,
    (s) =>
      absent(
        'unrouted',
        `it is answered ${s.status} as unrouted paths are, and nothing in its area is served`,
      ),
  ],
  [
    saysUnrouted,
    (s) =>
      open(
        'unknown-resource',
        `${s.status} is what unrouted paths get, and may as well mean that the resource is unknown`,
      ),
  ],
  [is(401, 403), (s) => open('auth-wall', `everything here is answered ${s.status}, routed or not`)],
  [
    ({ differs }) => differs.root && !(differs.sibling && differs.tail),
    (s) => open('catch-all', `${unroutedBelow} ${s.status} just like this`),
  ],
  [() => true, (s) => open('catch-all', `unrouted paths are answered ${s.status} just like this`)],
];

/** Decides one operation. The last row of the table matches everything. */
export const routedFor = switchPoint(function routedFor(observation: Observation): Routed {
  const row = table.find(([when]) => when(observation));
  return row ? row[1](observation) : open('catch-all', 'no row of the table takes it');
});
