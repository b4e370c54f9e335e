import { readAuthorSignature, type AuthorSignature } from './author-signature.js';
import { PackageContents } from './package-contents.js';
import { readManifest, type PackageForm, type PackageManifest } from './package-manifest.js';

/** A package that passed all rules. */
export interface ReadPackage {
  readonly contents: PackageContents;
  readonly manifest: PackageManifest;
  /** The author's signature; null if unsigned. */
  readonly author: AuthorSignature | null;
}

/**
 * Reads and checks an uploaded ZIP against all rules of docs/store-packages.md: first the headers, then the content, which is unpacked once
 * in small steps without storing it. Needs only a few megabytes of memory for any ZIP.
 *
 * @param path a file of at most 50 MB that must not change meanwhile
 * @throws PackageRefusal for the first broken rule
 *
 * @example
 * ```ts
 * const { contents, manifest } = await readPackage(upload.path, { type: 'plugin', slug: 'demo', version: '1.0.0' });
 * for (const entry of contents) console.log(entry.path, entry.size, entry.sha256);
 * ```
 */
export async function readPackage(path: string, form: PackageForm): Promise<ReadPackage> {
  const contents = await PackageContents.open(path, form.slug);
  return { contents, manifest: await readManifest(contents, form), author: await readAuthorSignature(contents, form.type) };
}
