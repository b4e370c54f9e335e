import { PackageRefusal } from '../package-refusal.js';

interface PathEntry {
  /** First spelling, without a trailing slash. */
  readonly spelling: string;
  readonly isFolder: boolean;
  /** Has its own entry, not only as a parent folder. */
  readonly listed: boolean;
}

/**
 * Rejects names that are the same file on some system: duplicates, names differing only in case or Unicode form, and a file where another
 * name needs a folder.
 *
 * @param names decoded; a folder's ends with `/`
 * @throws PackageRefusal DUPLICATE_NAME, NAME_COLLISION
 */
export function checkCollisions(names: Iterable<string>): void {
  const entries = new Map<string, PathEntry>();
  for (const name of names) {
    const isFolder = name.endsWith('/');
    const segments = (isFolder ? name.slice(0, -1) : name).split('/');
    for (let depth = 1; depth <= segments.length; depth++) {
      const listed = depth === segments.length;
      add(entries, { spelling: segments.slice(0, depth).join('/'), isFolder: isFolder || !listed, listed }, name);
    }
  }
}

function add(entries: Map<string, PathEntry>, entry: PathEntry, name: string): void {
  const key = fold(entry.spelling);
  const other = entries.get(key);
  if (other === undefined) entries.set(key, entry);
  else if (other.spelling !== entry.spelling || other.isFolder !== entry.isFolder) {
    throw new PackageRefusal('NAME_COLLISION', name, { other: other.spelling });
  } else if (other.listed && entry.listed) throw new PackageRefusal('DUPLICATE_NAME', name);
  else if (entry.listed) entries.set(key, entry);
}

/** Equal results may be the same file on Windows or macOS. */
function fold(path: string): string {
  return path.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}
