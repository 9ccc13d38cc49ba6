// Checks per host: its behaviour where the document is silent, and the requirements of HTTP on any server.
import { areas } from '../catalog/catalog.ts';
import type { Operation } from '../catalog/operation.ts';
import { suite } from '../engine/probe/check.ts';
import { errorShape } from './hosts/errors.ts';
import { habits, overLarge } from './hosts/habits.ts';
import { standards } from './hosts/standards.ts';

/** The operation that each host's findings are filed under. */
const representatives: readonly Operation[] = [
  areas.general.healthcheck,
  areas.clientData.catalog,
  areas.logs.logsBatch,
];

export default suite('hosts', [
  ...representatives.flatMap((operation) => [
    ...habits(operation),
    ...standards(operation),
    errorShape(operation),
  ]),
  overLarge(areas.general.healthcheck, areas.general.checkClientVersion),
  overLarge(areas.logs.logsBatch, areas.logs.logsBatch),
]);
