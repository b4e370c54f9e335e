import type { PackageType } from './manifest-problems.js';
import { verifyText } from './signatures.js';

/** What the signature of a package vouches for. */
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

/** That a store signs with another key from now on. */
export interface Succession {
  /** Id of the key that signs this. */
  readonly from: string;
  /** Id of the new key. */
  readonly to: string;
  /** ISO 8601, UTC. */
  readonly signedAt: string;
}

/**
 * The text that is signed for a package: one line per value, in this order, each ended by a line feed, in UTF-8. docs/store-packages.md
 * shows how to verify it.
 *
 * @throws Error for a value with a character that could end its line
 */
export function signedText({ type, slug, version, sha256, size, signedAt }: SignedPackage): string {
  return linesOf('svc-package-v1', { type, slug, version, sha256, size, signed_at: signedAt });
}

/** The text the old key signs when a new one takes its place. A key's id is made of the key, so it stands for it. */
export function successionText({ from, to, signedAt }: Succession): string {
  return linesOf('svc-store-key-v1', { from, to, signed_at: signedAt });
}

/** The text that is signed for a list of blocked files. @param list the JSON as it is sent */
export function revocationText(list: string): string {
  return `svc-revocations-v1\n${list}`;
}

/** Whether `signature` is that of `signed` by the key `pem`; false for anything malformed too. */
export function verifyPackage(signed: SignedPackage, signature: string, pem: string): boolean {
  try {
    return verifyText(signedText(signed), signature, pem);
  } catch {
    return false;
  }
}

/** A text to sign: what it is for, and its values, one to a line. @throws Error for a value with a character that could end its line */
export function linesOf(kind: string, values: Readonly<Record<string, string | number>>): string {
  const lines = Object.entries(values).map(([name, value]) => {
    if (!/^[\x20-\x7e]{1,200}$/.test(String(value))) throw new Error(`The ${name} of what is signed must be one line of ASCII.`);
    return `${name}:${value}`;
  });
  return `${[kind, ...lines].join('\n')}\n`;
}
