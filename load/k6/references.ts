// Headers that hold a secret name its variable where the plan is a file that others can read. Pure: Node writes them.

export type Headers = Readonly<Record<string, string>>;

const reference = /\{\{(\w+)\}\}/g;

export const referenceTo = (variable: string): string => `{{${variable}}}`;

/** What no variable stands for is left as it is. */
export const filled = (headers: Headers, env: Readonly<Record<string, string | undefined>>): Headers =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value.replace(reference, (whole, variable: string) => env[variable] ?? whole),
    ]),
  );
