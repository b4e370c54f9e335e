import { translateFor, type Locale } from '../common/index.js';
import type { SettingsField } from '../sdk/index.js';

/** A field that a kind of thing (a server, a channel, a DNS provider) asks for, declared by the panel or by a plugin. */
export interface DeclaredField {
  readonly key: string;
  /** How it is asked for; a `password` is never shown again. */
  readonly type: SettingsField['type'];
  readonly required: boolean;
  /** What it is where nothing is given. */
  readonly standard: string;
  /** What can be chosen, of a `select`. */
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly placeholder: string;
  label(locale: Locale): string;
  hint(locale: Locale): string;
}

/** A plugin's field, told in the language of its reader. */
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

/** Place and present value of a field for {@link fieldView}. */
export interface FieldPlace {
  /** Begins the field's id, which is one of its own on the page. */
  readonly prefix: string;
  readonly locale: Locale;
  readonly value: string | undefined;
  /** Whether it belongs to something that is there: a secret stays when it is left empty. */
  readonly isKept: boolean;
}

/** A field as the partial `setting_field` shows it; its name is `cs[key]`. */
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
