import type { PackageType } from '../package-manifest.js';

/** What a signature vouches for. */
export interface SignedPackage {
  readonly type: PackageType;
  readonly slug: string;
  readonly version: string;
  /** Of the ZIP, 64 hex digits. */
  readonly sha256: string;
  /** Of the ZIP, in bytes. */
  readonly size: number;
  /** ISO 8601, UTC. */
  readonly signedAt: string;
}

/**
 * The text that is signed: one line per value, in this order, each ended by a line feed, in UTF-8. docs/store-packages.md
 * shows how to verify it.
 *
 * @throws Error for a value with a character that could end its line
 */
export function signedText({ type, slug, version, sha256, size, signedAt }: SignedPackage): string {
  const values = { type, slug, version, sha256, size, signed_at: signedAt };
  const lines = Object.entries(values).map(([name, value]) => {
    if (!/^[\x20-\x7e]{1,200}$/.test(String(value))) throw new Error(`The ${name} of a package cannot be signed.`);
    return `${name}:${value}`;
  });
  return `${['svc-package-v1', ...lines].join('\n')}\n`;
}
