// What HTTP, JSON and good sense ask of every operation, in the order of what decides most.
import type { Rule } from '../../engine/probe/check.ts';
import { answers } from './answers.ts';
import { media, utf8 } from './body-is-its-type.ts';
import { coding } from './content-coding.ts';
import { concurrent } from './four-at-once.ts';
import { head } from './head.ts';
import { bom, interoperable } from './json-dialect.ts';
import { jsonFile } from './json-file.ts';
import { framing } from './message-framing.ts';
import { noInternals } from './no-internals.ts';
import { notPublic } from './not-public.ts';
import { payloadSchema } from './payload-schema.ts';
import { range } from './ranges.ts';
import { shape } from './shape.ts';
import { stableShape } from './stable-shape.ts';
import { etagStable, modified, notModified } from './validators.ts';

export const httpRules: readonly Rule[] = [
  answers,
  framing,
  media,
  utf8,
  bom,
  interoperable,
  payloadSchema,
  jsonFile,
  coding,
  etagStable,
  notModified,
  modified,
  range,
  head,
  stableShape,
  shape,
  concurrent,
  noInternals,
  notPublic,
];
