import { createBodies } from '../../fixtures/players/bodies/bodies.ts';
import { type Form, formOf } from '../../fixtures/players/bodies/form.ts';
import type { Target } from '../../fixtures/target/target.ts';
import type { Stop } from '../journeys/journey.ts';

const mostForms = 16;

/** The bodies that a call may take, likeliest first; a row without one is put without. */
export function formsFor({ operation, says = [] }: Stop, target: Target): readonly Form[] {
  const isBinary = operation.path.endsWith('/binary') && operation.method === 'POST';
  const forms = createBodies(target).forms(operation);
  if (forms.length === 0)
    return [isBinary ? formOf('assay', 'guess', 'application/octet-stream') : formOf(null, 'guess')];
  const saying = forms.filter(
    ({ from, carries }) => from === 'profile' || says.every((name) => carries.includes(name)),
  );
  return saying.slice(0, mostForms);
}
