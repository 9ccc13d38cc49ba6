import { describe, expect, test } from 'vitest';
import { inShort } from '../../../fixtures/kit/routed.ts';
import { type Observation, routedFor, unroutedBelow } from './routed-table.ts';

/** A 200 of a `never` operation that differs from every control. */
const plain: Observation = {
  status: 200,
  mayBe404: 'never',
  signedIn: true,
  leaves: false,
  differs: { sibling: true, tail: true, root: true },
  unstable: false,
  proven: false,
  areaIsDead: false,
};
const fromAll = { sibling: true, tail: true, root: true };
const fromNone = { sibling: false, tail: false, root: false };
const sibling = { sibling: false, tail: true, root: true };
const tail = { sibling: true, tail: false, root: true };
const shadow = { ...fromAll, shadow: false };
const inBranch = { sibling: false, tail: false, root: true };

type Case = readonly [what: string, observation: Partial<Observation>, verdict: string];

/** The rows of the table in its order, each with cases that match it. */
const table: Readonly<Record<string, readonly Case[]>> = {
  'differs from all': [
    ['2xx', { status: 204 }, 'served'],
    ['400', { status: 400 }, 'served'],
    ['404 of a never operation', { status: 404 }, 'served'],
    ['404 of an id operation', { status: 404, mayBe404: 'unknown id' }, 'served'],
    ['401 though signed in', { status: 401 }, 'served'],
    ['403 though signed in', { status: 403 }, 'served'],
    ['401 of nobody', { status: 401, signedIn: false }, 'served'],
    ['3xx to its own origin', { status: 302 }, 'served'],
    ['304', { status: 304, leaves: true }, 'served'],
    ['500', { status: 500 }, 'served'],
    ['503 without a time', { status: 503 }, 'served'],
    ['405', { status: 405 }, 'not served'],
    ['501', { status: 501 }, 'not served'],
    ['405 of an id operation', { status: 405, mayBe404: 'unknown id' }, 'not served'],
    [
      'from its shadow too',
      { status: 404, mayBe404: 'nothing there', differs: { ...fromAll, shadow: true } },
      'served',
    ],
  ],
  'leads to a login page or another origin': [
    ['unlike all', { status: 302, leaves: true }, 'redirected'],
    ['like all', { status: 307, leaves: true, differs: fromNone }, 'redirected'],
    ['like all, proven', { status: 302, leaves: true, differs: fromNone, proven: true }, 'redirected'],
    ['while controls are unstable', { status: 302, leaves: true, unstable: true }, 'redirected'],
    ['not a redirect at all', { status: 201, leaves: true }, 'served'],
  ],
  'has unstable controls': [
    ['200', { unstable: true }, 'unstable-controls'],
    ['404 like all', { status: 404, differs: fromNone, unstable: true }, 'unstable-controls'],
    ['405', { status: 405, unstable: true }, 'unstable-controls'],
  ],
  'same as the sibling, differs from tail and root': [
    ['200', { differs: sibling }, 'served'],
    ['401', { status: 401, differs: sibling }, 'served'],
    ['500', { status: 500, differs: sibling }, 'served'],
    ['404 of an id operation', { status: 404, mayBe404: 'unknown id', differs: sibling }, 'served'],
    ['404 of a state operation', { status: 404, mayBe404: 'nothing there', differs: sibling }, 'served'],
    ['404 of a never operation', { status: 404, differs: sibling }, 'not served'],
    ['405', { status: 405, differs: sibling }, 'not served'],
    ['501', { status: 501, differs: sibling }, 'not served'],
    [
      '405 of a state operation',
      { status: 405, mayBe404: 'nothing there', differs: sibling, proven: true, secondSample: 'x' },
      'not served',
    ],
    ['405, proven', { status: 405, differs: sibling, proven: true }, 'not served'],
    ['200, same as the tail too', { differs: inBranch }, 'catch-all'],
  ],
  'a client-data file, same as a name that cannot exist': [
    ['in its folder', { holds: 'something', differs: sibling }, 'any-name'],
    ['below it too', { holds: 'something', differs: inBranch }, 'any-name'],
    ['below it too, proven', { holds: 'something', differs: inBranch, proven: true }, 'any-name'],
    [
      'in another place of its path',
      { holds: 'something', differs: { ...fromAll, name: false } },
      'any-name',
    ],
    ['by a 500', { status: 500, holds: 'something', differs: inBranch, proven: true }, 'any-name'],
    ['by a 403 in its folder', { status: 403, holds: 'something', differs: sibling }, 'any-name'],
    ['by a 403 below', { status: 403, holds: 'something', differs: inBranch }, 'auth-wall'],
    [
      'by a 403 below, proven',
      { status: 403, holds: 'something', differs: inBranch, proven: true },
      'not served',
    ],
    ['by a 404', { status: 404, holds: 'something', differs: sibling }, 'not served'],
    ['by a 405', { status: 405, holds: 'something', differs: sibling }, 'not served'],
    [
      'by a 404 of an archive',
      { status: 404, mayBe404: 'unknown id', holds: 'something', differs: sibling },
      'served',
    ],
    ['like every path, proven', { holds: 'something', differs: fromNone, proven: true }, 'not served'],
    [
      'like every path, proven, and it may be empty',
      { holds: 'nothing', differs: fromNone, proven: true },
      'any-name',
    ],
    ['like every path', { holds: 'nothing', differs: fromNone }, 'catch-all'],
    ['unlike all of them', { holds: 'nothing', differs: { ...fromAll, name: true } }, 'served'],
  ],
  'same as its shadow alone': [
    ['404 of a never operation', { status: 404, differs: shadow }, 'not served'],
    ['404 of a state operation', { status: 404, mayBe404: 'nothing there', differs: shadow }, 'shadowed'],
    ['200', { differs: shadow }, 'shadowed'],
    ['405', { status: 405, differs: shadow }, 'shadowed'],
    [
      '404 though a second look showed it',
      { status: 404, mayBe404: 'unknown id', differs: shadow, secondSample: 'x' },
      'shadowed',
    ],
    [
      '404 of an id operation like all and its shadow',
      { status: 404, mayBe404: 'unknown id', differs: { ...fromNone, shadow: false } },
      'unknown-resource',
    ],
    ['404 like all and its shadow', { status: 404, differs: { ...fromNone, shadow: false } }, 'not served'],
  ],
  'same as the tail alone': [
    ['200', { differs: tail }, 'served'],
    ['400', { status: 400, differs: tail }, 'served'],
    ['a guard: 401', { status: 401, differs: tail }, 'auth-wall'],
    ['a guard: 403, proven', { status: 403, differs: tail, proven: true }, 'auth-wall'],
    ['a gateway: 502, proven', { status: 502, differs: tail, proven: true }, 'catch-all'],
    ['405, proven', { status: 405, differs: tail, proven: true }, 'catch-all'],
    ['404 of a never operation', { status: 404, differs: tail }, 'not served'],
    ['404 of an id operation', { status: 404, mayBe404: 'unknown id', differs: tail }, 'unknown-resource'],
  ],
  '404, same as all': [
    ['never', { status: 404, differs: fromNone }, 'not served'],
    [
      'never, whatever a second look',
      { status: 404, differs: fromNone, secondSample: 'Allow' },
      'not served',
    ],
    [
      'id, a second look showed it',
      { status: 404, mayBe404: 'unknown id', differs: fromNone, secondSample: 'Allow' },
      'served',
    ],
    [
      'state, a second look showed it',
      { status: 404, mayBe404: 'nothing there', differs: fromNone, secondSample: 'x' },
      'served',
    ],
    ['id, nothing showed', { status: 404, mayBe404: 'unknown id', differs: fromNone }, 'unknown-resource'],
    [
      'id, nothing of its area is served',
      { status: 404, mayBe404: 'unknown id', differs: fromNone, areaIsDead: true },
      'not served',
    ],
    [
      'state, nothing of its area is served',
      { status: 404, mayBe404: 'nothing there', differs: fromNone, areaIsDead: true },
      'not served',
    ],
    ['in one branch', { status: 404, differs: inBranch }, 'not served'],
  ],
  'anything else, same as all, proven': [
    ['200 of a single-page host', { differs: fromNone, proven: true }, 'not served'],
    ['403 of a bucket', { status: 403, differs: fromNone, proven: true }, 'not served'],
    ['405 of a proxy', { status: 405, differs: fromNone, proven: true }, 'not served'],
    ['id', { differs: fromNone, proven: true, mayBe404: 'unknown id' }, 'unknown-resource'],
    [
      'id in a dead area',
      { differs: fromNone, proven: true, mayBe404: 'unknown id', areaIsDead: true },
      'not served',
    ],
    [
      'id, a second look showed it',
      { differs: fromNone, proven: true, mayBe404: 'unknown id', secondSample: 'x' },
      'served',
    ],
  ],
  'anything else, same as all, not proven': [
    ['200', { differs: fromNone }, 'catch-all'],
    ['500', { status: 500, differs: fromNone }, 'catch-all'],
    ['302 to its own origin', { status: 302, differs: fromNone }, 'catch-all'],
    ['401', { status: 401, differs: fromNone }, 'auth-wall'],
    ['403', { status: 403, differs: fromNone, signedIn: false }, 'auth-wall'],
    [
      '200 of an id operation, whatever a second look',
      { differs: fromNone, mayBe404: 'unknown id', secondSample: 'x' },
      'catch-all',
    ],
    [
      '200 of an id operation in a dead area',
      { differs: fromNone, mayBe404: 'unknown id', areaIsDead: true },
      'catch-all',
    ],
  ],
};

for (const [row, cases] of Object.entries(table)) {
  describe(row, () => {
    test.each(cases)('%s', (_, observation, expected) => {
      expect(inShort(routedFor({ ...plain, ...observation }))).toBe(expected);
    });
  });
}

test('an mayBe404 says of what kind it is', () => {
  expect(routedFor({ ...plain, status: 405 })).toMatchObject({ kind: 'wrong method' });
  expect(routedFor({ ...plain, status: 404, differs: shadow })).toMatchObject({ kind: 'shadowed' });
  expect(routedFor({ ...plain, status: 404, differs: fromNone })).toMatchObject({ kind: 'unrouted' });
});

test('a catch-all below a prefix is told apart from one of the whole host', () => {
  const why = (differs: Observation['differs']) => routedFor({ ...plain, status: 500, differs }).why;
  for (const differs of [inBranch, tail]) expect(why(differs)).toMatch(unroutedBelow);
  expect(why(fromNone)).toBe('unrouted paths are answered 500 just like this');
});

test('a 401 or 403 though signed in says its status, for `answers` to judge', () => {
  expect(routedFor({ ...plain, status: 403 })).toEqual({
    served: true,
    why: '403 though signed in, unlike unrouted paths',
  });
});
