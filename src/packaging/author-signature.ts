import { createHash } from 'node:crypto';

import type { PackageContents } from './package-contents.js';
import type { PackageType } from './manifest-problems.js';
import { PackageRefusal } from './package-refusal.js';
import { keyIdOf, verifyText } from './signatures.js';
import { linesOf, type Succession } from './signed-text.js';

/** File next to the manifest in which the author signs all other files of the package. */
export const AUTHOR_SIGNATURE_FILE = 'SIGNATURE.json';

const FORMAT = 'svc-author-signature-v1';
/** Maximum keys in an author's history. */
const MAX_KEYS = 20;
/** Maximum bytes of the file: twenty keys need a third of it. */
const MAX_BYTES = 32 * 1024;

/** A key of an author, certified by the previous one. */
export interface AuthorKey {
  /** SPKI in PEM. */
  readonly public_key: string;
  /** Creation time, ISO 8601 in UTC. */
  readonly since: string;
  /** {@link authorSuccessionText} signed by the previous key: Ed25519, base64; empty for the first key. */
  readonly succession: string;
}

/** Content of {@link AUTHOR_SIGNATURE_FILE}. */
export interface AuthorSignatureFile {
  readonly format: typeof FORMAT;
  /** All keys of the author, the signing key last. */
  readonly keys: readonly AuthorKey[];
  /** Signature of {@link authorText}: Ed25519, base64. */
  readonly signature: string;
}

/** A verified author signature. */
export interface AuthorSignature {
  /** Id of the signing key. */
  readonly keyId: string;
  /** SPKI in PEM. */
  readonly publicKey: string;
  /** Chain of keys, each certified by the previous one; the signing key is the last. */
  readonly keys: readonly { readonly keyId: string; readonly publicKey: string }[];
}

/** What an author signs: the package with all files except the signature itself. */
export interface AuthoredPackage {
  readonly type: PackageType;
  /** Name of the root folder. */
  readonly slug: string;
  /** In any order, without the signature file and macOS metadata. */
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
}

/** Returns the text to sign for a package. docs/store-packages.md shows how to verify it. */
export function authorText({ type, slug, files }: AuthoredPackage): string {
  const listed = files
    .filter(({ path }) => path !== AUTHOR_SIGNATURE_FILE)
    .map(({ path, sha256 }) => [path, sha256] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const digest = createHash('sha256').update(JSON.stringify(listed)).digest('hex');
  return linesOf('svc-author-v1', { type, slug, files: digest });
}

/** Returns the text an author's old key signs to certify its successor. */
export function authorSuccessionText({ from, to, signedAt }: Succession): string {
  return linesOf('svc-author-key-v1', { from, to, signed_at: signedAt });
}

/** Returns the content of {@link AUTHOR_SIGNATURE_FILE}. @param keys all keys, the one that made `signature` last */
export function authorSignatureFile(keys: readonly AuthorKey[], signature: string): string {
  return `${JSON.stringify({ format: FORMAT, keys, signature } satisfies AuthorSignatureFile, null, 2)}\n`;
}

/**
 * Reads and verifies the author's signature of a package.
 *
 * @returns null if it is unsigned
 * @throws PackageRefusal AUTHOR_SIGNATURE if the signature is invalid or does not cover these files
 */
export async function readAuthorSignature(contents: PackageContents, type: PackageType): Promise<AuthorSignature | null> {
  const entry = contents.entry(AUTHOR_SIGNATURE_FILE);
  if (!entry) return null;
  const file = entry.size > MAX_BYTES ? null : parse((await contents.readEntry(entry)).toString('utf8'));
  const keys = file ? verifiedKeys(file.keys) : null;
  const last = keys?.at(-1);
  const text = authorText({ type, slug: contents.root, files: contents.entries });
  if (!file || !keys || !last || !verifyText(text, file.signature, last.publicKey))
    throw new PackageRefusal('AUTHOR_SIGNATURE', AUTHOR_SIGNATURE_FILE);
  return { ...last, keys };
}

/** A version as reported by stores. */
export interface SignedVersion {
  readonly version: string;
  /** Ids of the author's keys up to the signing one (the last); none: unsigned. */
  readonly author_keys?: readonly string[] | undefined;
}

/**
 * Returns since which version the author has signed with the current key or one of its predecessors.
 *
 * @param versions newest first, starting with the version in question
 * @returns null if that version is unsigned
 */
export function signedSince(versions: readonly SignedVersion[]): { readonly keyId: string; readonly since: string } | null {
  const keys = versions[0]?.author_keys ?? [];
  const keyId = keys.at(-1);
  if (keyId === undefined) return null;
  const other = versions.findIndex(({ author_keys = [] }) => !keys.includes(author_keys.at(-1) ?? ''));
  return { keyId, since: versions.at(other < 0 ? -1 : other - 1)!.version };
}

/**
 * Returns the keys with their ids if each key after the first is certified by the previous one; null if a key or certificate is invalid.
 *
 * @param keys at most {@link MAX_KEYS}
 */
export function verifiedKeys(keys: readonly AuthorKey[]): AuthorSignature['keys'] | null {
  try {
    const named = keys.map(({ public_key: publicKey }) => ({ keyId: keyIdOf(publicKey), publicKey }));
    const follow = keys.slice(1).every(({ since, succession }, at) => {
      const [from, to] = [named[at]!, named[at + 1]!];
      return verifyText(authorSuccessionText({ from: from.keyId, to: to.keyId, signedAt: since }), succession, from.publicKey);
    });
    return follow && named.length > 0 && named.length <= MAX_KEYS ? named : null;
  } catch {
    return null;
  }
}

function parse(text: string): AuthorSignatureFile | null {
  try {
    const { format, keys, signature } = JSON.parse(text) as AuthorSignatureFile;
    const isKey = (key: AuthorKey): boolean =>
      [key.public_key, key.since, key.succession].every((value) => typeof value === 'string' && value.length <= 500);
    const isWhole = format === FORMAT && typeof signature === 'string' && Array.isArray(keys) && keys.length <= MAX_KEYS;
    return isWhole && keys.every(isKey) ? { format, keys, signature } : null;
  } catch {
    return null;
  }
}
