import { hash } from 'node:crypto';

import { IsOptional, IsString, MaxLength, ValidateBy } from 'class-validator';

import { AppError, type ErrorShape, type TextRef } from '../common/index.js';
import type { FormValues } from '../sdk/index.js';

export type { FormValues, SecretValue } from '../sdk/index.js';

/** Characters of a value's hash: 36 bits. */
const HASH_LENGTH = 6;
/** Characters of a version. */
const MAX_LENGTH = 10_000;
const FIELD = /^([\w.[\]-]+):([\w-]{6})$/;
/** Rows of a list share most of their short values, such as quotas: their hashes are kept, those of secrets are not. */
const KEPT_LENGTH = 32;
const MAX_HASHES = 10_000;
const hashes = new Map<string, string>();
/** Characters of a present value that a refusal tells. */
const TOLD_LENGTH = 200;

/**
 * The version of a row as a form shows it: a hash of each field, such as `webkj:k3Jd0-,mailuser:47DEQp`. It goes into the form's hidden
 * field `row_version`, comes back with what was typed, and {@link checkVersion} says whether anybody changed one of the fields meanwhile.
 */
export function versionOf(values: FormValues): string {
  let fields = '';
  for (const name of Object.keys(values)) fields += `${fields && ','}${name}:${hashOf(values[name]!)}`;
  return fields;
}

/** Values of a settings form (`config`) with the version it sends back, as the theme's partials expect both. */
export function versioned<Form extends FormValues>(config: Form): { config: Form; row_version: string } {
  return { config, row_version: versionOf(config) };
}

/** The field `row_version` of an operation's form. Without it nothing is compared: calls that never saw a form work as before. */
export const VersionField = (): PropertyDecorator => (target, property) => {
  const isVersion = ValidateBy({ name: 'isRowVersion', validator: { validate: isRowVersion } });
  for (const decorate of [IsOptional(), IsString(), MaxLength(MAX_LENGTH), isVersion]) decorate(target, property);
};

/** Tells whether a field holds a row version as forms send it; the empty string, which compares nothing, is one too. */
export function isRowVersion(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_LENGTH && (value === '' || readVersion(value) !== null);
}

/**
 * Refuses a form that was filled in from values which are no longer true. Call it where nobody else can change the row any more: in the
 * transaction that writes it, after `database.lockRow`, or under the claim of an account.
 *
 * @param version what the form brought; undefined and empty compare nothing
 * @param present values of the form's fields as they are now; fields the version does not name are left alone
 * @param only compares no other fields
 * @throws StaleForm naming the fields that are other now, and what they are
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
  throw new StaleForm(versionLike(version, present), Object.fromEntries(names.map((name) => [name, nowText(present[name] ?? null)])));
}

/** Part of an answer that gives a form its next row version. */
export type NextVersion = { readonly row_version?: string };

/** The version of what the form that brought `version` shows from now on; nothing where it brought none. */
export function nextVersion(version: string | undefined, values: FormValues): NextVersion {
  return version ? { row_version: versionLike(version, values) } : {};
}

/** The version of the same fields as `version` names, with other values; empty where there was none. */
function versionLike(version: string | undefined, values: FormValues): string {
  if (!version) return '';
  return versionOf(Object.fromEntries(fieldsOf(version).map(([name]) => [name, values[name] ?? null])));
}

/**
 * Somebody changed what a form shows while it was filled in. The answer carries the present version: sent
 * again with it, the form overwrites.
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

/** Name and hash of each field; null for what is no version. */
function readVersion(version: unknown): [name: string, hash: string][] | null {
  const text = String(version);
  // Forms that were open while the panel was updated may bring it in base64url, as it was written once.
  const fields = (text.includes(':') ? text : Buffer.from(text, 'base64url').toString()).split(',');
  const read = fields.map((field) => FIELD.exec(field)).filter((match) => match !== null);
  return read.length < fields.length ? null : read.map(([, name, hash]) => [name!, hash!]);
}

/** @throws Error for what is no version: the form's field is checked before */
function fieldsOf(version: string): [name: string, hash: string][] {
  const fields = readVersion(version);
  if (!fields) throw new Error('This is no version of a row.');
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

/** What a field is now, for who is looking at what it was. */
function nowText(value: FormValues[string]): TextRef {
  if (typeof value === 'object' && value !== null) return { key: 'http.now_other' };
  if (typeof value === 'boolean') return { key: value ? 'http.now_on' : 'http.now_off' };
  const text = String(value ?? '');
  if (text === '') return { key: 'http.now_empty' };
  return { key: 'http.now', params: { value: text.length > TOLD_LENGTH ? `${text.slice(0, TOLD_LENGTH)}…` : text } };
}
