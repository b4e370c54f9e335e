import { FileProblem, type UploadTarget } from '../../driver/index.js';

/** Half of a character: no text. Not `isWellFormed`, which Node 18 on hosting servers does not have. */
const LONE_SURROGATE = /\p{Cs}/u;
const MAX_PATH = 4_096;
const MAX_DEPTH = 64;
/** Bytes of a name, which every file system here allows. */
const MAX_NAME = 255;
/** What a name may not hold: what divides paths anywhere, what ends strings in C, and what nobody can see. */

const NEVER_IN_NAMES = /[/\\\u0000-\u001f\u007f]/;
/** It belongs to the server, which reads its settings from it; case and what some file systems drop from the end do not count. */
const PROTECTED = /^\.user\.ini[.\s]*$/i;

/**
 * The parts of a path from the web root. It is taken as it stands: nothing is decoded, so `%2e` is three characters of a name.
 *
 * @throws FileProblem PATH
 */
export function partsOf(path: string): string[] {
  if (path.length > MAX_PATH || path.includes('\0') || LONE_SURROGATE.test(path)) throw new FileProblem('PATH');
  const parts = path.split('/').filter((part) => part !== '');
  if (parts.length > MAX_DEPTH || parts.some((part) => part === '.' || part === '..')) throw new FileProblem('PATH');
  return parts;
}

/** The folder of a path and the name in it. @throws FileProblem PATH for the web root, which is in no folder, and as {@link partsOf} */
export function splitPath(path: string): { parts: string[]; name: string } {
  const parts = partsOf(path);
  const name = parts.pop();
  if (name === undefined || path.endsWith('/')) throw new FileProblem('PATH');
  return { parts, name };
}

/** A name of something that may be there. @throws FileProblem PATH, PROTECTED */
export function presentName(name: string): string {
  if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name) || LONE_SURROGATE.test(name)) throw new FileProblem('PATH');
  if (isProtected(name)) throw new FileProblem('PROTECTED');
  return name;
}

/** A name for something new. @throws FileProblem NAME, PROTECTED */
export function newName(name: string): string {
  if (name === '' || name === '.' || name === '..' || NEVER_IN_NAMES.test(name) || LONE_SURROGATE.test(name))
    throw new FileProblem('NAME', { name });
  if (Buffer.byteLength(name) > MAX_NAME || name.trim() === '') throw new FileProblem('NAME', { name });
  if (isProtected(name)) throw new FileProblem('PROTECTED');
  return name;
}

/** @throws FileProblem INSIDE_ITSELF for a folder that would go into itself, or into one below */
export function refuseInside(thing: readonly string[], folder: readonly string[], name: string): void {
  if (thing.every((part, index) => folder[index] === part)) throw new FileProblem('INSIDE_ITSELF', { name });
}

/** Where an upload goes: the folder that is there, and the path below it. @throws FileProblem PATH, NAME, PROTECTED */
export function uploadPlace({ folder, name }: UploadTarget): { parts: string[]; at: string[] } {
  const at = name.split('/').map(newName);
  const parts = partsOf(folder);
  partsOf([...parts, ...at].join('/'));
  return { parts, at };
}

/** Tells whether a file of this name belongs to the server. */
export function isProtected(name: string): boolean {
  return PROTECTED.test(name);
}
