/** What stands in texts of a program for what is known when it is installed: `[cn_user]`, `[sf_title]`. Any case counts. */
const PLACEHOLDER = /\[(cn|sf)_([A-Za-z0-9_]{1,40})\]/gi;

/** Placeholders that are there for every program. Source: spec ajax.md 14. */
const KNOWN_PLACES = ['cn_host', 'cn_port', 'cn_user', 'cn_pass', 'cn_name', 'cn_date'] as const;
/** Those that tell of the database. */
const OF_DATABASE = new Set<string>(['cn_host', 'cn_port', 'cn_user', 'cn_pass', 'cn_name']);

/** The placeholders in a text, in lower case and without brackets. */
export function placesIn(text: string): string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map(([, kind, name]) => `${kind!}_${name!}`.toLowerCase()))];
}

/** The placeholders that a program with these variables may use. */
export function knownPlaces(variables: readonly string[]): Set<string> {
  return new Set<string>([...KNOWN_PLACES, ...variables.map((variable) => `sf_${variable.toLowerCase()}`)]);
}

/** Whether a text has placeholders of the database. */
export function needsDatabase(text: string): boolean {
  return placesIn(text).some((place) => OF_DATABASE.has(place));
}

/**
 * The text with its placeholders filled, once: what is filled in is not looked through.
 *
 * @param values by name in lower case
 * @param written how a value is written where it comes
 */
export function fillPlaces(text: string, values: ReadonlyMap<string, string>, written = (value: string): string => value): string {
  return text.replace(PLACEHOLDER, (whole, kind: string, name: string) => written(values.get(`${kind}_${name}`.toLowerCase()) ?? whole));
}
