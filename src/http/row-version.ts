import { hash } from 'node:crypto';

import { IsOptional, IsString, MaxLength, ValidateBy } from 'class-validator';

import { AppError, type ErrorShape, type TextRef } from '../common/index.js';
import type { FormValues } from '../sdk/index.js';

export type { FormValues, SecretValue } from '../sdk/index.js';

/** Length of a value's hash, in characters: 36 bits. */
const HASH_LENGTH = 6;
/** Maximum length of a version, in characters. */
const MAX_LENGTH = 10_000;
const FIELD = /^([\w.[\]-]+):([\w-]{6})$/;
/**
 * Longest value whose hash is cached: rows of a list share most of their short values, such as quotas. Hashes of secrets are never cached.
 */
const KEPT_LENGTH = 32;
const MAX_HASHES = 10_000;
const hashes = new Map<string, string>();
/** Maximum length of a current value shown in an error, in characters. */
const SHOWN_LENGTH = 200;

/**
 * Returns the version of a row as a form shows it: a hash of each field, such as `webkj:k3Jd0-,mailuser:47DEQp`. It is the form's hidden
 * field `row_version` and is submitted with the input; {@link checkVersion} then detects whether one of the fields was changed meanwhile.
 */
export function versionOf(values: FormValues): string {
  let fields = '';
  for (const name of Object.keys(values)) fields += `${fields && ','}${name}:${hashOf(values[name]!)}`;
  return fields;
}

/** Returns values of a settings form (`config`) with their version, as the theme's partials expect both. */
export function versioned<Form extends FormValues>(config: Form): { config: Form; row_version: string } {
  return { config, row_version: versionOf(config) };
}

/** The field `row_version` of an operation's form. Without it nothing is compared, so calls that never saw a form still work. */
export const VersionField = (): PropertyDecorator => (target, property) => {
  const isVersion = ValidateBy({ name: 'isRowVersion', validator: { validate: isRowVersion } });
  for (const decorate of [IsOptional(), IsString(), MaxLength(MAX_LENGTH), isVersion]) decorate(target, property);
};

/** Whether a field holds a row version as forms send it; the empty string, which compares nothing, is valid too. */
export function isRowVersion(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_LENGTH && (value === '' || readVersion(value) !== null);
}

/**
 * Rejects a form that was filled in from outdated values. Call it where the row cannot change any more: in the transaction that writes it,
 * after `database.lockRow`, or while holding the account's lock.
 *
 * @param version from the form; undefined and empty compare nothing
 * @param present current values of the form's fields; fields that the version does not name are ignored
 * @param only limits the comparison to these fields
 * @throws StaleForm naming the changed fields with their current values
 *
 * @example
 * ```ts
 * await this.database.transaction(async () => {
 *   await this.database.lockRow('HostingNode', 'id', id);
 *   checkVersion(input.row_version, nodeForm(await this.existing(id)));
 *   await this.rows.update({ id }, values);
 * });
 * ```
 */
export function checkVersion(version: string | undefined, present: FormValues, only?: readonly string[]): void {
  if (!version) return;
  const changed = fieldsOf(version).filter(([name, shown]) => (only?.includes(name) ?? true) && shown !== hashOf(present[name] ?? null));
  if (changed.length === 0) return;
  const names = changed.map(([name]) => name);
  throw new StaleForm(versionLike(version, present), Object.fromEntries(names.map((name) => [name, currentText(present[name] ?? null)])));
}

/** Part of an answer that carries the form's next row version. */
export type NextVersion = { readonly row_version?: string };

/** Returns the next version for the form that sent `version`; nothing if it sent none. */
export function nextVersion(version: string | undefined, values: FormValues): NextVersion {
  return version ? { row_version: versionLike(version, values) } : {};
}

/** Returns the version of the fields that `version` names, with other values; empty without a version. */
function versionLike(version: string | undefined, values: FormValues): string {
  if (!version) return '';
  return versionOf(Object.fromEntries(fieldsOf(version).map(([name]) => [name, values[name] ?? null])));
}

/**
 * Another user changed the row while the form was open. The answer carries the current version: resubmitting with it overwrites the row.
 */
export class StaleForm extends AppError<'STALE_FORM'> {
  constructor(
    private readonly version: string,
    fields: Readonly<Record<string, TextRef>>,
  ) {
    super('STALE_FORM', {}, fields);
  }

  get shape(): ErrorShape {
    return { err: 'E_CONFLICT', text: 'http.stale_form' };
  }

  override get extras(): { readonly row_version: string } {
    return { row_version: this.version };
  }
}

/** Parses name and hash of each field; null for an invalid version. */
function readVersion(version: unknown): [name: string, hash: string][] | null {
  const text = String(version);
  // Forms that were open during an update of the panel may send the former base64url format.
  const fields = (text.includes(':') ? text : Buffer.from(text, 'base64url').toString()).split(',');
  const read = fields.map((field) => FIELD.exec(field)).filter((match) => match !== null);
  return read.length < fields.length ? null : read.map(([, name, hash]) => [name!, hash!]);
}

/** @throws Error for an invalid version: the form's field is validated before */
function fieldsOf(version: string): [name: string, hash: string][] {
  const fields = readVersion(version);
  if (!fields) throw new Error('This is not a row version.');
  return fields;
}

function hashOf(value: FormValues[string]): string {
  if (typeof value === 'object' && value !== null) return hashed(`secret ${value.secret}`);
  const text = String(value ?? '');
  if (text.length > KEPT_LENGTH) return hashed(text);
  let kept = hashes.get(text);
  if (kept === undefined) {
    kept = hashed(text);
    if (hashes.size >= MAX_HASHES) hashes.clear();
    hashes.set(text, kept);
  }
  return kept;
}

const hashed = (text: string): string => hash('sha256', text, 'base64url').slice(0, HASH_LENGTH);

/** Describes the current value of a field. */
function currentText(value: FormValues[string]): TextRef {
  if (typeof value === 'object' && value !== null) return { key: 'http.now_other' };
  if (typeof value === 'boolean') return { key: value ? 'http.now_on' : 'http.now_off' };
  const text = String(value ?? '');
  if (text === '') return { key: 'http.now_empty' };
  return { key: 'http.now', params: { value: text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text } };
}
