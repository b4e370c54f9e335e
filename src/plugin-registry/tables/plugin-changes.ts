import type { Database } from '../../database/index.js';
import type { ChangeSubject } from '../../sdk/index.js';

const KIND = /^[a-z][a-z0-9_]{0,31}$/;
const MAX_ID = 60;
/** Maximum number of fields, and maximum length of a name in characters. */
const MAX_FIELDS = 100;
const MAX_NAME = 64;

/**
 * Records a plugin's change of one of its objects as `{slug}/{of}`, so that it cannot be mistaken for a change of the panel's.
 *
 * @throws Error naming the plugin and the problem with the subject
 */
export function notePluginChange(
  database: Database,
  slug: string,
  subject: ChangeSubject,
  before: object | null,
  after: object | null,
): void {
  const { of, id = '', secret = [] } = subject ?? {};
  if (typeof of !== 'string' || !KIND.test(of))
    throw new Error(`${slug}: the kind of a change must be 1 to 32 of a-z 0-9 _, starting with a letter, not ${JSON.stringify(of)}.`);
  if (!['string', 'number'].includes(typeof id) || String(id).length > MAX_ID)
    throw new Error(`${slug}: the id of a changed ${of} must be a number or a string of at most ${MAX_ID} characters.`);
  if (!Array.isArray(secret) || secret.some((name) => typeof name !== 'string'))
    throw new Error(`${slug}: the secrets of a changed ${of} must be a list of names.`);
  database.noteChange({ of: `${slug}/${of}`, id, secret }, plainValues(before), plainValues(after));
}

/** Copies the current values, since the change is recorded only after its transaction has ended. */
function plainValues(values: object | null): Record<string, unknown> | null {
  if (values === null || values === undefined) return null;
  const plain: Record<string, unknown> = {};
  for (const name of Object.keys(values).slice(0, MAX_FIELDS)) plain[name.slice(0, MAX_NAME)] = plainValue(values, name);
  return plain;
}

/** A value may have a throwing getter, or be impossible to serialize. */
function plainValue(values: object, name: string): string | number | boolean | null {
  try {
    const value = (values as Record<string, unknown>)[name];
    if (value === null || value === undefined || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      return value ?? null;
    if (typeof value === 'bigint') return String(value);
    return value instanceof Date ? value.toISOString() : (JSON.stringify(value) ?? null);
  } catch {
    return '?';
  }
}
