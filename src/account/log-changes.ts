import { LOCALES, translate, type Locale, type LoggedChange, type LoggedField, type LoggedValue } from '../common/index.js';
import { oneLine, subjectOf, type OperationLog } from '../operations/index.js';

import words from './lang/zh-CN.json' with { type: 'json' };

const SUBJECT = 'subject.';
const FIELD = 'changed.';
const keysOf = (beginning: string): string[] =>
  Object.keys(words)
    .filter((key) => key.startsWith(beginning))
    .map((key) => key.slice(beginning.length));
/** Kinds of things lines tell of, and names of fields that have words. */
const SUBJECTS = keysOf(SUBJECT);
const FIELDS = keysOf(FIELD);

/** What was changed, in the language of who reads it: a line for each thing, and one for each field of it. */
export function changeLines({ changes }: Pick<OperationLog, 'changes'>, locale: Locale): string[] {
  return (changes ?? []).flatMap((change, at, all) => {
    const heading = translate(locale, `account.change_${change.deed}`, { subject: subjectWords(change, locale) });
    const goesOn = at > 0 && subjectOf(all[at - 1]!) === subjectOf(change);
    return [
      ...(goesOn ? [] : [heading]),
      ...change.fields.map((field) => fieldLine(change, field, locale)),
      ...(change.more ? [translate(locale, 'account.change_more', { count: change.more })] : []),
    ];
  });
}

/** The subjects a search may mean: `host:12`, `Host 12` and `主机 12` one, `12` that of every kind. */
export function subjectsOf(text: string): string[] {
  const wanted = folded(text);
  const ids = new Set([/[^\s:]+$/, /\d+$/].map((pattern) => pattern.exec(text.trim())?.[0] ?? ''));
  const namesOf = (subject: Pick<LoggedChange, 'of' | 'id'>): string[] => [
    subjectOf(subject),
    ...LOCALES.map((locale) => subjectWords(subject, locale)),
    ...(/^\d+$/.test(subject.id) ? [subject.id] : []),
  ];
  const meant = SUBJECTS.flatMap((of) => ['', ...ids].map((id) => ({ of, id })));
  const found = meant.filter((subject) => namesOf(subject).some((name) => folded(name) === wanted));
  return [...new Set(found.map(subjectOf))];
}

/** The names of fields a search may mean: part of a name, or of what people know it as. */
export function fieldsOf(text: string): string[] {
  const wanted = folded(text);
  const labels = (key: string): string[] => LOCALES.map((locale) => folded(translate(locale, `account.${FIELD}${key}`)));
  const found = FIELDS.filter((key) => folded(key).includes(wanted) || labels(key).some((label) => label.includes(wanted)));
  return [...new Set(found.map((key) => key.slice(key.indexOf('.') + 1)))];
}

const folded = (text: string): string => text.toLowerCase().replace(/[\s:]+/g, '');

function subjectWords({ of, id }: Pick<LoggedChange, 'of' | 'id'>, locale: Locale): string {
  const key = `account.${SUBJECT}${of}`;
  const told = translate(locale, key, { id }).trim();
  return told === key ? subjectOf({ of, id }) : told;
}

/** What people know a field as; its name where it has no words. */
function fieldWords({ of }: LoggedChange, name: string, locale: Locale): string {
  const key = [`${of}.${name}`, name].find((candidate) => FIELDS.includes(candidate));
  return key === undefined ? name : translate(locale, `account.${FIELD}${key}`);
}

function fieldLine(change: LoggedChange, { name, before, after, secret }: LoggedField, locale: Locale): string {
  const field = fieldWords(change, name, locale);
  if (secret) return translate(locale, 'account.change_secret', { field });
  return translate(locale, 'account.change_line', { field, before: valueWords(before, locale), after: valueWords(after, locale) });
}

function valueWords(value: LoggedValue | undefined, locale: Locale): string {
  if (value === null || value === undefined) return translate(locale, 'account.change_empty');
  if (typeof value === 'boolean') return translate(locale, value ? 'account.change_on' : 'account.change_off');
  if (typeof value === 'object') return translate(locale, 'account.change_cut', { text: oneLine(value.cut), length: value.length });
  return oneLine(String(value));
}
