import { FileError } from './file-errors.js';

/** Maximum entries of one call. */
const MAX_NAMES = 1_000;

/** Parses names or paths: a JSON array, or one name, without duplicates. @throws FileError NOTHING_CHOSEN, TOO_MANY */
export function readNames(text: string | undefined): string[] {
  const names = [...new Set(itemsOf(text ?? ''))].filter((name) => name !== '');
  if (names.length === 0) throw new FileError('NOTHING_CHOSEN');
  if (names.length > MAX_NAMES) throw new FileError('TOO_MANY');
  return names;
}

function itemsOf(text: string): string[] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (parsed !== null && typeof parsed === 'object') return Object.values(parsed).map(String);
  } catch {
    // Not JSON: a single name.
  }
  return [text];
}

/** Joins a folder and a name; an absolute path is returned unchanged. */
export function pathIn(folder: string, name: string): string {
  return name.startsWith('/') ? name : `${folder.replace(/\/+$/, '')}/${name}`;
}

/** Splits a path into its folder and name. */
export function folderAndName(path: string): { folder: string; name: string } {
  const at = path.lastIndexOf('/');
  return { folder: path.slice(0, at) || '/', name: path.slice(at + 1) };
}

/** Splits paths into their common folder and the names in it. @throws FileError ONE_FOLDER */
export function inOneFolder(folder: string, names: readonly string[]): { folder: string; names: string[] } {
  const split = names.map((name) => folderAndName(pathIn(folder, name)));
  const [first] = split;
  if (split.some((one) => one.folder !== first!.folder)) throw new FileError('ONE_FOLDER');
  return { folder: first!.folder, names: split.map(({ name }) => name) };
}

/** Summarizes several paths for an entry of the operation log. */
export function describePaths(paths: readonly string[]): string {
  const few = paths.slice(0, 5).join(', ');
  return paths.length > 5 ? `${few}, … (${paths.length})` : few;
}
