import { createHash } from 'node:crypto';

import type { PackageContents } from './package-contents.js';
import type { PackageType } from './manifest-problems.js';
import { PackageRefusal } from './package-refusal.js';
import { keyIdOf, verifyText } from './signatures.js';
import { linesOf, type Succession } from './signed-text.js';

/** The file of a package, beside its manifest, in which its author signs all the others. */
export const AUTHOR_SIGNATURE_FILE = 'SIGNATURE.json';

const FORMAT = 'svc-author-signature-v1';
/** Keys an author may have had. */
const MAX_KEYS = 20;
/** Bytes of the file: twenty keys are a third of it. */
const MAX_BYTES = 32 * 1024;

/** A key of an author, and that the one before it vouches for it. */
export interface AuthorKey {
  /** SPKI in PEM. */
  readonly public_key: string;
  /** When it was made: ISO 8601, UTC. */
  readonly since: string;
  /** {@link authorSuccessionText}, signed by the key before: Ed25519, base64; empty for the first. */
  readonly succession: string;
}

/** What {@link AUTHOR_SIGNATURE_FILE} holds. */
export interface AuthorSignatureFile {
  readonly format: typeof FORMAT;
  /** Every key the author had, the one that signs last. */
  readonly keys: readonly AuthorKey[];
  /** Of {@link authorText}: Ed25519, base64. */
  readonly signature: string;
}

/** An author's signature that was verified. */
export interface AuthorSignature {
  /** Of the key that signed. */
  readonly keyId: string;
  /** SPKI in PEM. */
  readonly publicKey: string;
  /** Keys that lead to it, each vouched for by the one before; the one that signed is the last. */
  readonly keys: readonly { readonly keyId: string; readonly publicKey: string }[];
}

/** What an author signs: the package and every file of it but the signature itself. */
export interface AuthoredPackage {
  readonly type: PackageType;
  /** Name of the root folder. */
  readonly slug: string;
  /** In any order; the signature and what macOS adds are no part. */
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
}

/** The text that is signed for a package. docs/store-packages.md shows how to verify it. */
export function authorText({ type, slug, files }: AuthoredPackage): string {
  const listed = files
    .filter(({ path }) => path !== AUTHOR_SIGNATURE_FILE)
    .map(({ path, sha256 }) => [path, sha256] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const digest = createHash('sha256').update(JSON.stringify(listed)).digest('hex');
  return linesOf('svc-author-v1', { type, slug, files: digest });
}

/** The text an author's old key signs when a new one takes its place. */
export function authorSuccessionText({ from, to, signedAt }: Succession): string {
  return linesOf('svc-author-key-v1', { from, to, signed_at: signedAt });
}

/** The content of {@link AUTHOR_SIGNATURE_FILE}. @param keys every key, the one that made `signature` last */
export function authorSignatureFile(keys: readonly AuthorKey[], signature: string): string {
  return `${JSON.stringify({ format: FORMAT, keys, signature } satisfies AuthorSignatureFile, null, 2)}\n`;
}

/**
 * Who signed a package as its author.
 *
 * @returns null where nobody did
 * @throws PackageRefusal AUTHOR_SIGNATURE where it says to be signed and is not by that key, or other files were
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

/** A version as stores tell of it. */
export interface SignedVersion {
  readonly version: string;
  /** Ids of keys that lead to the one it was signed with, the last; none: nobody signed it. */
  readonly author_keys?: readonly string[] | undefined;
}

/**
 * Since when the author of a version has signed with the key it has, or with those that lead to it.
 *
 * @param versions newest first; the version is the first of them
 * @returns null where nobody signed it
 */
export function signedSince(versions: readonly SignedVersion[]): { readonly keyId: string; readonly since: string } | null {
  const keys = versions[0]?.author_keys ?? [];
  const keyId = keys.at(-1);
  if (keyId === undefined) return null;
  const other = versions.findIndex(({ author_keys = [] }) => !keys.includes(author_keys.at(-1) ?? ''));
  return { keyId, since: versions.at(other < 0 ? -1 : other - 1)!.version };
}

/**
 * The keys with their ids, where each but the first is vouched for by the one before; null where one is not, or is no key.
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
