import { keyIdOf, type SignedVersion } from '../packaging/index.js';
import type { PackageOrigin } from '../plugin-registry/index.js';

import { PluginStoreError } from './errors.js';
import type { CheckedPackage } from './package-check.js';

/** What stands in place of a key where a package is not signed by its author. */
export const UNSIGNED = 'none';

/** Id of the key a package that is installed was signed with by its author; empty: nobody signed it. */
function knownKeyId(origin: PackageOrigin | null): string {
  return origin?.authorKey ? keyIdOf(origin.authorKey) : '';
}

/**
 * What another version is signed with, where somebody has to say yes to that: it is not the key of what is installed, and that key does
 * not vouch for it.
 *
 * @param keys ids of the keys that lead to the one it is signed with, as the store says
 * @returns the id of that key, or {@link UNSIGNED}; empty where there is nothing to ask
 */
export function otherAuthor(origin: PackageOrigin | null, keys: readonly string[]): string {
  const known = knownKeyId(origin);
  return known === '' || keys.includes(known) ? '' : (keys.at(-1) ?? UNSIGNED);
}

/**
 * Refuses a package that is signed by somebody else than the version that is installed.
 *
 * @param agreed the key somebody said yes to, as {@link otherAuthor} tells it
 * @throws PluginStoreError AUTHOR_CHANGED, AUTHOR_GONE
 */
export function requireAuthor({ slug, version, author }: CheckedPackage, origin: PackageOrigin | null, agreed: string): void {
  if (!origin?.authorKey || author?.keys.some(({ publicKey }) => publicKey === origin.authorKey)) return;
  const key = author?.keyId ?? UNSIGNED;
  if (agreed !== key) throw authorRefusal(slug, version, knownKeyId(origin), key);
}

/**
 * The same for a version as the store tells of it, before it is fetched.
 *
 * @throws PluginStoreError AUTHOR_CHANGED, AUTHOR_GONE
 */
export function requireToldAuthor(slug: string, told: SignedVersion, origin: PackageOrigin | null, agreed: string): void {
  const key = otherAuthor(origin, told.author_keys ?? []);
  if (key !== '' && key !== agreed) throw authorRefusal(slug, told.version, knownKeyId(origin), key);
}

/** That a version is signed by somebody else. @param key as {@link otherAuthor} tells it */
function authorRefusal(slug: string, version: string, known: string, key: string): PluginStoreError {
  return new PluginStoreError(key === UNSIGNED ? 'AUTHOR_GONE' : 'AUTHOR_CHANGED', { slug, version, known, key });
}
