// Defines how a session's credential travels, and the evidence that it is one. Holds no secrets.

/**
 * How a credential travels. A `source` is where the login's answer holds it: a JSON Pointer into its body
 * (begins with `/`, or is empty), `cookie:NAME`, or the name of a header. A `name` is what it goes back under.
 */
export type SessionTransport =
  | { readonly kind: 'cookie'; readonly names: readonly string[] }
  | { readonly kind: 'bearer'; readonly source: string }
  | { readonly kind: 'header'; readonly name: string; readonly source: string }
  | { readonly kind: 'query'; readonly name: string; readonly source: string }
  | { readonly kind: 'combined'; readonly parts: readonly SessionTransport[] };

/** Statuses of the calls that proved the session. */
export interface SessionEvidence {
  /** Catalog id. */
  readonly operation: string;
  readonly without: number;
  readonly spoiled: number;
  readonly with: number;
  readonly differs: 'status' | 'content';
}
