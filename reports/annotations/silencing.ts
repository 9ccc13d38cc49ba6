// A workflow's runner obeys commands wherever they stand in a step's output, a target's words among it.

/**
 * Lines that keep the runner from obeying what is printed between them: a target's words are no commands.
 * @param token nobody can guess, so that no target can end it
 */
export function silencing(token: string): { readonly before: string; readonly after: string } {
  return { before: `::stop-commands::${token}`, after: `::${token}::` };
}
