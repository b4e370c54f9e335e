import { escapeHtml } from '../../sdk/index.js';

/**
 * Placeholders in texts of a program, filled during installation: `[cn_user]`, `[sf_title]`, case-insensitive. `?` after a name of the
 * database marks it as optional; a colon names the format the value is escaped for: `[sf_title:html]`.
 */
const PLACEHOLDER = /\[(cn|sf)_([A-Za-z0-9_]{1,40})(\?)?(?::([A-Za-z]{1,10}))?\]/gi;

/** Placeholders available to every program. Source: spec ajax.md 14. */
const COMMON_PLACEHOLDERS = ['cn_host', 'cn_port', 'cn_user', 'cn_pass', 'cn_name', 'cn_date'] as const;
/** Placeholders for the database. */
const OF_DATABASE = new Set<string>(['cn_host', 'cn_port', 'cn_user', 'cn_pass', 'cn_name']);
/** Names of {@link OF_DATABASE}, in the order texts list them. */
export const DATABASE_PLACEHOLDERS: readonly string[] = [...OF_DATABASE];

/** Escapes a value for a format, so that it cannot break out of its place. */
const ESCAPES: Readonly<Record<string, (value: string) => string>> = {
  /** Between tags, or in a quoted attribute. */
  html: escapeHtml,
  /** Between single quotes. */
  php: (value) => value.replace(/[\\']/g, '\\$&'),
  /** Between the quotes of a JSON string, also within a script element. */
  json: (value) => JSON.stringify(value).slice(1, -1).replace(/</g, '\\u003c'),
  url: encodeURIComponent,
};

/** A placeholder in a text. */
interface Placeholder {
  /** In lower case, such as `cn_user`. */
  readonly name: string;
  /** As escape, without brackets. */
  readonly text: string;
  /** It may stay empty. */
  readonly isOptional: boolean;
  /** Key of {@link ESCAPES}; empty for no escaping. */
  readonly into: string;
}

function placeholdersIn(text: string): Placeholder[] {
  return [...text.matchAll(PLACEHOLDER)].map(([whole, kind, name, mark, into = '']) => ({
    name: `${kind!}_${name!}`.toLowerCase(),
    text: whole.slice(1, -1),
    isOptional: mark !== undefined,
    into: into.toLowerCase(),
  }));
}

/**
 * Returns the first placeholder, without its brackets, that cannot be filled in a program with these variables; undefined if there is none.
 */
export function unknownPlaceholder(text: string, variables: readonly string[]): string | undefined {
  const known = new Set<string>([...COMMON_PLACEHOLDERS, ...variables.map((variable) => `sf_${variable.toLowerCase()}`)]);
  return placeholdersIn(text).find(
    ({ name, isOptional, into }) =>
      !known.has(name) || (isOptional && !OF_DATABASE.has(name)) || (into !== '' && !Object.hasOwn(ESCAPES, into)),
  )?.text;
}

/** How texts with placeholders use a site's database. */
export interface DatabaseUse {
  /** They contain database placeholders. */
  readonly isNamed: boolean;
  /** They require a database. */
  readonly isNeeded: boolean;
  /** They contain its password. */
  readonly hasPassword: boolean;
}

/** Finds out how texts with placeholders use the database. */
export function databaseIn(texts: readonly string[]): DatabaseUse {
  const placeholders = texts.flatMap(placeholdersIn).filter(({ name }) => OF_DATABASE.has(name));
  return {
    isNamed: placeholders.length > 0,
    isNeeded: placeholders.some(({ isOptional }) => !isOptional),
    hasPassword: placeholders.some(({ name }) => name === 'cn_pass'),
  };
}

/**
 * Fills the placeholders of a text in a single pass: inserted values are not searched for placeholders.
 *
 * @param values by name in lower case
 * @param escape applied to each value after the escaping of its placeholder
 */
export function fillPlaceholders(text: string, values: ReadonlyMap<string, string>, escape = (value: string): string => value): string {
  return text.replace(PLACEHOLDER, (whole, kind: string, name: string, _mark: string | undefined, into = '') => {
    const value = values.get(`${kind}_${name}`.toLowerCase());
    if (value === undefined) return whole;
    return escape((ESCAPES[(into as string).toLowerCase()] ?? String)(value));
  });
}
