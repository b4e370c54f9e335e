import { FileProblem, type UploadTarget } from '../../driver/index.js';

/** A lone surrogate, which is not valid text. `isWellFormed` is not used because Node 18 on hosting servers does not have it. */
const LONE_SURROGATE = /\p{Cs}/u;
const MAX_PATH = 4_096;
const MAX_DEPTH = 64;
/** Maximum bytes of a name, which every supported file system allows. */
const MAX_NAME = 255;
/** Characters not allowed in names: path separators of any system, the C string terminator, and control characters. */

const NEVER_IN_NAMES = /[/\\\u0000-\u001f\u007f]/;
/** The server reads its PHP settings from this file. Case, and trailing characters some file systems drop, are ignored. */
const PROTECTED = /^\.user\.ini[.\s]*$/i;

/**
 * Splits a path from the web root into its parts. The path is used literally: nothing is decoded, so `%2e` is three characters of a name.
 *
 * @throws FileProblem PATH
 */
export function partsOf(path: string): string[] {
  if (path.length > MAX_PATH || path.includes('\0') || LONE_SURROGATE.test(path)) throw new FileProblem('PATH');
  const parts = path.split('/').filter((part) => part !== '');
  if (parts.length > MAX_DEPTH || parts.some((part) => part === '.' || part === '..')) throw new FileProblem('PATH');
  return parts;
}

/**
 * Returns the folder of a path and the name in it.
 *
 * @throws FileProblem PATH for the web root, which has no parent, and as {@link partsOf}
 */
export function splitPath(path: string): { parts: string[]; name: string } {
  const parts = partsOf(path);
  const name = parts.pop();
  if (name === undefined || path.endsWith('/')) throw new FileProblem('PATH');
  return { parts, name };
}

/** Validates the name of an existing entry. @throws FileProblem PATH, PROTECTED */
export function presentName(name: string): string {
  if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name) || LONE_SURROGATE.test(name)) throw new FileProblem('PATH');
  if (isProtected(name)) throw new FileProblem('PROTECTED');
  return name;
}

/** Validates the name of a new entry. @throws FileProblem NAME, PROTECTED */
export function newName(name: string): string {
  if (name === '' || name === '.' || name === '..' || NEVER_IN_NAMES.test(name) || LONE_SURROGATE.test(name))
    throw new FileProblem('NAME', { name });
  if (Buffer.byteLength(name) > MAX_NAME || name.trim() === '') throw new FileProblem('NAME', { name });
  if (isProtected(name)) throw new FileProblem('PROTECTED');
  return name;
}

/** @throws FileProblem INSIDE_ITSELF if a folder would be placed into itself or one of its subfolders */
export function refuseInside(thing: readonly string[], folder: readonly string[], name: string): void {
  if (thing.every((part, index) => folder[index] === part)) throw new FileProblem('INSIDE_ITSELF', { name });
}

/** Returns an upload's destination: the existing folder, and the path below it. @throws FileProblem PATH, NAME, PROTECTED */
export function uploadPlace({ folder, name }: UploadTarget): { parts: string[]; at: string[] } {
  const at = name.split('/').map(newName);
  const parts = partsOf(folder);
  partsOf([...parts, ...at].join('/'));
  return { parts, at };
}

/** Returns whether a file of this name belongs to the server. */
export function isProtected(name: string): boolean {
  return PROTECTED.test(name);
}
