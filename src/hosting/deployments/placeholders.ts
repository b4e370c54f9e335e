import { escapeHtml } from '../../sdk/index.js';

/**
 * What stands in texts of a program for what is known when it is installed: `[cn_user]`, `[sf_title]`. Any case counts. `?` behind a
 * name of the database is for programs that do without one; what follows a colon says what the value is written into: `[sf_title:html]`.
 */
const PLACEHOLDER = /\[(cn|sf)_([A-Za-z0-9_]{1,40})(\?)?(?::([A-Za-z]{1,10}))?\]/gi;

/** Placeholders that are there for every program. Source: spec ajax.md 14. */
const KNOWN_PLACES = ['cn_host', 'cn_port', 'cn_user', 'cn_pass', 'cn_name', 'cn_date'] as const;
/** Those that tell of the database. */
const OF_DATABASE = new Set<string>(['cn_host', 'cn_port', 'cn_user', 'cn_pass', 'cn_name']);
/** Names of {@link OF_DATABASE}, in the order texts list them. */
export const DATABASE_PLACES: readonly string[] = [...OF_DATABASE];

/** How a value is written into a text of a kind, so that it stays a value whatever is in it. */
const WRITTEN: Readonly<Record<string, (value: string) => string>> = {
  /** Between tags, and in quotes of an attribute. */
  html: escapeHtml,
  /** Between single quotes. */
  php: (value) => value.replace(/[\\']/g, '\\$&'),
  /** Between the quotes of a JSON text, in a script of a page too. */
  json: (value) => JSON.stringify(value).slice(1, -1).replace(/</g, '\\u003c'),
  url: encodeURIComponent,
};

/** A placeholder in a text. */
interface Place {
  /** In lower case, such as `cn_user`. */
  readonly name: string;
  /** As it stands there, without brackets. */
  readonly text: string;
  /** It may stay empty. */
  readonly isOptional: boolean;
  /** Key of {@link WRITTEN}; empty: as it is. */
  readonly into: string;
}

function placesIn(text: string): Place[] {
  return [...text.matchAll(PLACEHOLDER)].map(([whole, kind, name, mark, into = '']) => ({
    name: `${kind!}_${name!}`.toLowerCase(),
    text: whole.slice(1, -1),
    isOptional: mark !== undefined,
    into: into.toLowerCase(),
  }));
}

/** The placeholder in a text, without its brackets, that nothing fills in a program with these variables; undefined where there is none. */
export function unknownPlace(text: string, variables: readonly string[]): string | undefined {
  const known = new Set<string>([...KNOWN_PLACES, ...variables.map((variable) => `sf_${variable.toLowerCase()}`)]);
  return placesIn(text).find(
    ({ name, isOptional, into }) =>
      !known.has(name) || (isOptional && !OF_DATABASE.has(name)) || (into !== '' && !Object.hasOwn(WRITTEN, into)),
  )?.text;
}

/** Use of a site's database in texts with placeholders. */
export interface DatabaseUse {
  /** They tell of it. */
  readonly isNamed: boolean;
  /** They do not do without. */
  readonly isNeeded: boolean;
  /** They have its password. */
  readonly hasPassword: boolean;
}

/** Finds out how texts with placeholders use the database. */
export function databaseIn(texts: readonly string[]): DatabaseUse {
  const places = texts.flatMap(placesIn).filter(({ name }) => OF_DATABASE.has(name));
  return {
    isNamed: places.length > 0,
    isNeeded: places.some(({ isOptional }) => !isOptional),
    hasPassword: places.some(({ name }) => name === 'cn_pass'),
  };
}

/**
 * The text with its placeholders filled, once: what is filled in is not looked through.
 *
 * @param values by name in lower case
 * @param written how a value is written where it comes
 */
export function fillPlaces(text: string, values: ReadonlyMap<string, string>, written = (value: string): string => value): string {
  return text.replace(PLACEHOLDER, (whole, kind: string, name: string, _mark: string | undefined, into = '') => {
    const value = values.get(`${kind}_${name}`.toLowerCase());
    if (value === undefined) return whole;
    return written((WRITTEN[(into as string).toLowerCase()] ?? String)(value));
  });
}
