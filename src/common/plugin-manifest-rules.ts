import { CORE_OWNER } from './core-owner.js';
import semver from 'semver';

import { closestNames } from './closest-names.js';
import { isReservedName } from './reserved-names.js';

/** Format of a plugin's slug; it equals the folder's name. */
export const PLUGIN_SLUG = /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,62}$/;

/** Fields of plugin.json that a panel or a store reads. Source: docs/plugin-api.md "The package". */
export const MANIFEST_FIELDS = [
  'id',
  'name',
  'version',
  'author',
  'description',
  'requires',
  'requires_svc',
  'requires_mnbt',
  'requires_plugins',
  'provides',
  'main',
  'permissions',
  'share_options',
  'type',
] as const;

/** Informational fields of many manifests that are not reported as unknown. */
const NOTES = new Set(['$schema', 'license', 'homepage', 'repository', 'keywords', 'slug', 'icon']);

/** Returns whether `slug` is a valid plugin name: not a device name, `__proto__` or the panel itself, in any case. */
export function isPluginSlug(slug: unknown): slug is string {
  return typeof slug === 'string' && PLUGIN_SLUG.test(slug) && !isReservedName(slug) && slug.toLowerCase() !== CORE_OWNER;
}

/** Returns a plugin's version as semver; `1`, `1.2` and a leading `v` are accepted. Null if invalid, such as `banana`. */
export function readPluginVersion(version: string): string | null {
  const text = version.trim();
  if (/^v?\d{1,9}(?:\.\d{1,9}){0,2}$/i.test(text)) return semver.coerce(text)?.version ?? null;
  return semver.valid(text);
}

/** An unknown manifest field, and the field that was probably meant. */
export interface UnknownField {
  readonly field: string;
  /** Empty if no known field is close. */
  readonly meant: string;
}

/** Returns the unknown fields of a manifest, mostly misspelt {@link MANIFEST_FIELDS}; at most ten. */
export function unknownManifestFields(manifest: Readonly<Record<string, unknown>>): UnknownField[] {
  const known = new Set<string>(MANIFEST_FIELDS);
  return Object.keys(manifest)
    .filter((field) => !known.has(field) && !NOTES.has(field))
    .slice(0, 10)
    .map((field) => ({ field: field.slice(0, 60), meant: closestNames(field, MANIFEST_FIELDS, 1)[0] ?? '' }));
}
