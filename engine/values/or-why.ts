/** What was made or found; or, where there is none, why. */
export type OrWhy<Found extends object = object> =
  | ({ readonly ok: true } & Found)
  | { readonly ok: false; readonly why: string };
