import type { PackageType } from './manifest-problems.js';
import { verifyText } from './signatures.js';

/** The data a package signature covers. */
export interface SignedPackage {
  readonly type: PackageType;
  readonly slug: string;
  readonly version: string;
  /** SHA-256 of the ZIP, 64 hex digits. */
  readonly sha256: string;
  /** Size of the ZIP in bytes. */
  readonly size: number;
  /** ISO 8601, UTC. */
  readonly signedAt: string;
}

/** Certificate that a key is succeeded by a new one. */
export interface Succession {
  /** Id of the old key, which signs this. */
  readonly from: string;
  /** Id of the new key. */
  readonly to: string;
  /** ISO 8601, UTC. */
  readonly signedAt: string;
}

/**
 * Returns the text to sign for a package: one line per value, in this order, each terminated by a line feed, in UTF-8.
 * docs/store-packages.md shows how to verify it.
 *
 * @throws Error for a value with a character that could end its line
 */
export function signedText({ type, slug, version, sha256, size, signedAt }: SignedPackage): string {
  return linesOf('svc-package-v1', { type, slug, version, sha256, size, signed_at: signedAt });
}

/** Returns the text the old key signs to certify its successor. Key ids are derived from the keys and stand for them. */
export function successionText({ from, to, signedAt }: Succession): string {
  return linesOf('svc-store-key-v1', { from, to, signed_at: signedAt });
}

/** Returns the text to sign for a list of blocked files. @param list the JSON exactly as sent */
export function revocationText(list: string): string {
  return `svc-revocations-v1\n${list}`;
}

/** Verifies `signature` of `signed` with the key `pem`; also false for malformed input. */
export function verifyPackage(signed: SignedPackage, signature: string, pem: string): boolean {
  try {
    return verifyText(signedText(signed), signature, pem);
  } catch {
    return false;
  }
}

/** Formats a text to sign: its purpose, then one value per line. @throws Error for a value with a character that could end its line */
export function linesOf(kind: string, values: Readonly<Record<string, string | number>>): string {
  const lines = Object.entries(values).map(([name, value]) => {
    if (!/^[\x20-\x7e]{1,200}$/.test(String(value))) throw new Error(`The value "${name}" of the signed text must be one line of ASCII.`);
    return `${name}:${value}`;
  });
  return `${[kind, ...lines].join('\n')}\n`;
}
