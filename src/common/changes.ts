import type { CallContext } from '../sdk/index.js';

/** What a field was or is, as the operation log keeps it; a text that was cut says how long it is. */
export type LoggedValue = string | number | boolean | null | { readonly cut: string; readonly length: number };

/** A field that is other than before. Of a secret nothing is kept but that. */
export interface LoggedField {
  readonly name: string;
  readonly before?: LoggedValue;
  readonly after?: LoggedValue;
  readonly secret?: true;
}

/** What became of one thing: its fields that are other than before; all that it had where it came or went. */
export interface LoggedChange {
  /** Kind of thing, such as `host`: its words are `account.subject.<of>`, those of its fields `account.changed.<field>`. */
  readonly of: string;
  /** Its id; empty where there is only one. */
  readonly id: string;
  readonly deed: 'changed' | 'added' | 'removed';
  readonly fields: readonly LoggedField[];
  /** Fields that had no room. */
  readonly more?: number;
}

/** What a change is of. */
export interface ChangedSubject {
  readonly of: string;
  readonly id?: string | number;
  /** Fields that are secrets besides those whose name says so. */
  readonly secret?: readonly string[];
  /** Fields that are told of; all of the later values where nothing is given. */
  readonly only?: readonly string[];
}

/** What a thing was or is, by the names of its fields. */
export type ChangedValues = object;

const SECRET = /pass|secret|token|hash|apikey|(?:^|[a-z_])key$|Key$/i;
/** Characters of a text that are kept. */
const MAX_TEXT = 200;
/** Characters of all fields of one thing, as JSON. */
const MAX_FIELDS = 6_000;
/** Things one operation is told of. */
const MAX_SUBJECTS = 20;

const noted = new WeakMap<CallContext, LoggedChange[]>();

/** Notes what became of a thing, for the line that the operation of this request leaves; see `Database.noteChange`. */
export function noteChange(call: CallContext, subject: ChangedSubject, before: ChangedValues | null, after: ChangedValues | null): void {
  const change = changeOf(subject, before, after);
  const all = noted.get(call) ?? [];
  if (change && all.length < MAX_SUBJECTS) noted.set(call, [...all, change]);
}

/** What became of a thing; null where nothing did. */
export function changeOf(
  { of, id = '', secret = [], only }: ChangedSubject,
  before: ChangedValues | null,
  after: ChangedValues | null,
): LoggedChange | null {
  const [old, now] = [new Map<string, unknown>(Object.entries(before ?? {})), new Map<string, unknown>(Object.entries(after ?? {}))];
  const names = only ?? [...(after ? now : old).keys()];
  const fields = names.flatMap((name) => fieldOf(name, old.get(name), now.get(name), secret.includes(name) || SECRET.test(name)));
  if (fields.length === 0) return null;
  const deed = before === null ? 'added' : after === null ? 'removed' : 'changed';
  return { of, id: String(id), deed, ...bounded(fields) };
}

/** What was noted since the last line of this request, in order. */
export function takeChanges(call: CallContext): readonly LoggedChange[] {
  const changes = noted.get(call) ?? [];
  noted.delete(call);
  return changes;
}

function fieldOf(name: string, before: unknown, after: unknown, secret: boolean): LoggedField[] {
  const [was, is] = [textOf(before), textOf(after)];
  if (was === is) return [];
  return [secret ? { name, secret: true } : { name, before: loggedValue(before, was), after: loggedValue(after, is) }];
}

/** Null, undefined and an empty text are all the same: there is nothing. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string);
}

function loggedValue(value: unknown, text: string): LoggedValue {
  if (text === '') return null;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return text.length > MAX_TEXT ? { cut: text.slice(0, MAX_TEXT), length: text.length } : text;
}

function bounded(fields: readonly LoggedField[]): Pick<LoggedChange, 'fields' | 'more'> {
  let room = MAX_FIELDS;
  const kept = fields.filter((field) => (room -= Buffer.byteLength(JSON.stringify(field)) + 1) >= 0);
  return kept.length < fields.length ? { fields: kept, more: fields.length - kept.length } : { fields };
}
