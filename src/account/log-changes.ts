import {
  LOCALES,
  ownerKeys,
  translate,
  translateFor,
  type Locale,
  type LoggedChange,
  type LoggedField,
  type LoggedValue,
  type TextParams,
} from '../common/index.js';
import { subjectOf, type OperationLog } from '../operations/index.js';

import words from './lang/zh-CN.json' with { type: 'json' };

import { valueWords } from './log-values.js';

const SUBJECT = 'subject.';
const FIELD = 'changed.';
const keysOf = (beginning: string): string[] =>
  Object.keys(words)
    .filter((key) => key.startsWith(beginning))
    .map((key) => key.slice(beginning.length));
/** Separates a plugin's slug from its own name of a kind of record. */
const OF_PLUGIN = '/';
const PLUGIN_SUBJECT = /^[\w-]{1,64}\/[a-z][a-z0-9_]{0,31}(:.{1,60})?$/;
/** Kinds of records and field names that have labels. */
const SUBJECTS = keysOf(SUBJECT);
const FIELDS = keysOf(FIELD);

/** Describes changes in the reader's language: a line for each record, and one for each of its fields. @param zone time zone of times */
export function changeLines({ changes }: Pick<OperationLog, 'changes'>, locale: Locale, zone: string): string[] {
  return (changes ?? []).flatMap((change, at, all) => {
    const heading = translate(locale, `account.change_${change.deed}`, { subject: subjectWords(change, locale) });
    const goesOn = at > 0 && subjectOf(all[at - 1]!) === subjectOf(change);
    return [
      ...(goesOn ? [] : [heading]),
      ...change.fields.map((field) => fieldLine(change, field, locale, zone)),
      ...(change.more ? [translate(locale, 'account.change_more', { count: change.more })] : []),
    ];
  });
}

/** Returns the subjects a search text may mean: `host:12`, `Host 12` and `主机 12` the same one, `12` that of every kind. */
export function subjectsOf(text: string): string[] {
  const wanted = folded(text);
  const ids = new Set([/[^\s:]+$/, /\d+$/].map((pattern) => pattern.exec(text.trim())?.[0] ?? ''));
  const namesOf = (subject: Pick<LoggedChange, 'of' | 'id'>): string[] => [
    subjectOf(subject),
    ...LOCALES.map((locale) => subjectWords(subject, locale)),
    ...(/^\d+$/.test(subject.id) ? [subject.id] : []),
  ];
  const kinds = [...SUBJECTS, ...ownerKeys(SUBJECT).map(({ owner, key }) => `${owner}${OF_PLUGIN}${key}`)];
  const meant = kinds.flatMap((of) => ['', ...ids].map((id) => ({ of, id })));
  const found = meant.filter((subject) => namesOf(subject).some((name) => folded(name) === wanted));
  const named = PLUGIN_SUBJECT.test(text.trim()) ? [text.trim()] : [];
  return [...new Set([...named, ...found.map(subjectOf)])];
}

/** Returns the field names a search text may mean: part of a name, or of a label. */
export function fieldsOf(text: string): string[] {
  const wanted = folded(text);
  const labels = (key: string): string[] => LOCALES.map((locale) => folded(translate(locale, `account.${FIELD}${key}`)));
  const found = FIELDS.filter((key) => folded(key).includes(wanted) || labels(key).some((label) => label.includes(wanted)));
  const ofPlugins = ownerKeys(FIELD)
    .filter(({ owner, key }) => LOCALES.some((locale) => folded(translateFor(owner, locale, `${FIELD}${key}`)).includes(wanted)))
    .map(({ key }) => key);
  return [...new Set([...found, ...ofPlugins].map((key) => key.slice(key.indexOf('.') + 1)))];
}

const folded = (text: string): string => text.toLowerCase().replace(/[\s:]+/g, '');

function subjectWords({ of, id }: Pick<LoggedChange, 'of' | 'id'>, locale: Locale): string {
  const key = `${SUBJECT}${nameOf(of)}`;
  const label = wordsOf(of, locale, key, { id }).trim();
  return label === key ? subjectOf({ of, id }) : label;
}

/** Returns the label of a field; its name if it has none. */
function fieldWords({ of }: LoggedChange, name: string, locale: Locale): string {
  const keys = [`${FIELD}${nameOf(of)}.${name}`, `${FIELD}${name}`];
  return keys.map((key) => [key, wordsOf(of, locale, key)] as const).find(([key, words]) => words !== key)?.[1] ?? name;
}

/** Returns a kind of record without the plugin's slug. */
const nameOf = (of: string): string => of.slice(of.indexOf(OF_PLUGIN) + 1);

/** Returns a text about a kind of record from the panel or its plugin; its key if it does not exist. */
function wordsOf(of: string, locale: Locale, key: string, params: TextParams = {}): string {
  const at = of.indexOf(OF_PLUGIN);
  if (at >= 0) return translateFor(of.slice(0, at), locale, key, params);
  const label = translate(locale, `account.${key}`, params);
  return label === `account.${key}` ? key : label;
}

function fieldLine(change: LoggedChange, { name, before, after, secret }: LoggedField, locale: Locale, zone: string): string {
  const field = fieldWords(change, name, locale);
  if (secret) return translate(locale, 'account.change_secret', { field });
  const words = (value: LoggedValue | undefined): string => valueWords(name, value, locale, zone, (key) => wordsOf(change.of, locale, key));
  return translate(locale, 'account.change_line', { field, before: words(before), after: words(after) });
}
