// Checks that a client-data folder that does not exist does not return the file of the configured folder.
import type { Rule } from '../../engine/probe/check.ts';
import { judgeUnknown } from './other-version.ts';

export const otherRoot: Rule = {
  name: 'other-root',
  title: 'another folder does not give the same file',
  clause: 'sense.cdn-root',
  judge: (operation, context) => judgeUnknown(operation, context, 'CDN_ROOT_FOLDER_PATH'),
};
