import { translateFor, type Locale } from '../common/index.js';
import type { SettingsField } from '../sdk/index.js';

/** A form field declared by the panel or a plugin for a kind of object (a server, a channel, a DNS provider). */
export interface DeclaredField {
  readonly key: string;
  /** Input type; a `password` is never shown again. */
  readonly type: SettingsField['type'];
  readonly required: boolean;
  /** Default value. */
  readonly standard: string;
  /** Options of a `select`. */
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly placeholder: string;
  label(locale: Locale): string;
  hint(locale: Locale): string;
}

/** Creates a field from a plugin's declaration, translated for its reader. */
export function fieldOfPlugin(slug: string, field: SettingsField & { readonly required?: boolean }): DeclaredField {
  const { key, type, label, hint = '', placeholder = '', required = false, default: standard = '', options = [] } = field;
  return {
    key,
    type,
    required,
    standard: String(standard),
    options: options.map((option) => ({ ...option })),
    placeholder,
    label: (locale) => translateFor(slug, locale, label),
    hint: (locale) => translateFor(slug, locale, hint),
  };
}

/** Context and current value of a field for {@link fieldView}. */
export interface FieldPlace {
  /** Prefix of the field's id, for uniqueness on the page. */
  readonly prefix: string;
  readonly locale: Locale;
  readonly value: string | undefined;
  /** Whether the object already exists: an empty secret is kept unchanged then. */
  readonly isKept: boolean;
}

/** Returns the data of a field for the partial `setting_field`; its name is `cs[key]`. */
export function fieldView(field: DeclaredField, { prefix, locale, value, isKept }: FieldPlace): object {
  const { key, type, required, standard, options, placeholder } = field;
  return {
    id: `${prefix}-${key}`.replace(/\W/g, '-'),
    name: `cs[${key}]`,
    type,
    required: required && !(type === 'password' && isKept),
    label: field.label(locale),
    hint: field.hint(locale),
    value: type === 'password' ? '' : (value ?? standard),
    placeholder,
    options: options.map((option) => ({ ...option })),
  };
}
