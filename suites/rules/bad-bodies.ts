// Bodies that no client sends on purpose: cut off, empty, of the wrong type, of the wrong media type, compressed.
import { areas } from '../../catalog/catalog.ts';
import { clauseById } from '../../catalog/clauses/clauses.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { Ask } from '../../engine/http/ask.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { randomFrom } from '../../engine/values/random.ts';
import { endures, vandalOf } from './bad-input.ts';
import { spoiledWithin } from './spoiled-within.ts';

/** `{}`, compressed once with gzip: constant, so that every run sends the same bytes. */
export const gzipped = Uint8Array.from(Buffer.from('H4sIAAAAAAAAA6uuBQBDv6ajAgAAAA==', 'base64'));

const takesBody = ({ method }: Operation) => method === 'POST' || method === 'PUT';

const rule = (name: string, title: string, ask: Ask): Rule => ({
  name,
  title,
  clause: () => clauseById('sense.no-server-error'),
  applies: takesBody,
  changes: true,
  judge: (operation, context) => endures(operation, context, { as: vandalOf(operation), ...ask }),
});

export const malformedBody = rule('malformed-body', 'a body cut off in the middle is no server error', {
  body: '{"assay":',
});

export const emptyBody = rule('empty-body', 'an empty body with a type is no server error', { body: '' });

/** JSON as it should be, but a list of lists where nearly every call wants an object; a log may well take it. */
const outermost = rule('wrong-type-body', 'a body of the wrong JSON type is no server error', {
  body: '[[1,"assay",null,{"a":{"b":[]}}]]',
  contentType: 'application/json',
});

/** Behind a look at the outermost type, what stands further in may be taken for granted: once more for each place known. */
const wrongTypeBody: Rule = {
  ...outermost,
  judge: async (operation, context) => {
    const judgement = await outermost.judge(operation, context);
    // A login would use up another token.
    if (judgement.kind !== 'pass' || operation === areas.auth.login) return judgement;
    const random = randomFrom(context.seed, operation.id, 'spoiled within');
    for (const body of spoiledWithin(await context.ask(operation), random)) {
      const within = await endures(operation, context, {
        ...{ as: vandalOf(operation), contentType: 'application/json', body },
      });
      if (within.kind === 'violation') return within;
      // Who is silent, or lets nobody in, would be so for every place.
      if (within.kind !== 'pass') break;
    }
    return judgement;
  },
};

export const wrongMediaBody = rule('wrong-media-body', 'a body of the wrong media type is no server error', {
  body: 'assay=1',
  contentType: 'application/x-www-form-urlencoded',
});

const gzipBody = rule('gzip-body', 'a compressed body is no server error', {
  body: gzipped,
  headers: [['content-encoding', 'gzip']],
});

export const badBodies: readonly Rule[] = [malformedBody, emptyBody, wrongTypeBody, wrongMediaBody, gzipBody];
