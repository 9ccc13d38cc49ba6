// Reads what CHANGELOG.md says of a version.

/** The lines below the heading of that version; undefined where there is none, or nothing stands below it. */
export function notesOf(changes: string, version: string): string | undefined {
  const sections = changes.split(/^## /m).slice(1);
  const own = sections.find((section) => section.split('\n')[0]?.trim() === version);
  return own?.slice(own.indexOf('\n')).trim() || undefined;
}
