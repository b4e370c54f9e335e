import { oneLine, shownTime, translate, type Locale, type LoggedValue } from '../common/index.js';

/** Fields whose values are told by texts of the feature they belong to: beginnings of those texts' keys. */
const TEXTS_OF_FEATURES: Readonly<Record<string, readonly string[]>> = {
  scene: ['payment.scene.'],
  driver: ['hosting.kind_', 'agents.kind_'],
  pauseReasons: ['hosting.reason_'],
};
/** As moments are kept. */
const MOMENT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
const LIST = /^\[.*\]$/s;

/** Texts of a kind of thing, of a plugin's own too; the key where there is none. */
export type ValueTexts = (key: string) => string;

/**
 * A value of the field `name` as people read it: one of a few states by its word, a time as their language writes it, anything else as
 * it is.
 *
 * @param textOf a text of the thing's feature or plugin, `value.<field>.<value>`
 * @param zone of times
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
  const told = textOf(own);
  if (told !== own) return told;
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
