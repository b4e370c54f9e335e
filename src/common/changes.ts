import type { CallContext } from '../sdk/index.js';

/** A field value before or after a change, as the operation log stores it; a truncated text carries its full length. */
export type LoggedValue = string | number | boolean | null | { readonly cut: string; readonly length: number };

/** A changed field. For a secret only the fact that it changed is kept. */
export interface LoggedField {
  readonly name: string;
  readonly before?: LoggedValue;
  readonly after?: LoggedValue;
  readonly secret?: true;
}

/** A change of one record: the changed fields, or all fields of a record that was added or removed. */
export interface LoggedChange {
  /** Kind of record, such as `host`. Its label is `account.subject.<of>`; its fields are labelled `account.changed.<field>`. */
  readonly of: string;
  /** Id of the record; empty if there is only one of its kind. */
  readonly id: string;
  readonly deed: 'changed' | 'added' | 'removed';
  readonly fields: readonly LoggedField[];
  /** Number of fields left out for lack of space. */
  readonly more?: number;
}

/** The record that a change belongs to. */
export interface ChangedSubject {
  readonly of: string;
  readonly id?: string | number;
  /** Names of secret fields, in addition to those whose name matches {@link SECRET}. */
  readonly secret?: readonly string[];
  /** Fields to log; without it, all fields of the later values. */
  readonly only?: readonly string[];
}

/** Field values of a record, by field name. */
export type ChangedValues = object;

const SECRET = /pass|secret|token|hash|apikey|(?:^|[a-z_])key$|Key$/i;
/** Maximum characters kept of a text. */
const MAX_TEXT = 200;
/** Maximum bytes of all fields of one record, as JSON. */
const MAX_FIELDS = 6_000;
/** Maximum records logged per operation. */
const MAX_SUBJECTS = 20;

const noted = new WeakMap<CallContext, LoggedChange[]>();

/** Records a change for the operation log entry of this request; see `Database.noteChange`. */
export function noteChange(call: CallContext, subject: ChangedSubject, before: ChangedValues | null, after: ChangedValues | null): void {
  const change = changeOf(subject, before, after);
  const all = noted.get(call) ?? [];
  if (change && all.length < MAX_SUBJECTS) noted.set(call, [...all, change]);
}

/** Returns the change of a record; null if no field changed. */
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

/** Returns and clears the changes recorded since the last log entry of this request, in order. */
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

/** Null, undefined and an empty text are treated as the same value. */
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
