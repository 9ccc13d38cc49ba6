// Runs the smallest possible k6 script with the same executor, as the measure for the others.
import http from 'k6/http';
import { optionsOf } from './options.ts';
import type { Plan } from './plan.ts';

declare const __ENV: Readonly<Record<string, string>>;

const plan: Plan = JSON.parse(open(__ENV.ASSAY_PLAN as string));
const { journey } = optionsOf(plan).scenarios ?? {};

export const options = { scenarios: { journey: { ...journey, exec: 'bare' } } };

const url = `${plan.hosts.base}/api/v1/healthcheck`;

export function bare(): void {
  http.get(url);
}

export function handleSummary(summary: unknown): Record<string, string> {
  return { [plan.summaryFile]: JSON.stringify(summary) };
}
