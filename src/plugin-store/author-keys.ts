import { keyIdOf, type SignedVersion } from '../packaging/index.js';
import type { PackageOrigin } from '../plugin-registry/index.js';

import { PluginStoreError } from './errors.js';
import type { CheckedPackage } from './package-check.js';

/** Stands for "not signed by its author" in place of a key id. */
export const UNSIGNED = 'none';

/** Id of the author's key that signed the installed package; empty: unsigned. */
function knownKeyId(origin: PackageOrigin | null): string {
  return origin?.authorKey ? keyIdOf(origin.authorKey) : '';
}

/**
 * Returns the key of another version if an administrator must confirm the change of author: the key differs from the installed version's
 * and is not certified by it.
 *
 * @param keys ids of the author's keys up to the signing one, as reported by the store
 * @returns the id of that key, or {@link UNSIGNED}; empty if no confirmation is needed
 */
export function otherAuthor(origin: PackageOrigin | null, keys: readonly string[]): string {
  const known = knownKeyId(origin);
  return known === '' || keys.includes(known) ? '' : (keys.at(-1) ?? UNSIGNED);
}

/**
 * Rejects a package signed by another author than the installed version.
 *
 * @param agreed key confirmed by the administrator, as returned by {@link otherAuthor}
 * @throws PluginStoreError AUTHOR_CHANGED, AUTHOR_GONE
 */
export function requireAuthor({ slug, version, author }: CheckedPackage, origin: PackageOrigin | null, agreed: string): void {
  if (!origin?.authorKey || author?.keys.some(({ publicKey }) => publicKey === origin.authorKey)) return;
  const key = author?.keyId ?? UNSIGNED;
  if (agreed !== key) throw authorRefusal(slug, version, knownKeyId(origin), key);
}

/**
 * As {@link requireAuthor}, for a version reported by the store, before it is downloaded.
 *
 * @throws PluginStoreError AUTHOR_CHANGED, AUTHOR_GONE
 */
export function requireListedAuthor(slug: string, listed: SignedVersion, origin: PackageOrigin | null, agreed: string): void {
  const key = otherAuthor(origin, listed.author_keys ?? []);
  if (key !== '' && key !== agreed) throw authorRefusal(slug, listed.version, knownKeyId(origin), key);
}

/** Error for a version signed by another author. @param key as returned by {@link otherAuthor} */
function authorRefusal(slug: string, version: string, known: string, key: string): PluginStoreError {
  return new PluginStoreError(key === UNSIGNED ? 'AUTHOR_GONE' : 'AUTHOR_CHANGED', { slug, version, known, key });
}
