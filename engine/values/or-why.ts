/** What was made or found; or why there is nothing. */
export type OrWhy<Found extends object = object> =
  | ({ readonly ok: true } & Found)
  | { readonly ok: false; readonly why: string };
