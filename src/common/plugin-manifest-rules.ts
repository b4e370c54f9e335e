import { CORE_OWNER } from './core-owner.js';
import semver from 'semver';

import { closestNames } from './closest-names.js';
import { isReservedName } from './reserved-names.js';

/** What a plugin's slug may be; it equals the folder's name. */
export const PLUGIN_SLUG = /^[a-zA-Z0-9][a-zA-Z0-9_-]{0,62}$/;

/** Fields of plugin.json that mean something to a panel or a store. Source: docs/plugin-api.md "The package". */
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

/** Fields that stand in many manifests for people and tools to read, and are no mistake. */
const NOTES = new Set(['$schema', 'license', 'homepage', 'repository', 'keywords', 'slug', 'icon']);

/** Whether `slug` may name a plugin: no name that means a device, `__proto__` or the panel itself, in any case. */
export function isPluginSlug(slug: unknown): slug is string {
  return typeof slug === 'string' && PLUGIN_SLUG.test(slug) && !isReservedName(slug) && slug.toLowerCase() !== CORE_OWNER;
}

/** A plugin's version as semver; `1`, `1.2` and a `v` in front are taken. Null for what is none, such as `banana`. */
export function readPluginVersion(version: string): string | null {
  const text = version.trim();
  if (/^v?\d{1,9}(?:\.\d{1,9}){0,2}$/i.test(text)) return semver.coerce(text)?.version ?? null;
  return semver.valid(text);
}

/** A field of a manifest that nobody reads, and what may have been meant. */
export interface UnknownField {
  readonly field: string;
  /** Empty where nothing is close. */
  readonly meant: string;
}

/** Fields nobody reads: mostly those of {@link MANIFEST_FIELDS} misspelt. At most ten. */
export function unknownManifestFields(manifest: Readonly<Record<string, unknown>>): UnknownField[] {
  const known = new Set<string>(MANIFEST_FIELDS);
  return Object.keys(manifest)
    .filter((field) => !known.has(field) && !NOTES.has(field))
    .slice(0, 10)
    .map((field) => ({ field: field.slice(0, 60), meant: closestNames(field, MANIFEST_FIELDS, 1)[0] ?? '' }));
}
