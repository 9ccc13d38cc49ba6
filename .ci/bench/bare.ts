// Runs the smallest possible k6 script at a constant arrival rate, as the reference for the other scripts.
import http from 'k6/http';
import type { Options } from 'k6/options';

declare const __ENV: Readonly<Record<string, string>>;

export interface BarePlan {
  readonly url: string;
  /** Requests per second. */
  readonly rate: number;
  readonly durationMs: number;
  readonly vus: number;
  readonly summaryFile: string;
}

const { url, rate, durationMs, vus, summaryFile }: BarePlan = JSON.parse(open(__ENV.ASSAY_PLAN as string));

export const options: Options = {
  scenarios: {
    bare: {
      executor: 'constant-arrival-rate',
      rate,
      timeUnit: '1s',
      duration: `${durationMs}ms`,
      preAllocatedVUs: vus,
      maxVUs: vus,
      exec: 'bare',
    },
  },
  systemTags: [],
};

export function bare(): void {
  http.get(url);
}

export function handleSummary(summary: unknown): Record<string, string> {
  return { [summaryFile]: JSON.stringify(summary) };
}
