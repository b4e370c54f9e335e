import { readAuthorSignature, type AuthorSignature } from './author-signature.js';
import { PackageContents } from './package-contents.js';
import { readManifest, type PackageForm, type PackageManifest } from './package-manifest.js';

/** A package that broke no rule. */
export interface ReadPackage {
  readonly contents: PackageContents;
  readonly manifest: PackageManifest;
  /** Who signed it as its author; null where nobody did. */
  readonly author: AuthorSignature | null;
}

/**
 * Reads an uploaded ZIP: every rule of docs/store-packages.md, first over its headers, then over its content, which is
 * unpacked once in small steps and kept nowhere. Memory stays below some megabytes whatever the ZIP.
 *
 * @param path a file of at most 50 MB that nobody changes meanwhile
 * @throws PackageRefusal for the first rule it breaks
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
