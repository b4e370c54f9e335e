import { oneLine, shownTime, translate, type Locale, type LoggedValue } from '../common/index.js';

/** Fields whose values have texts in the feature they belong to: prefixes of those texts' keys. */
const TEXTS_OF_FEATURES: Readonly<Record<string, readonly string[]>> = {
  scene: ['payment.scene.'],
  driver: ['hosting.kind_', 'agents.kind_'],
  pauseReasons: ['hosting.reason_'],
};
/** Format of stored times. */
const MOMENT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
const LIST = /^\[.*\]$/s;

/** Returns a text of a kind of record, including a plugin's own; the key if it does not exist. */
export type ValueTexts = (key: string) => string;

/**
 * Returns a value of the field `name` for display: a known state by its label, a time in the reader's format, anything else
 * unchanged.
 *
 * @param textOf returns a text of the record's feature or plugin, `value.<field>.<value>`
 * @param zone time zone of times
 */
export function valueWords(name: string, value: LoggedValue | undefined, locale: Locale, zone: string, textOf: ValueTexts): string {
  if (value === null || value === undefined) return translate(locale, 'account.change_empty');
  if (typeof value === 'boolean') return translate(locale, value ? 'account.change_on' : 'account.change_off');
  if (typeof value === 'object') return translate(locale, 'account.change_cut', { text: oneLine(value.cut), length: value.length });
  const text = String(value);
  if (MOMENT.test(text)) return shownTime(text, locale, zone) || oneLine(text);
  const members = Object.hasOwn(TEXTS_OF_FEATURES, name) && LIST.test(text) ? membersOf(text) : null;
  if (!members) return wordOf(name, text, locale, textOf);
  if (members.length === 0) return translate(locale, 'account.change_empty');
  return members.map((member) => wordOf(name, member, locale, textOf)).join(translate(locale, 'common.list_comma'));
}

function wordOf(name: string, value: string, locale: Locale, textOf: ValueTexts): string {
  const own = `value.${name}.${value}`;
  const text = textOf(own);
  if (text !== own) return text;
  const keys = Object.hasOwn(TEXTS_OF_FEATURES, name) ? TEXTS_OF_FEATURES[name]! : [];
  const found = keys.map((beginning) => [beginning + value, translate(locale, beginning + value)]).find(([key, words]) => words !== key);
  return found ? found[1]! : oneLine(value);
}

function membersOf(text: string): string[] | null {
  try {
    const members: unknown = JSON.parse(text);
    return Array.isArray(members) ? members.map(String) : null;
  } catch {
    return null;
  }
}
