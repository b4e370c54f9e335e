import { fieldProblem } from '../../theme/index.js';
import type { DeclaredField } from '../../web/index.js';

/** Maximum length of a value. */
const MAX_VALUE = 1_000;

/** A setting of the servers of a kind. */
export type DriverField = DeclaredField;

/** Values of the fields of a server. */
export type DriverSettings = Readonly<Record<string, string>>;

/**
 * Merges and validates the settings of a server.
 *
 * @param given new values; a missing field, and an empty secret, keeps its present value
 * @returns the values, and the problem of each invalid field as a key of the language files
 */
export function readDriverSettings(
  fields: readonly DriverField[],
  given: DriverSettings,
  present: DriverSettings,
): { values: DriverSettings; wrong: Readonly<Record<string, string>> } {
  const wrong: Record<string, string> = {};
  const sent = new Map(Object.entries(given));
  for (const key of sent.keys()) if (!fields.some((field) => field.key === key)) wrong[key] = 'hosting.field_driver_setting';
  const values = fields.map((field) => {
    const { key, type } = field;
    const own = sent.get(key)?.trim();
    const kept = present[key] ?? field.standard;
    const value = own === undefined || (own === '' && type === 'password') ? kept : own || whereEmpty(field);
    const problem = problemOf(field, value);
    if (problem !== null) wrong[key] = problem;
    return [key, value] as const;
  });
  return { values: Object.fromEntries(values), wrong };
}

/** The value of a field that is sent empty: its default for kinds that cannot be empty. */
function whereEmpty({ type, standard }: DriverField): string {
  return type === 'switch' ? standard || 'false' : type === 'select' ? standard : '';
}

function problemOf(field: DriverField, value: string): string | null {
  if (value === '') return field.required ? 'hosting.field_driver_needed' : null;
  const written = field.type === 'textarea' ? value.replace(/[\r\n\t]/g, '') : value;
  if (value.length > MAX_VALUE || /\p{Cc}/u.test(written)) return 'hosting.field_driver_rule';
  return fieldProblem({ type: field.type, options: [...field.options] }, value);
}
