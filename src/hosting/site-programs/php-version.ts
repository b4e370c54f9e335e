/** Formats a version as named by servers: `82` is 8.2, `810` is 8.10. */
export function shownVersion(version: string): string {
  return version === '' ? '' : `${version[0]!}.${version.slice(1)}`;
}

/** Returns the distinct versions, the newest first. */
export function newestFirst(versions: readonly string[]): string[] {
  const [major, minor] = [(version: string) => Number(version[0]), (version: string) => Number(version.slice(1))];
  return [...new Set(versions)].sort((a, b) => major(b) - major(a) || minor(b) - minor(a));
}
