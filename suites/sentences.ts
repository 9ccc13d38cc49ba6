// The sentences of the document that name one operation.
import { suite } from '../engine/probe/check.ts';
import { sentenceChecks } from './sentences/sentences.ts';

export default suite('sentences', sentenceChecks);
