import type { SettingsField } from '../../sdk/index.js';

const FIELD_KEY = /^[A-Za-z0-9_.-]{1,64}$/;
const FIELD_TYPES: readonly SettingsField['type'][] = ['text', 'textarea', 'password', 'number', 'switch', 'select'];

/** Returns what is wrong with a field's value, as a text key; null if valid. Its length is checked where it is stored. */
export function fieldProblem(
  { type, options = [] }: Pick<SettingsField, 'type'> & { options?: readonly { value: string }[] },
  value: string,
): string | null {
  if (type === 'number' && value !== '' && !/^-?\d{1,15}(\.\d{1,6})?$/.test(value)) return 'operations.field.isNumber';
  if (type === 'switch' && !['true', 'false'].includes(value)) return 'operations.field.isBoolean';
  if (type === 'select' && !options.some((option) => option.value === value)) return 'operations.field.isIn';
  return null;
}

/** Validates the fields a plugin declares. @throws Error naming the owner and the violated rule */
export function checkFields(fields: readonly SettingsField[], owner: string): void {
  if (!Array.isArray(fields) || fields.length === 0)
    throw new Error(`${owner}: the fields of a settings tab must be a list with at least one field.`);
  const keys = new Set<string>();
  for (const field of fields) {
    const key = JSON.stringify(field?.key);
    if (typeof field?.key !== 'string' || !FIELD_KEY.test(field.key))
      throw new Error(`${owner}: the key of a settings field must be 1 to 64 of A-Z a-z 0-9 _ . -, not ${key}.`);
    if (keys.has(field.key)) throw new Error(`${owner}: two settings fields have the key ${key}.`);
    keys.add(field.key);
    if (typeof field.label !== 'string' || field.label === '') throw new Error(`${owner}: the settings field ${key} needs a label.`);
    if (!FIELD_TYPES.includes(field.type))
      throw new Error(`${owner}: the type of the settings field ${key} must be one of ${FIELD_TYPES.join(', ')}.`);
    for (const name of ['hint', 'placeholder'] as const) {
      if (field[name] !== undefined && typeof field[name] !== 'string')
        throw new Error(`${owner}: the ${name} of the settings field ${key} must be a string.`);
    }
    if (field.default !== undefined && !['string', 'number', 'boolean'].includes(typeof field.default)) {
      throw new Error(`${owner}: the default of the settings field ${key} must be a string, a number or a boolean.`);
    }
    if (field.type === 'select') checkOptions(field, owner);
  }
}

function checkOptions({ key, options, default: chosen }: SettingsField, owner: string): void {
  if (!Array.isArray(options) || options.length === 0) throw new Error(`${owner}: the settings field "${key}" needs options.`);
  for (const option of options) {
    if (typeof option?.value !== 'string' || typeof option.label !== 'string')
      throw new Error(`${owner}: each option of the settings field "${key}" needs a value and a label, both strings.`);
  }
  if (chosen !== undefined && !options.some(({ value }) => value === String(chosen)))
    throw new Error(`${owner}: the default of the settings field "${key}" is not one of its options.`);
}
